// Who is signed in on this device: restored at start, shared by all tabs, kept fresh by one refresh for many calls.
import { useSyncExternalStore } from "react";
import type { Ask } from "./asked";
import { loadConfig } from "./config";
import type { Entered, IdentityCalls } from "./identityCalls";
import { forgetEverywhere, forgetOthers, forgetSaid } from "./kept";
import { exclusively } from "./locks";
import { areValid, claimsOf, clearTokens, KEYS, readTokens, type Tokens, writeTokens } from "./tokens";

export type Member = {
  uid: string;
  email: string;
  displayName: string;
  givenName: string;
  familyName: string;
  profilePictureUrl: string;
};
export type SessionState = { kind: "loading" } | { kind: "signedOut" } | { kind: "signedIn"; member: Member };

const REFRESH_LOCK = "goodturn.refresh";

function memberOf(tokens: Tokens): Member {
  const { sub, email, name, givenName, familyName, picture } = claimsOf(tokens.id);
  const displayName = name || [givenName, familyName].filter(Boolean).join(" ");
  return { uid: sub, email, displayName, givenName, familyName, profilePictureUrl: picture };
}

const NEWS_MS = 150;

/** Resolves when another tab has written a token, or has had the time to: its writes arrive a little after its lock. */
function news(): Promise<void> {
  return new Promise((resolve) => {
    const done = (event?: StorageEvent): void => {
      if (event !== undefined && event.key !== KEYS.access) return;
      clearTimeout(timer);
      window.removeEventListener("storage", done);
      resolve();
    };
    const timer = setTimeout(done, NEWS_MS);
    window.addEventListener("storage", done);
  });
}

/** Nobody is signed in on this device, or not any more. */
export class NoSession extends Error {
  constructor() {
    super("User is not authenticated");
  }
}

/** Who is signed in is known without the network, and without the code that speaks to it: `calls` loads that. */
export function createSession(calls: () => Promise<IdentityCalls>) {
  const listeners = new Set<() => void>();
  let state: SessionState = { kind: "loading" };
  let refreshing: Promise<string> | undefined;
  /** The refresh token of a member who left, until the server has heard of it. */
  let left = "";
  /** The address of a member whose session the server has ended, until somebody is in again. */
  let endedFor = "";

  function become(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  /** Shows what is stored; the same member with newer tokens is not a change. */
  function adopt(tokens: Tokens | null): void {
    if (tokens === null) return become({ kind: "signedOut" });
    const member = memberOf(tokens);
    if (state.kind === "signedIn" && JSON.stringify(state.member) === JSON.stringify(member)) return;
    forgetOthers(member.uid);
    become({ kind: "signedIn", member });
  }

  /** Who leaves takes along what is typed; whose session has ended, on another device or by its age, finds it after the next sign-in. */
  function end(forget = forgetSaid): void {
    // At once: a page that is closed now has no time for more. First: other tabs learn by the tokens that it is over.
    forget();
    clearTokens();
    become({ kind: "signedOut" });
  }

  /** The server has ended it: the member is told so, unless they left in the meantime. */
  function endElsewhere(stored: Tokens): void {
    if (readTokens() !== null) endedFor = claimsOf(stored.id).email;
    end();
  }

  function begin(tokens: Tokens): void {
    endedFor = "";
    writeTokens(tokens);
    adopt(readTokens());
  }

  async function exchange(used: string): Promise<string> {
    if (readTokens()?.access === used) await news();
    const stored = readTokens();
    if (stored === null) throw new NoSession();
    // Another tab has been here while this one waited for its turn.
    if (stored.access !== used && areValid(stored)) return stored.access;
    if (stored.refresh === "") {
      endElsewhere(stored);
      throw new NoSession();
    }
    const { renew, isRefused } = await calls();
    try {
      const renewed = await renew(stored);
      // Signed out in another tab meanwhile: what was revoked must not come back to life here.
      if (readTokens() === null) throw new NoSession();
      begin(renewed);
    } catch (error) {
      if (error instanceof NoSession) end();
      else if (isRefused(error)) endElsewhere(stored);
      throw error;
    }
    return readTokens()?.access ?? "";
  }

  /** Makes a new access token in place of `used`: one call to the server, however many ask, in however many tabs. */
  function refresh(used: string): Promise<string> {
    refreshing ??= exclusively(REFRESH_LOCK, () => exchange(used)).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  /** An access token that has not expired. */
  async function accessToken(): Promise<string> {
    const tokens = readTokens();
    if (tokens === null) {
      if (state.kind === "signedIn") end();
      throw new NoSession();
    }
    return areValid(tokens) ? tokens.access : refresh(tokens.access);
  }

  /** The setting of local testing: whoever opens the app is the demo member. */
  async function asDemo(): Promise<void> {
    const { autoSignIn, demo } = await loadConfig();
    if (autoSignIn && demo !== null) takeOver(demo);
  }

  /** At start: what was stored, renewed when it has expired; else the demo member where that is set; else nobody. */
  async function restore(): Promise<void> {
    const tokens = readTokens();
    if (tokens === null) {
      await asDemo().catch(() => undefined);
      return adopt(readTokens());
    }
    if (areValid(tokens)) return adopt(tokens);
    try {
      await refresh(tokens.access);
    } catch {
      // A server out of reach is no reason to sign anybody out: the screens say so, and calls try again.
    }
    adopt(readTokens());
  }

  /** @returns what is asked next, or null for who is in. @throws ConnectError with the server's message. */
  async function enter(by: (calls: IdentityCalls) => Promise<Entered>): Promise<Ask | null> {
    const entered = await by(await calls());
    if ("ask" in entered) return entered.ask;
    begin(entered.tokens);
    return null;
  }

  /** Takes over a session that somebody else has opened, as the demo member's of local mode. It ends with its tokens. */
  function takeOver(tokens: { accessToken: string; idToken: string }): void {
    endedFor = "";
    clearTokens();
    writeTokens({ access: tokens.accessToken, id: tokens.idToken, refresh: "" });
    adopt(readTokens());
  }

  /** Leaves on this device whatever happens, and ends the session at the server. @throws when the server did not hear of it. */
  async function signOut(): Promise<void> {
    left = readTokens()?.refresh ?? "";
    endedFor = "";
    end(forgetEverywhere);
    await revoke();
  }

  /** Tells the server of a sign-out that it has not heard of yet. */
  async function revoke(): Promise<void> {
    if (left === "") return;
    await (await calls()).revoke(left);
    left = "";
  }

  // Other tabs sign in and out too; `null` is a cleared storage.
  window.addEventListener("storage", (event) => {
    if (event.key !== KEYS.access && event.key !== null) return;
    const tokens = readTokens();
    if (tokens === null) forgetSaid();
    adopt(tokens);
  });

  return {
    calls,
    accessToken,
    refresh,
    restore,
    enter,
    /** The same by e-mail and password. */
    signIn: (email: string, password: string) => enter((by) => by.signIn(email, password)),
    signOut,
    revoke,
    takeOver,
    get: () => state,
    /** The address of whose session has ended without their doing; empty where nobody's has. */
    endedFor: () => endedFor,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type Session = ReturnType<typeof createSession>;

export function useSessionState(session: Session): SessionState {
  return useSyncExternalStore(session.subscribe, session.get);
}
