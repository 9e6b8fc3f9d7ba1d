// Which of the documented texts stands for which failure.
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { refusal } from "../../testing/refusals";
import { confirmFailureOf, failureOf } from "./calls";
import { words } from "./words";

const WRONG = "Incorrect username or password.";

it.each<[string, unknown, string]>([
  ["the_services_own_words", refusal("NOT_AUTHORIZED", Code.Unauthenticated, WRONG), WRONG],
  ["an_answer_without_words", new ConnectError("", Code.Unauthenticated), "Sign in failed"],
  ["a_server_out_of_reach", new ConnectError("fetch", Code.Unavailable), "Network error"],
  ["a_fetch_that_fails", new TypeError("Failed to fetch"), "Network error"],
  ["words_for_programs", refusal("CONFLICT", Code.Aborted, "changed at the same time; try again"), "Sign in failed"],
  ["a_fault_of_the_server", refusal("INTERNAL", Code.Internal), "An unexpected error occurred"],
  ["a_fault_in_the_browser", new RangeError("too large"), "An unexpected error occurred"],
])("%s", (_, error, text) => expect(failureOf(error, words.signInFailed)).toBe(text));

it.each([
  [
    "ATTEMPTS_EXCEEDED",
    "Attempt limit exceeded, please try after some time.",
    "Too many attempts. Please try again later.",
  ],
  ["PASSWORD_ATTEMPTS_EXCEEDED", "Password attempts exceeded", "Too many attempts. Please try again later."],
  ["RATE_LIMITED", "too many requests; try again later", "Too many attempts. Please try again later."],
  ["EXPIRED_CODE", "Invalid code provided, please request a code again.", "This code has expired. Request a new one."],
  [
    "INVALID_PASSWORD",
    "Password did not conform with policy: Password must have symbol characters",
    "Your password needs at least one symbol.",
  ],
  ["INVALID_PASSWORD", "Password did not conform with policy: Password not long enough", "Your password is too short."],
  [
    "INVALID_PASSWORD",
    "This password is too common. Please choose another one.",
    "This password is too common. Please choose another one.",
  ],
  ["INVALID_PASSWORD", "", "Sign in failed"],
])("%s_is_said_in_plain_words: %s", (reason, said, text) =>
  expect(failureOf(refusal(reason, Code.InvalidArgument, said), words.signInFailed)).toBe(text),
);

it("a_fault_during_verification_has_its_own_words", () =>
  expect(confirmFailureOf(new Error("broken"))).toBe("An unexpected error occurred during verification"));
