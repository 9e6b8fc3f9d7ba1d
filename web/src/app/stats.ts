// What a member has earned by helping, as the server counts it.
import { useQuery } from "@connectrpc/connect-query";
import { Currency } from "../gen/goodturn/common/v1/currency_pb";
import { type Earning, ProfileService } from "../gen/goodturn/profile/v1/profile_service_pb";
import { CURRENCIES, amountOf } from "../lib/money";

const codeOf = (currency: Currency): string => CURRENCIES.find((code) => Currency[code] === currency) ?? "USD";

/** "$45.00"; several currencies are not added up but said one after the other. */
export function earnedOf(earnings: readonly Earning[]): string {
  if (earnings.length === 0) return amountOf(0, "USD");
  return earnings.map(({ amount, currency }) => amountOf(amount, codeOf(currency))).join(" + ");
}

export const useStats = () => useQuery(ProfileService.method.getStats, {}, { select: (answer) => answer.stats });

/** Empty while it is not known. */
export function useEarned(): string {
  const stats = useStats().data;
  return stats === undefined ? "" : earnedOf(stats.earnings);
}
