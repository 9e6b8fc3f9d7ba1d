// What a member has earned by helping, as the server counts it.
import { useQuery } from "@connectrpc/connect-query";
import { Currency } from "../gen/goodturn/common/v1/currency_pb";
import { type Earning, ProfileService } from "../gen/goodturn/profile/v1/profile_service_pb";
import { CURRENCIES, amountOf } from "../lib/money";

const codeOf = (currency: Currency): string => CURRENCIES.find((code) => Currency[code] === currency) ?? "USD";

export type Earned = { amount: string; code: string };

/** Currencies are not added up. A member without any exchange has no amount; after one for nothing it is zero dollars. */
function earnedOf(earnings: readonly Pick<Earning, "amount" | "currency">[], exchanges: number): Earned[] {
  if (earnings.length === 0 && exchanges === 0) return [];
  if (earnings.length === 0) return [{ amount: amountOf(0, "USD"), code: "USD" }];
  return earnings.map(({ amount, currency }) => ({
    amount: amountOf(amount, codeOf(currency)),
    code: codeOf(currency),
  }));
}

export const useEarned = () =>
  useQuery(
    ProfileService.method.getStats,
    {},
    {
      select: ({ stats }) =>
        stats === undefined
          ? []
          : earnedOf(stats.earnings, stats.favorsHelped + stats.favorsCompleted + stats.rentalsCompleted),
    },
  );

/** Whether the member has ever posted a favor, helped with one, or lent or borrowed something. */
export const useTookPart = () =>
  useQuery(
    ProfileService.method.getStats,
    {},
    {
      select: ({ stats }) =>
        stats !== undefined && stats.favorsPosted + stats.favorsHelped + stats.rentalsCompleted > 0,
    },
  );
