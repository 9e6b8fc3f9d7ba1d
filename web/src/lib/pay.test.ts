// The links to the payment services.
import { expect, it } from "vitest";
import { CURRENCIES } from "./money";
import { amountIn, appLinkOf, type Due, handleIn, takes, webLinkOf } from "./pay";

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

it.each([
  ["paypal", "ana.ruiz"],
  ["paypal", " @ana.ruiz "],
  ["paypal", "https://paypal.me/ana.ruiz"],
  ["paypal", "http://www.paypal.me/ana.ruiz/"],
  ["paypal", "paypal.me/ana.ruiz/25EUR"],
  ["paypal", "PayPal.Me/ana.ruiz?locale.x=en_US"],
  ["paypal", "www.paypal.com/paypalme/ana.ruiz"],
  ["paypal", "https://www.paypal.com/us/paypalme/ana.ruiz#pay"],
  ["paypal", "https://paypal.com/PayPalMe/ana.ruiz/25"],
  ["venmo", "ana.ruiz"],
  ["venmo", "@ ana.ruiz"],
  ["venmo", "https://venmo.com/u/ana.ruiz"],
  ["venmo", "venmo.com/ana.ruiz"],
  ["venmo", "https://www.venmo.com/@ana.ruiz"],
  ["venmo", "https://account.venmo.com/u/ana.ruiz?txn=pay&amount=5"],
] as const)("at_%s_%j_means_a_member", (service, typed) => expect(handleIn(service, typed)).toBe("ana.ruiz"));

it.each([
  ["venmo", "venmo.com"],
  ["venmo", "https://venmo.com/u/"],
  ["venmo", "https://venmo.com/code?user_id=12345"],
  ["paypal", "https://paypal.me"],
  ["paypal", "https://www.paypal.com/signin"],
  ["paypal", "@"],
] as const)("at_%s_%j_names_nobody", (service, typed) => expect(handleIn(service, typed)).toBe(""));

it.each([
  ["venmo", "https://paypal.me/ana"],
  ["paypal", "https://venmo.com/u/ana"],
  ["paypal", "https://cash.app/$ana"],
  ["paypal", "ana@example.com"],
  ["venmo", "ana/b"],
] as const)("what_is_no_name_of_%s_stays_as_it_is: %s", (service, typed) =>
  expect(handleIn(service, typed)).toBe(typed),
);
