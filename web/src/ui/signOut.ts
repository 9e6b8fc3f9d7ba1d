// Signs out on this device, and says so where the server has not heard of it.
import { session } from "../lib/current";
import { isUnreached } from "../lib/errors";
import { isReached, whenFound } from "../lib/reach";
import { say } from "./said";
import { signOutWords as words } from "./signOutWords";

export async function signOut(): Promise<void> {
  try {
    await session.signOut();
  } catch (error) {
    await notHeard(error);
  }
}

/** On this device the member has left; the server has not heard of it, and is told as soon as it can be. */
async function notHeard(error: unknown): Promise<void> {
  const isLost = isUnreached(error) && !(await isReached());
  if (!isLost) return say(words.signOutFailed, "no", { retry: () => void tellAgain() });
  // Somebody else may be in by the time that this is known.
  if (session.get().kind === "signedOut") say(words.signedOutHere, "wait");
  return whenFound(() => void tellAgain());
}

async function tellAgain(): Promise<void> {
  try {
    await session.revoke();
    if (session.get().kind === "signedOut") say(words.signedOut);
  } catch (error) {
    await notHeard(error);
  }
}
