// How amounts are said: the sign, the amount with two places, and the code of the currency, as the member's region writes them.
import { LOCALE } from "./tongue";
import { words } from "./words";

/** The documented currencies, in the order in which a tap goes through them. */
export const CURRENCIES = ["USD", "INR", "EUR", "GBP"] as const;
export type Currency = (typeof CURRENCIES)[number];

const twoPlaces = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

/** "$15.00" */
export function amountOf(amount: number, currency: string): string {
  const known = CURRENCIES.find((c) => c === currency);
  const money = { style: "currency", currency: known, currencyDisplay: "narrowSymbol" } as const;
  return new Intl.NumberFormat(LOCALE, known === undefined ? twoPlaces : money).format(amount);
}

/** "$15.00 USD" */
export const moneyOf = (amount: number, currency: string): string => words.money(amountOf(amount, currency), currency);

/** "15.00", as it may be typed: see `amountFrom` of `lib/amount.ts`, which reads it. */
export const typedAmountOf = (amount: number): string =>
  new Intl.NumberFormat(LOCALE, { ...twoPlaces, useGrouping: false, numberingSystem: "latn" }).format(amount);

export function nextCurrency(currency: Currency): Currency {
  return CURRENCIES[(CURRENCIES.indexOf(currency) + 1) % CURRENCIES.length] ?? "USD";
}
