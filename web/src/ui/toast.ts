// Sentences about what somebody else did. ToastHost shows them; each ends with its screen.
import type { Named } from "./Face";

const AT_ONCE_MAX = 3;

export type Toast = {
  title?: string;
  text: string;
  tone?: "ok" | "no";
  face?: Named;
  to?: { path: string; label: string };
};
export type Shown = Toast & { id: number; place: string };

let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function become(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

export function toast(said: Toast): void {
  lastId += 1;
  become([...shown, { ...said, id: lastId, place: window.location.pathname }].slice(-AT_ONCE_MAX));
}

const keepOnly = (isIt: (t: Shown) => boolean): void => {
  const next = shown.filter(isIt);
  if (next.length < shown.length) become(next);
};

/** What led to `path` was handled. */
export const dismiss = (path: string): void => keepOnly((t) => t.to?.path !== path);

export const toasts = {
  shown: () => shown,
  hide: (id: number): void => keepOnly((t) => t.id !== id),
  leaveFor: (place: string): void => keepOnly((t) => t.place === place),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
