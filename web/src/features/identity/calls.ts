// The calls of signing up, and the text for each way in which one fails.
import { session } from "../../lib/current";
import { loadConfig } from "../../lib/config";
import { hasReason, isUnreached, messageOf } from "../../lib/errors";
import { splitName } from "./rules";
import { words } from "./words";

export { hasReason };

/** @returns whether the address must be verified. */
export async function signUp(email: string, password: string, fullName: string): Promise<boolean> {
  const { clientId } = await loadConfig();
  const { name, givenName, familyName } = splitName(fullName);
  const attributes = {
    email,
    name,
    given_name: givenName,
    family_name: familyName,
    zoneinfo: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const userAttributes = Object.entries(attributes)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => ({ name: key, value }));
  const { identity } = await session.calls();
  const { userConfirmed } = await identity.signUp({ clientId, username: email, password, userAttributes });
  return !userConfirmed;
}

export async function confirmSignUp(email: string, code: string): Promise<void> {
  const { clientId } = await loadConfig();
  const { identity } = await session.calls();
  await identity.confirmSignUp({ clientId, username: email, confirmationCode: code, forceAliasCreation: true });
}

export async function resendCode(email: string): Promise<void> {
  const { clientId } = await loadConfig();
  const { identity } = await session.calls();
  await identity.resendConfirmationCode({ clientId, username: email });
}

/** The identity service's own message, else the documented text. */
export function failureOf(error: unknown, fallback: string): string {
  return isUnreached(error) ? words.networkError : messageOf(error) || fallback;
}

export function confirmFailureOf(error: unknown): string {
  return hasReason(error, "CODE_MISMATCH")
    ? words.confirmFailed.wrongCode
    : failureOf(error, words.confirmFailed.fallback);
}
