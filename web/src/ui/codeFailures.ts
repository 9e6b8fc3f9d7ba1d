// What is said of a code that was not sent or not taken.
import { isUnreached, type Reason, textOf } from "../lib/errors";
import { codeFormWords as words } from "./codeFormWords";

type Texts = Partial<Record<Reason, string>>;

const TEXTS: Texts = {
  CODE_MISMATCH: words.wrongCode,
  ENABLE_SOFTWARE_TOKEN_MFA: words.wrongCode,
  EXPIRED_CODE: words.expiredCode,
  ATTEMPTS_EXCEEDED: words.tooMany,
  PASSWORD_ATTEMPTS_EXCEEDED: words.tooMany,
};

export const mayRetry = (error: unknown): boolean => isUnreached(error) || error instanceof TypeError;

/** Under a heading that says what failed. */
export const codeFailureOf = (error: unknown, more: Texts = {}): string =>
  mayRetry(error) ? words.networkError : textOf(error, { ...TEXTS, ...more }, words.failedToSave);

/** The same where no heading says what failed: `failed` does. */
export const failedDeedOf = (error: unknown, failed: string, more: Texts = {}): string =>
  textOf(error, { ...TEXTS, ...more }, failed);
