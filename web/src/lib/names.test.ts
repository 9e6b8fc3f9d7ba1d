// First names, of members who are there and of those who left.
import { expect, it } from "vitest";
import { firstName, firstNameWithin } from "./names";

it.each([
  ["Ana María Ruiz", "Ana"],
  ["ana", "ana"],
  ["", ""],
])("%j_is_called_%j", (name, called) => {
  expect(firstName(name)).toBe(called);
  expect(firstNameWithin(name)).toBe(called);
});

it("a_member_who_left_has_no_first_name", () => {
  expect(firstName("Former member")).toBe("A former member");
  expect(firstNameWithin("Former member")).toBe("a former member");
});
