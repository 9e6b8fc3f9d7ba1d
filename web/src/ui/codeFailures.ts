// What is said of a code that was not sent or not taken, and of a new password that was refused.
import { isUnreached, type Reason, textOf } from "../lib/errors";
import { messageOf } from "../lib/refusals";
import { codeFormWords as words } from "./codeFormWords";

type Texts = Partial<Record<Reason, string>>;

const TEXTS: Texts = {
  CODE_MISMATCH: words.wrongCode,
  ENABLE_SOFTWARE_TOKEN_MFA: words.wrongCode,
  EXPIRED_CODE: words.expiredCode,
  ATTEMPTS_EXCEEDED: words.tooMany,
  PASSWORD_ATTEMPTS_EXCEEDED: words.tooMany,
  RATE_LIMITED: words.tooMany,
};

/** Replaces the protocol's refusal of a new password by plain words. */
function passwordFault(error: unknown): string {
  const said = messageOf(error);
  const faults: Partial<Record<string, string>> = words.passwordFaults;
  return faults[said.replace(/^Password did not conform with policy: /, "")] ?? said;
}

export const mayRetry = (error: unknown): boolean => isUnreached(error) || error instanceof TypeError;

/** Under a heading that says what failed. */
export const codeFailureOf = (error: unknown, more: Texts = {}): string =>
  mayRetry(error) ? words.networkError : failedDeedOf(error, words.failedToSave, more);

/** The same where no heading says what failed: `failed` does. */
export const failedDeedOf = (error: unknown, failed: string, more: Texts = {}): string =>
  textOf(error, { ...TEXTS, INVALID_PASSWORD: passwordFault(error) || failed, ...more }, failed);
