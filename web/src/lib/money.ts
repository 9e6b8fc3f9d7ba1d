// How amounts are said: the sign, the amount with two places, and the code of the currency.

/** The documented currencies, in the order in which a tap goes through them. */
export const CURRENCIES = ["USD", "INR", "EUR", "GBP"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** "$15.00" */
export function amountOf(amount: number, currency: string): string {
  const known = CURRENCIES.find((c) => c === currency);
  if (known === undefined) return amount.toFixed(2);
  return new Intl.NumberFormat("en-US", { style: "currency", currency: known, currencyDisplay: "narrowSymbol" }).format(
    amount,
  );
}

/** "$15.00 USD" */
export const moneyOf = (amount: number, currency: string): string => `${amountOf(amount, currency)} ${currency}`;

export function nextCurrency(currency: Currency): Currency {
  return CURRENCIES[(CURRENCIES.indexOf(currency) + 1) % CURRENCIES.length] ?? "USD";
}
