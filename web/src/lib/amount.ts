// Amounts as they are typed.
import { plainAmount } from "./digits";

/** In whole units of a currency, as the server takes them. */
export const AMOUNT_MAX = 1_000_000;

/** Whole units with at most two places; empty is 0, and NaN is no amount. */
export function amountFrom(typed: string): number {
  const text = plainAmount(typed);
  if (text === "") return 0;
  if (!/^\d{1,7}(\.\d{0,2})?$/.test(text)) return Number.NaN;
  const amount = Number(text);
  return amount <= AMOUNT_MAX ? amount : Number.NaN;
}
