// Which of the documented texts stands for which failure.
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb";
import { confirmFailureOf, failureOf } from "./calls";
import { words } from "./words";

const refusal = (reason: string, code: Code): ConnectError =>
  new ConnectError("Incorrect username or password.", code, undefined, [
    { desc: ErrorInfoSchema, value: { reason, domain: "goodturn" } },
  ]);

it.each<[string, unknown, string]>([
  ["the_services_own_words", refusal("NOT_AUTHORIZED", Code.Unauthenticated), "Incorrect username or password."],
  ["an_answer_without_words", new ConnectError("", Code.Unauthenticated), "Sign in failed"],
  ["a_server_out_of_reach", new ConnectError("fetch", Code.Unavailable), "Network error"],
  ["a_fetch_that_fails", new TypeError("Failed to fetch"), "Network error"],
  ["a_fault_of_the_server", refusal("INTERNAL", Code.Internal), "An unexpected error occurred"],
  ["a_fault_in_the_browser", new RangeError("too large"), "An unexpected error occurred"],
])("%s", (_, error, text) => expect(failureOf(error, words.signInFailed)).toBe(text));

it("a_fault_during_verification_has_its_own_words", () =>
  expect(confirmFailureOf(new Error("broken"))).toBe("An unexpected error occurred during verification"));
