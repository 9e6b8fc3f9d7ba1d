// What a member has typed and not sent yet: kept over a reload, for this member only, gone at sign-out. Never passwords or codes.

const PREFIX = "goodturn.form.";
const keyOf = (uid: string, form: string): string => `${PREFIX}${uid}.${form}`;

export function keep(uid: string, form: string, value: unknown): void {
  try {
    localStorage.setItem(keyOf(uid, form), JSON.stringify(value));
  } catch {
    // A full or forbidden storage costs the convenience and nothing else.
  }
}

/** What was kept, or null; `read` tells whether it still has the shape of today's form. */
export function kept<T>(uid: string, form: string, read: (value: unknown) => T | null): T | null {
  try {
    const stored = localStorage.getItem(keyOf(uid, form));
    return stored === null ? null : read(JSON.parse(stored));
  } catch {
    return null;
  }
}

export function forget(uid: string, form: string): void {
  localStorage.removeItem(keyOf(uid, form));
}

export function forgetAll(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
