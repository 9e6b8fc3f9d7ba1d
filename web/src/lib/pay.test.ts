// The links to the payment services.
import { expect, it } from "vitest";
import { CURRENCIES } from "./money";
import { amountIn, appLinkOf, type Due, takes, webLinkOf } from "./pay";

const due: Due = { handle: "ben-carter", amount: 15, currency: "USD", note: "Walk Biscuit & feed him" };

it("an_amount_has_two_places_and_a_point", () => {
  expect([15, 15.5, 0.07, 1.005, 1_000_000].map(amountIn)).toEqual(["15.00", "15.50", "0.07", "1.00", "1000000.00"]);
});

it("a_link_to_venmo_carries_recipient_amount_and_note", () => {
  const rest = "amount=15.00&note=Walk%20Biscuit%20%26%20feed%20him";
  expect(appLinkOf("venmo", due)).toBe(`venmo://paycharge?txn=pay&recipients=ben-carter&${rest}`);
  expect(webLinkOf("venmo", due)).toBe(`https://venmo.com/ben-carter?txn=pay&${rest}`);
});

it("a_link_to_paypal_carries_username_amount_and_currency", () => {
  expect(appLinkOf("paypal", due)).toBe("https://paypal.me/ben-carter/15.00USD");
  expect(webLinkOf("paypal", { ...due, currency: "EUR", amount: 7.5 })).toBe("https://paypal.me/ben-carter/7.50EUR");
});

it("nothing_that_somebody_wrote_changes_where_a_link_leads", () => {
  const odd = { ...due, handle: "a/b?c", note: "x&amount=1#y" };
  expect(webLinkOf("paypal", odd)).toBe("https://paypal.me/a%2Fb%3Fc/15.00USD");
  expect(new URL(webLinkOf("venmo", odd)).searchParams.getAll("amount")).toEqual(["15.00"]);
  expect(new URL(appLinkOf("venmo", odd)).searchParams.get("note")).toBe("x&amount=1#y");
});

it("venmo_takes_dollars_alone", () => {
  expect(CURRENCIES.filter((currency) => takes("venmo", currency))).toEqual(["USD"]);
  expect(CURRENCIES.every((currency) => takes("paypal", currency))).toBe(true);
});
