// What is changed in sign-in and security. The calls bring their token themselves: a password that is wrong is refused in the words of a token
// that is, and must not be tried a second time with another one.
import { DeviceRememberedStatus } from "../../gen/goodturn/identity/v1/identity_service_pb";
import { session } from "../../lib/current";
import { forgetDevice } from "../../lib/device";
import type { Reason } from "../../lib/errors";
import { normalized } from "../../lib/password";
import { proved } from "../../lib/proved";
import { codeFailureOf, failedDeedOf } from "../../ui/codeFailures";
import type { Factor, Link } from "./queries";
import { words } from "./words";

async function mine() {
  const accessToken = await session.accessToken();
  return { identity: (await session.calls()).identity, accessToken };
}

export async function changePassword(present: string, next: string): Promise<void> {
  const { identity, accessToken } = await mine();
  const proposedPassword = normalized(next);
  await proved(present, (previousPassword) =>
    identity.changePassword({ accessToken, previousPassword, proposedPassword }),
  );
}

export type Contact = "email" | "phone_number";

/** Has a code sent to a new address or number; until it is typed, the one before stays. */
export async function beginContact(name: Contact, value: string): Promise<void> {
  const { identity, accessToken } = await mine();
  await identity.updateUserAttributes({ accessToken, userAttributes: [{ name, value }] });
}

export async function resendContact(attributeName: Contact): Promise<void> {
  const { identity, accessToken } = await mine();
  await identity.getUserAttributeVerificationCode({ accessToken, attributeName });
}

/** Puts it in force. The tokens that tell it are renewed. */
export async function endContact(attributeName: Contact, code: string): Promise<void> {
  const { identity, accessToken } = await mine();
  await identity.verifyUserAttribute({ accessToken, attributeName, code });
  // Who loads the page anew at once sees the new one. Where it fails they are renewed within the hour.
  await session.refresh(accessToken).catch(() => undefined);
}

/** @returns the secret of a new authenticator, which waits for its first code. */
export async function beginAuthenticator(): Promise<string> {
  const { identity, accessToken } = await mine();
  return (await identity.associateSoftwareToken({ accessToken })).secretCode;
}

/** Sets it up, and has it asked for. */
export async function endAuthenticator(userCode: string): Promise<void> {
  const { identity, accessToken } = await mine();
  await identity.verifySoftwareToken({ accessToken, userCode });
  const softwareTokenMfaSettings = { enabled: true, preferredMfa: true };
  await identity.setUserMfaPreference({ accessToken, softwareTokenMfaSettings });
}

export async function makeRecoveryCodes(): Promise<readonly string[]> {
  const { identity, accessToken } = await mine();
  return (await identity.createRecoveryCodes({ accessToken })).codes;
}

export async function turn(factor: Factor, enabled: boolean): Promise<void> {
  const { identity, accessToken } = await mine();
  const settings = { enabled, preferredMfa: false };
  await identity.setUserMfaPreference(
    factor === "sms" ? { accessToken, smsMfaSettings: settings } : { accessToken, softwareTokenMfaSettings: settings },
  );
}

/** Of both that are on: which is asked first, or neither. */
export async function askFirst(first: Factor | null): Promise<void> {
  const { identity, accessToken } = await mine();
  await identity.setUserMfaPreference({
    accessToken,
    smsMfaSettings: { enabled: true, preferredMfa: first === "sms" },
    softwareTokenMfaSettings: { enabled: true, preferredMfa: first === "authenticator" },
  });
}

/** A device that is another is signed out with it; this one is only asked for a code again. */
export async function forget(uid: string, deviceKey: string, isHere: boolean): Promise<void> {
  const { identity, accessToken } = await mine();
  if (!isHere) {
    await identity.forgetDevice({ accessToken, deviceKey });
    return;
  }
  const deviceRememberedStatus = DeviceRememberedStatus.NOT_REMEMBERED;
  await identity.updateDeviceStatus({ accessToken, deviceKey, deviceRememberedStatus });
  forgetDevice(uid);
}

/** Ends each; one that has ended already is no failure. */
export async function endSessions(ids: readonly string[]): Promise<void> {
  const { identity, accessToken } = await mine();
  await Promise.all(ids.map((sessionId) => identity.endSession({ accessToken, sessionId })));
}

/** Whoever came by it is signed out, as every other device is. */
export async function unlink({ provider: providerName, userId }: Link): Promise<void> {
  const { identity, accessToken } = await mine();
  await identity.unlinkProvider({ accessToken, providerName, userId });
}

/** Reasons that only these calls have. */
export const TEXTS: Partial<Record<Reason, string>> = {
  // This device was signed in before the second step was turned on elsewhere.
  NOT_AUTHORIZED: words.signInAgain,
};

/** What is said of a failure under a heading that says what failed. */
export const failureOf = (error: unknown, more: Partial<Record<Reason, string>> = {}): string =>
  codeFailureOf(error, { ...TEXTS, ...more });

/** The same where no heading says what failed: `failed` does. */
export const failedDeed = (error: unknown, failed: string, more: Partial<Record<Reason, string>> = {}): string =>
  failedDeedOf(error, failed, { ...TEXTS, ...more });
