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

/** What a new member has done: posted a favor, lent an item, and been through a first favor or rental to its end. */
export const useFirstDeeds = () =>
  useQuery(
    ProfileService.method.getStats,
    {},
    {
      select: ({ stats }) => ({
        hasPosted: stats !== undefined && stats.favorsPosted > 0,
        lends: stats !== undefined && stats.itemsShared > 0,
        hasExchanged: stats !== undefined && stats.favorsHelped + stats.favorsCompleted + stats.rentalsCompleted > 0,
      }),
    },
  );
