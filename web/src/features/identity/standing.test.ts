// What follows on each answer of a sign-in.
import { describe, expect, it } from "vitest";
import { answerOf, type Ask, stepOf } from "../../lib/asked";
import { asked, next, type Outcome, type Standing } from "./standing";

type Asked = Standing & { at: "asked" };

const code: Ask = { step: { kind: "totp" }, session: "one", username: "ana" };
const choice: Ask = {
  step: { kind: "select", from: ["SOFTWARE_TOKEN_MFA", "SMS_MFA"] },
  session: "two",
  username: "ana",
};
const at = (ask: Ask, wrongs = 0): Asked => ({ ...(asked(ask) as Asked), wrongs });
const refused = (what: (Outcome & { kind: "refused" })["what"]): Outcome => ({ kind: "refused", what, text: "No." });

it.each<[string, Asked, Outcome, object]>([
  ["the_right_code_lets_in", at(code), { kind: "in" }, { at: "in" }],
  ["a_choice_leads_to_its_code", at(choice), { kind: "asked", ask: code }, { at: "asked", ask: code, wrongs: 0 }],
  ["a_wrong_code_stays", at(code, 2), refused("code"), { at: "asked", ask: code, wrongs: 3, said: { kind: "wrong" } }],
  [
    "a_weak_password_stays",
    at(code),
    refused("password"),
    { at: "asked", wrongs: 0, said: { kind: "wrong", what: "password" } },
  ],
  [
    "a_new_step_forgets_wrong_codes",
    at(code, 4),
    { kind: "asked", ask: choice },
    { ask: choice, wrongs: 0, said: { kind: "nothing" } },
  ],
  ["an_old_session_is_over", at(code, 4), refused("session"), { at: "password", why: "expired" }],
  ["five_wrong_codes_are_too_many", at(code, 5), refused("session"), { at: "password", why: "tries" }],
  ["who_is_locked_out_hears_it", at(code, 1), refused("locked"), { at: "password", why: "locked", text: "No." }],
  [
    "what_was_not_heard_can_be_sent_again",
    at(code, 1),
    refused("unreached"),
    { wrongs: 1, said: { kind: "failed", again: true } },
  ],
  [
    "what_went_wrong_otherwise_is_said",
    at(code),
    refused("other"),
    { at: "asked", said: { kind: "failed", again: false } },
  ],
])("%s", (_, standing, outcome, follows) => expect(next(standing, outcome)).toMatchObject(follows));

describe("the_words_of_the_server", () => {
  it.each<[string, { [name: string]: string }, object | null]>([
    ["SOFTWARE_TOKEN_MFA", { FRIENDLY_DEVICE_NAME: "My phone" }, { kind: "totp" }],
    ["SMS_MFA", { CODE_DELIVERY_DESTINATION: "+*******1234" }, { kind: "sms", to: "+*******1234" }],
    ["CUSTOM_CHALLENGE", { CODE_DELIVERY_DESTINATION: "a***@e***" }, { kind: "mail", to: "a***@e***" }],
    ["SELECT_MFA_TYPE", { MFAS_CAN_CHOOSE: '["SMS_MFA","EMAIL_OTP"]' }, { kind: "select", from: ["SMS_MFA"] }],
    ["SELECT_MFA_TYPE", { MFAS_CAN_CHOOSE: "all" }, { kind: "select", from: [] }],
    ["MFA_SETUP", {}, { kind: "setUp" }],
    ["NEW_PASSWORD_REQUIRED", {}, { kind: "newPassword" }],
    ["ADMIN_NO_SRP_AUTH", {}, null],
  ])("%s_%j_is_a_step", (challenge, told, step) => expect(stepOf(challenge, told)).toEqual(step));

  it.each<[Ask["step"], string, object]>([
    [{ kind: "totp" }, "SOFTWARE_TOKEN_MFA", { SOFTWARE_TOKEN_MFA_CODE: "given" }],
    [{ kind: "sms", to: "" }, "SMS_MFA", { SMS_MFA_CODE: "given" }],
    [{ kind: "mail", to: "" }, "CUSTOM_CHALLENGE", { ANSWER: "given" }],
    [{ kind: "select", from: [] }, "SELECT_MFA_TYPE", { ANSWER: "given" }],
    [{ kind: "setUp" }, "MFA_SETUP", {}],
    [{ kind: "newPassword" }, "NEW_PASSWORD_REQUIRED", { NEW_PASSWORD: "given" }],
  ])("%j_is_answered_as_%s", (step, challenge, responses) =>
    expect(answerOf({ step, session: "one", username: "ana" }, "given")).toEqual({
      challenge,
      responses: { USERNAME: "ana", ...responses },
    }),
  );
});
