// What a member has earned by helping, as the server counts it.
import { useQuery } from "@connectrpc/connect-query";
import { Currency } from "../gen/goodturn/common/v1/currency_pb";
import { type Earning, ProfileService } from "../gen/goodturn/profile/v1/profile_service_pb";
import { CURRENCIES, amountOf } from "../lib/money";

const codeOf = (currency: Currency): string => CURRENCIES.find((code) => Currency[code] === currency) ?? "USD";

export type Earned = { amount: string; code: string };

/** Currencies are not added up. Whoever has not helped yet has no amount; whoever helped for nothing is told so in dollars. */
function earnedOf(earnings: readonly Pick<Earning, "amount" | "currency">[], helped: number): Earned[] {
  if (earnings.length === 0 && helped === 0) return [];
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
    { select: ({ stats }) => earnedOf(stats?.earnings ?? [], stats?.favorsHelped ?? 0) },
  );

/** Whether the member has ever posted a favor or helped with one. */
export const useTookPart = () =>
  useQuery(
    ProfileService.method.getStats,
    {},
    { select: ({ stats }) => stats !== undefined && stats.favorsPosted + stats.favorsHelped > 0 },
  );
