// Whether the server can be reached. A call that met nobody raises the question; while it is out of reach it is asked again and again.
import { useSyncExternalStore } from "react";

const AGAIN_MIN_MS = 1000;
const AGAIN_MAX_MS = 15_000;
const DEADLINE_MS = 5000;

type Found = () => void;

let lost = !navigator.onLine;
let lostAt_ms = performance.now();
let asking = false;
/** As far as is known without asking. */
export const isLost = (): boolean => lost;
const listeners = new Set<() => void>();
const waiting = new Set<Found>();

/** Anything that only the server itself can say. */
async function answers(): Promise<boolean> {
  const began_ms = performance.now();
  try {
    const { ok } = await fetch("/config.json", { cache: "no-store", signal: AbortSignal.timeout(DEADLINE_MS) });
    if (ok) met(began_ms);
    return ok && !lost;
  } catch {
    return false;
  }
}

/** It answered a call of that time, whatever it said. An answer to what was sent before the connection was lost says nothing of now. */
export function met(began_ms: number): void {
  if (lost && began_ms >= lostAt_ms) become(false);
}

function become(next: boolean): void {
  if (lost === next) return;
  lost = next;
  if (lost) lostAt_ms = performance.now();
  for (const listener of listeners) listener();
  if (!lost) for (const found of waiting) found();
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
  });

let question: Promise<boolean> | undefined;

/** Asks it, and goes on asking while it does not answer. @returns whether it answered now. */
export function isReached(): Promise<boolean> {
  question ??= answers().then((reached) => {
    question = undefined;
    if (!reached) {
      become(true);
      void askOn();
    }
    return reached;
  });
  return question;
}

async function askOn(): Promise<void> {
  if (asking) return;
  asking = true;
  for (let wait_ms = AGAIN_MIN_MS; isLost(); wait_ms = Math.min(wait_ms * 2, AGAIN_MAX_MS)) {
    await pause(wait_ms);
    if (isLost()) await answers();
  }
  asking = false;
}

/** Calls back each time that the server is found again, until the returned function is called. */
export function onFound(found: Found): () => void {
  waiting.add(found);
  return () => waiting.delete(found);
}

/** What waits for the server is told once, and then no more. */
export function whenFound(found: Found): void {
  const stop = onFound(() => {
    stop();
    found();
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

window.addEventListener("offline", () => {
  become(true);
  void askOn();
});
if (lost) void askOn();

export const useIsLost = (): boolean => useSyncExternalStore(subscribe, isLost);
