// The sessions that members of tests have. A sign-in costs the server much arithmetic: a session that
// nobody uses yet serves the next one who needs it.
import { entered } from "./calls";

type Credentials = { email: string; password: string };
export type Session = Awaited<ReturnType<typeof entered>>;

/** Made, and used by nobody. */
const spare = new Map<string, Session>();
/** Used for the calls behind the scene. */
const behind = new Map<string, Promise<Session>>();

// The same address with another password is somebody else, or a member after a change.
const keyOf = ({ email, password }: Credentials): string => `${email} ${password}`;

export function keepSpare(who: Credentials, session: Session): void {
  spare.set(keyOf(who), session);
}

/** A session that nothing else uses: a browser may sign out of it. */
export async function sessionOfItsOwn(who: Credentials): Promise<Session> {
  const kept = spare.get(keyOf(who));
  spare.delete(keyOf(who));
  return kept ?? entered(who);
}

/** The one session that all calls behind the scene of a member share. */
export async function sharedSession(who: Credentials): Promise<Session> {
  const key = keyOf(who);
  const session = behind.get(key) ?? sessionOfItsOwn(who);
  behind.set(key, session);
  // A sign-in that was refused may succeed later.
  session.catch(() => behind.delete(key));
  return session;
}

/** All sessions of a member have ended: the next call signs in anew. */
export function forgetSessions(who: Credentials): void {
  spare.delete(keyOf(who));
  behind.delete(keyOf(who));
}
