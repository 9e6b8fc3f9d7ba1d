// The calls that answer what a sign-in asks for, and what came of each.
import type { Ask, Factor } from "../../lib/asked";
import { session } from "../../lib/current";
import { hasReason, isUnreached } from "../../lib/errors";
import { words as askWords } from "./askWords";
import { failureOf, isCodeWrong } from "./calls";
import type { Outcome } from "./standing";
import { words } from "./words";

/** Begins the sign-in once more, by the same password or for the same address. */
export type Begin = () => Promise<Ask | null>;

type Refused = Outcome & { kind: "refused" };

function whatIsRefused(error: unknown): Refused["what"] {
  if (isCodeWrong(error) || hasReason(error, "ENABLE_SOFTWARE_TOKEN_MFA")) return "code";
  if (hasReason(error, "INVALID_PASSWORD")) return "password";
  if (hasReason(error, "PASSWORD_ATTEMPTS_EXCEEDED", "ATTEMPTS_EXCEEDED")) return "locked";
  if (hasReason(error, "NOT_AUTHORIZED")) return "session";
  return isUnreached(error) || error instanceof TypeError ? "unreached" : "other";
}

const textOf = (error: unknown): string =>
  hasReason(error, "EXPIRED_CODE") ? askWords.used : failureOf(error, words.signInFailed);

export const refusalOf = (error: unknown): Refused => ({
  kind: "refused",
  what: whatIsRefused(error),
  text: textOf(error),
});

export async function outcomeOf(entered: Promise<Ask | null>): Promise<Outcome> {
  try {
    const ask = await entered;
    return ask === null ? { kind: "in" } : { kind: "asked", ask };
  } catch (error) {
    return refusalOf(error);
  }
}

export const answer = (ask: Ask, given: string, remembers = false): Promise<Outcome> =>
  outcomeOf(session.enter((calls) => calls.answer(ask, given, remembers)));

/** Asks for the same second factor once more: what was asked for serves once. */
export const again = (begin: Begin, factor: Factor): Promise<Outcome> =>
  outcomeOf(
    begin().then((ask) =>
      ask?.step.kind === "select" ? session.enter((calls) => calls.answer(ask, factor, false)) : ask,
    ),
  );

export const beginSetUp = async (ask: Ask) => (await session.calls()).beginSetUp(ask);

export const endSetUp = (ask: Ask, code: string): Promise<Outcome> =>
  outcomeOf(session.enter((calls) => calls.endSetUp(ask, code)));
