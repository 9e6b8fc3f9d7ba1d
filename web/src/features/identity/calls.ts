// The calls of signing up, and the text for each way in which one fails.
import { Code, ConnectError } from "@connectrpc/connect";
import { session } from "../../lib/current";
import { loadConfig } from "../../lib/config";
import { hasReason, isUnreached, messageOf } from "../../lib/errors";
import { splitName } from "./rules";
import { words } from "./words";

export { hasReason };

type Texts = { fallback: string; exception?: string };

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

/** What failed is neither the network nor an answer of the identity service: a fault, here or there. */
function isException(error: unknown): boolean {
  // A fetch that fails, of a call or of a part of the app, is a TypeError.
  if (!(error instanceof ConnectError)) return !(error instanceof TypeError);
  return error.code === Code.Internal || hasReason(error, "INTERNAL");
}

/** The identity service's own message, else the documented text: `exception` where something broke that nobody expected. */
export function failureOf(error: unknown, { fallback, exception = fallback }: Texts): string {
  if (isException(error)) return exception;
  return isUnreached(error) ? words.networkError : messageOf(error) || fallback;
}

export const confirmFailureOf = (error: unknown): string =>
  hasReason(error, "CODE_MISMATCH") ? words.confirmFailed.wrongCode : failureOf(error, words.confirmFailed);
