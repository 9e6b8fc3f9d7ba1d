// What may be searched for.
import { expect, it } from "vitest";
import { checkContact } from "./rules";

it.each(["ben@example.com", "+15550104477", "1 (555) 010-4477", "1234567890123456"])("%s_may_be_searched", (contact) =>
  expect(checkContact(contact)).toBe(""),
);

it.each(["ben@", "a b@example.com", "0555", "12345678901234567", "ben"])("%s_may_not", (contact) =>
  expect(checkContact(contact)).toBe("Please enter a valid email address or phone number"),
);

it("nothing_is_asked_for", () => expect(checkContact("  ")).toBe("Please enter an email or phone number"));
