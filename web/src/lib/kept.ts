// What a member has typed and not sent yet: kept over a reload, and over a session that ended elsewhere, for this member and in this tab only; gone when
// they sign out, and when somebody else signs in. Never passwords or codes. A tab that is copied has its own from then on.
import { useMemo, useSyncExternalStore } from "react";

const PREFIX = "goodturn.form.";
/** What `lib/persisted.ts` has for all tabs goes at the same moments. */
export const CACHE_PREFIX = "goodturn.cache.";
/** Names the time since the last sign-out in any tab: one that was closed then, and is opened again, brings nothing back. */
const SINCE_KEY = "goodturn.kept_since";

/** What this tab has, also where nothing can be stored. */
const texts = new Map<string, string | null>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Nothing where the storage is forbidden or full, which costs the reload and no more. */
function tried<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** Whether somebody has signed in on this device: something of theirs stays in its storage, or the note that they left. */
export const isKnown = (): boolean =>
  tried(() => Object.keys(localStorage).some((key) => key.startsWith("goodturn."))) === true;

const prefix = (): string => `${PREFIX}${tried(() => localStorage.getItem(SINCE_KEY)) ?? ""}.`;
const keyOf = (uid: string, form: string): string => `${prefix()}${uid}.${form}`;

/** Takes away what begins so, but for what begins with `except`. */
function sweep(store: Storage, begin: string, except: string): void {
  for (const key of Object.keys(store)) if (key.startsWith(begin) && !key.startsWith(except)) store.removeItem(key);
}

function textOf(key: string): string | null {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = tried(() => sessionStorage.getItem(key));
  texts.set(key, text);
  return text;
}

function write(key: string, text: string | null): void {
  if (textOf(key) === text) return;
  texts.set(key, text);
  // First, so that where the storage is full nothing older stays there.
  tried(() => sessionStorage.removeItem(key));
  if (text !== null) tried(() => sessionStorage.setItem(key, text));
  tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function parsed<T>(text: string | null, read: (value: unknown) => T | null): T | null {
  return tried(() => (text === null ? null : read(JSON.parse(text))));
}

export const keep = (uid: string, form: string, value: unknown): void => write(keyOf(uid, form), JSON.stringify(value));

/** What was kept, or null; `read` tells whether it still has the shape of today's form. */
export const kept = <T>(uid: string, form: string, read: (value: unknown) => T | null): T | null =>
  parsed(textOf(keyOf(uid, form)), read);

/** The same, for a part that shows it as it changes. */
export function useKept<T>(uid: string, form: string, read: (value: unknown) => T | null): T | null {
  const text = useSyncExternalStore(subscribe, () => textOf(keyOf(uid, form)));
  return useMemo(() => parsed(text, read), [text, read]);
}

export const forget = (uid: string, form: string): void => write(keyOf(uid, form), null);

/** In this tab, but for what begins so. */
function forgetBut(except: string): void {
  texts.clear();
  tried(() => sweep(sessionStorage, PREFIX, except));
  tell();
}

/** When a session has ended: what the server said, and what was typed before the last sign-out. The rest waits for its member. */
export function forgetSaid(except = prefix()): void {
  tried(() => sweep(localStorage, CACHE_PREFIX, "none"));
  forgetBut(except);
}

/** In this tab, and what all tabs have of what the server said. */
export const forgetAll = (): void => forgetSaid("none");

/** What others have typed in this tab, whose sessions ended, when this member is here. */
export const forgetOthers = (uid: string): void => forgetBut(keyOf(uid, ""));

/** In every tab, also in those that are closed and may be opened again. */
export function forgetEverywhere(): void {
  tried(() => localStorage.setItem(SINCE_KEY, String(Date.now())));
  forgetAll();
}

forgetBut(prefix());
