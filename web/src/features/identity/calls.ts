// The calls of signing up, and the text for each way in which one fails.
import { Code, ConnectError } from "@connectrpc/connect";
import { session } from "../../lib/current";
import { loadConfig } from "../../lib/config";
import { hasReason, isUnreached } from "../../lib/errors";
import { isHeard } from "../../lib/now";
import { normalized } from "../../lib/password";
import { messageOf } from "../../lib/refusals";
import { zoneHere } from "../../lib/zone";
import { failedDeedOf } from "../../ui/codeFailures";
import { splitName } from "./rules";
import { stepWords } from "./stepWords";
import { words } from "./words";

export { hasReason, isUnreached };

type Texts = { fallback: string; exception?: string };

/** `invite` is the token of an invitation. @returns whose code is on its way; nothing where none is needed. */
export async function signUp(
  email: string,
  password: string,
  fullName: string,
  invite?: string,
): Promise<{ uid: string } | null> {
  const { clientId } = await loadConfig();
  const { name, givenName, familyName } = splitName(fullName);
  const attributes = {
    email,
    name,
    given_name: givenName,
    family_name: familyName,
    zoneinfo: zoneHere(),
  };
  const userAttributes = Object.entries(attributes)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => ({ name: key, value }));
  const { identity } = await session.calls();
  const { userConfirmed, userSub } = await identity.signUp({
    clientId,
    username: email,
    password: normalized(password),
    userAttributes,
    clientMetadata: invite === undefined ? {} : { invite },
  });
  return userConfirmed ? null : { uid: userSub };
}

/** `username` is the uid of the sign-up, where it is known: an address may have several that wait. */
export async function confirmSignUp(username: string, code: string): Promise<void> {
  const { clientId } = await loadConfig();
  const { identity } = await session.calls();
  await identity.confirmSignUp({ clientId, username, confirmationCode: code, forceAliasCreation: true });
}

export async function resendCode(username: string): Promise<void> {
  const { clientId } = await loadConfig();
  const { identity } = await session.calls();
  await identity.resendConfirmationCode({ clientId, username });
}

/** Has a code mailed that allows a new password, if there is such a member: the answer does not tell. */
export async function forgotPassword(email: string): Promise<void> {
  const { clientId } = await loadConfig();
  const { identity } = await session.calls();
  await identity.forgotPassword({ clientId, username: email });
}

export async function resetPassword(email: string, code: string, password: string): Promise<void> {
  const { clientId } = await loadConfig();
  const { identity } = await session.calls();
  await identity.confirmForgotPassword({
    clientId,
    username: email,
    confirmationCode: code,
    password: normalized(password),
  });
}

/** What failed is neither the network nor an answer of the identity service: a fault, here or there. */
function isException(error: unknown): boolean {
  // A fetch that fails, of a call or of a part of the app, is a TypeError.
  if (!(error instanceof ConnectError)) return !(error instanceof TypeError);
  return error.code === Code.Internal || hasReason(error, "INTERNAL");
}

/**
 * Plain words where the identity protocol fixes its own, else the service's message, else the documented text: `exception` where something broke that
 * nobody expected.
 */
export function failureOf(error: unknown, { fallback, exception = fallback }: Texts): string {
  if (isException(error)) return exception;
  return isUnreached(error) ? words.networkError : failedDeedOf(error, messageOf(error) || fallback);
}

/** The server refuses a wrong clock in the words of a wrong password. */
export const signInFailureOf = (error: unknown): string =>
  hasReason(error, "NOT_AUTHORIZED") && !isHeard() ? stepWords.wrongOrClock : failureOf(error, words.signInFailed);

/** It is the code that is wrong, and nothing else. */
export const isCodeWrong = (error: unknown): boolean => hasReason(error, "CODE_MISMATCH", "EXPIRED_CODE");

export const confirmFailureOf = (error: unknown): string => failureOf(error, stepWords.confirmFailed);

export const resetFailureOf = (error: unknown): string => failureOf(error, stepWords.resetFailed);
