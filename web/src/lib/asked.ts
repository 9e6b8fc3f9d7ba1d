// What a sign-in asks for beside the password, as the server names it, and how each answer is written. Pure.
import { normalized } from "./password";

export type Factor = "SOFTWARE_TOKEN_MFA" | "SMS_MFA";
export type Step =
  /** A code of an authenticator, which the member has named, or one that stands in for a lost one. */
  | { kind: "totp" }
  /** A code that was sent to a number, or an address; either is masked. */
  | { kind: "sms" | "mail"; to: string }
  /** A choice between second factors. */
  | { kind: "select"; from: readonly Factor[] }
  /** An authenticator must be set up first. */
  | { kind: "setUp" }
  /** The password was set by somebody else. */
  | { kind: "newPassword" };

/** `session` and `username` go back with the answer. */
export type Ask = { step: Step; session: string; username: string };

type Parameters = { [name: string]: string };

const FACTORS = ["SOFTWARE_TOKEN_MFA", "SMS_MFA"] as const;

function factorsOf(list: string): readonly Factor[] {
  try {
    const named: unknown = JSON.parse(list);
    return FACTORS.filter((factor) => Array.isArray(named) && named.includes(factor));
  } catch {
    return [];
  }
}

/** The step of a challenge; nothing for one that no member can answer. */
export function stepOf(challenge: string, told: Parameters): Step | null {
  const to = told["CODE_DELIVERY_DESTINATION"] ?? "";
  switch (challenge) {
    case "SOFTWARE_TOKEN_MFA":
      return { kind: "totp" };
    case "SMS_MFA":
      return { kind: "sms", to };
    case "CUSTOM_CHALLENGE":
      return { kind: "mail", to };
    case "SELECT_MFA_TYPE":
      return { kind: "select", from: factorsOf(told["MFAS_CAN_CHOOSE"] ?? "") };
    case "MFA_SETUP":
      return { kind: "setUp" };
    case "NEW_PASSWORD_REQUIRED":
      return { kind: "newPassword" };
    default:
      return null;
  }
}

const CHALLENGES = {
  totp: "SOFTWARE_TOKEN_MFA",
  sms: "SMS_MFA",
  mail: "CUSTOM_CHALLENGE",
  select: "SELECT_MFA_TYPE",
  setUp: "MFA_SETUP",
  newPassword: "NEW_PASSWORD_REQUIRED",
} as const;

/** The name of what is answered, and the answer, which is a code, a choice or a password; none where something was set up. */
export function answerOf({ step, username }: Ask, given: string) {
  const named: Parameters = { USERNAME: username };
  if (step.kind === "totp") named["SOFTWARE_TOKEN_MFA_CODE"] = given;
  if (step.kind === "sms") named["SMS_MFA_CODE"] = given;
  if (step.kind === "mail" || step.kind === "select") named["ANSWER"] = given;
  if (step.kind === "newPassword") named["NEW_PASSWORD"] = normalized(given);
  return { challenge: CHALLENGES[step.kind], responses: named };
}
