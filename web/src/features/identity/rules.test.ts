// What signing in and up need, to the letter.
import { describe, expect, it } from "vitest";
import { checkSignIn, checkSignUp, splitName } from "./rules";

const good = { name: "Ana Ruiz", email: "ana@example.com", password: "12345678", again: "12345678" };

describe("sign-in", () => {
  it("needs_both_after_trimming", () => {
    const text = "Please enter both email and password.";
    expect(checkSignIn({ email: " ", password: " " })).toEqual({ email: text, password: text });
    expect(checkSignIn({ email: "a", password: "b" })).toEqual({});
  });
});

describe("sign-up", () => {
  it.each([
    [{ name: " " }, { name: "Please fill in all fields" }],
    [{ email: "ana@example" }, { email: "Please enter a valid email address" }],
    [{ password: "1234567", again: "1234567" }, { password: "Password must be at least 8 characters long" }],
    [{ again: "87654321" }, { again: "Passwords do not match" }],
    [{ password: "Zoe\u0308-2026", again: "Zo\u00eb-2026" }, {}],
    [
      { password: "e\u0301".repeat(7), again: "\u00e9".repeat(7) },
      { password: "Password must be at least 8 characters long" },
    ],
    [{}, {}],
  ])("%j_gives_%j", (change, errors) => expect(checkSignUp({ ...good, ...change })).toEqual(errors));
});

describe("names", () => {
  it.each([
    ["Ana Ruiz", { name: "Ana Ruiz", givenName: "Ana", familyName: "Ruiz" }],
    ["  Ana   María Ruiz ", { name: "Ana María Ruiz", givenName: "Ana", familyName: "María Ruiz" }],
    ["Ana", { name: "Ana", givenName: "Ana", familyName: "" }],
  ])("%s_is_split", (full, parts) => expect(splitName(full)).toEqual(parts));
});
