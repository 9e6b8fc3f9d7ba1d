// The calls of signing up, and the documented text for each failure.
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { expect, it, vi } from "vitest";
import { IdentityService } from "../../gen/goodturn/identity/v1/identity_service_pb";
import { session } from "../../lib/current";
import { identityCalls } from "../../lib/identityCalls";
import { refusal } from "../../testing/refusals";
import { hear } from "../../lib/now";
import { confirmFailureOf, failureOf, resetPassword, signInFailureOf, signUp } from "./calls";
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

it("a_refused_sign_in_names_the_clock_where_no_answer_has_told_the_time", () => {
  const refused = refusal("NOT_AUTHORIZED", Code.Unauthenticated, WRONG);
  expect(signInFailureOf(refused)).toBe(
    "Incorrect username or password. If you're sure they're right, check this device's date and time.",
  );
  expect(signInFailureOf(new ConnectError("fetch", Code.Unavailable))).toBe("Network error");
  hear(new Date().toUTCString());
  expect(signInFailureOf(refused)).toBe(WRONG);
});

it("a_password_is_set_in_its_normal_form", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ clientId: "web", userPoolId: "us-east-1_x" })));
  const given: string[] = [];
  const take = ({ password }: { password: string }): object => {
    given.push(password);
    return {};
  };
  const transport = createRouterTransport(({ service }) =>
    service(IdentityService, { signUp: take, confirmForgotPassword: take }),
  );
  vi.spyOn(session, "calls").mockResolvedValue(identityCalls(transport));
  for (const typed of ["Zoe\u0308-2026", "Zo\u00eb-2026"]) {
    await signUp("ana@example.com", typed, "Ana Ruiz");
    await resetPassword("ana@example.com", "795178", typed);
  }
  expect(given).toEqual(Array.from({ length: 4 }, () => "Zo\u00eb-2026"));
});
