// What may be searched for.
import { expect, it } from "vitest";
import { checkContact, contactOf } from "./rules";

it.each(["ben@example.com", "+15550104477", "1 (555) 010-4477", "1234567890123456"])("%s_may_be_searched", (contact) =>
  expect(checkContact(contact)).toBe(""),
);

it.each(["ben@", "a b@example.com", "0555", "12345678901234567", "ben"])("%s_may_not", (contact) =>
  expect(checkContact(contact)).toBe("Please enter a valid email address or phone number"),
);

it.each([
  ["+٩٧١ ٥٠ ١٢٣ ٤٥٦٧", "+971 50 123 4567"],
  ["＋１５５５０１０４４７７", "+15550104477"],
  ["९१९८७६५४३२१०", "919876543210"],
  ["\u202a+1\u00a0555\u2011010\u20114477\u202c", "+1 555-010-4477"],
  ["tel:+15550104477\n", "+15550104477"],
  [" ben@example.com ", "ben@example.com"],
])("%j_is_searched_as_%j", (typed, contact) => {
  expect(checkContact(typed)).toBe("");
  expect(contactOf(typed)).toBe(contact);
});

it("nothing_is_asked_for", () => expect(checkContact("  ")).toBe("Please enter an email or phone number"));
