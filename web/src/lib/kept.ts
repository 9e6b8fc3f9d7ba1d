// What a member has typed and not sent yet: kept over a reload, for this member only, gone at sign-out. Never passwords or codes.
import { useMemo, useSyncExternalStore } from "react";

const PREFIX = "goodturn.form.";
const keyOf = (uid: string, form: string): string => `${PREFIX}${uid}.${form}`;

/** What this tab has: the truth where nothing can be stored, and where another tab has typed something else. */
const texts = new Map<string, string | null>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function textOf(key: string): string | null {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = stored(key);
  texts.set(key, text);
  return text;
}

function write(key: string, text: string | null): void {
  if (textOf(key) === text) return;
  texts.set(key, text);
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // A full or forbidden storage costs the reload and nothing else.
  }
  tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function parsed<T>(text: string | null, read: (value: unknown) => T | null): T | null {
  try {
    return text === null ? null : read(JSON.parse(text));
  } catch {
    return null;
  }
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

export function forgetAll(): void {
  texts.clear();
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  tell();
}
