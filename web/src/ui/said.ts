// How the last thing that the member did went: one sentence, which stands where the thumb is and ends with its screen.
import { useSyncExternalStore } from "react";
import { isLeaving } from "../lib/back";
import { useIsLost, whenFound } from "../lib/reach";

const SHOWN_MS = 6000;
const BACK_MS = 500;

export type About = { name: string; path: string };
export type Said = {
  /** What waits for the server, or is under way, stays, as what failed does. What was called off went well, and is nothing to be glad of. */
  tone: "ok" | "idle" | "no" | "wait" | "busy";
  text: string;
  place: string;
  /** What it was done with, which is named wherever it is not what the screen shows. */
  about: About | undefined;
  /** Tries again what could not be sent: nothing is sent by itself later. */
  retry: (() => void) | undefined;
  /** It failed for want of a connection, which is said beside it until there is one. */
  isLost: boolean;
};

let said: Said | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

function become(next: Said | null): void {
  clearTimeout(timer);
  said = next;
  tell();
  // The others stay until the screen is left, or something else is said.
  if (next?.tone === "ok" || next?.tone === "idle") timer = setTimeout(unsay, SHOWN_MS);
}

const here = (): string => window.location.pathname + window.location.search;

type More = Partial<Pick<Said, "retry" | "isLost" | "about">>;

/** Says it on the screen that is shown now: who leads elsewhere does so first. */
export function say(text: string, tone: Said["tone"] = "ok", { retry, isLost = false, about }: More = {}): void {
  const mine: Said = { text, tone, place: here(), retry, isLost, about };
  become(mine);
  if (isLost) whenFound(() => said === mine && become({ ...mine, isLost: false }));
  // A way back in the history is taken a little later, and what is said goes along.
  const along = (): void => {
    if (said === mine) become({ ...mine, place: here() });
  };
  // Held fast: what is left of a page that is gone has no window by this name.
  const page = window;
  page.addEventListener("popstate", along, { once: true });
  setTimeout(() => page.removeEventListener("popstate", along), BACK_MS);
}

export const unsay = (): void => become(null);

/** What came of the last deed ends when the next one begins; what waits goes on. */
export function unsayDone(): void {
  if (said?.tone !== "wait") unsay();
}

/** Ends what was said on a screen that is left: `place` is the one that is shown now. */
export function unsayElsewhere(place: string): void {
  // On a way back it goes along, as soon as the way is taken.
  if (said !== null && said.place !== place && !isLeaving()) unsay();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How many places say outcomes now. */
const places = { bars: 0, sheets: 0 };

/** What is said on this screen, or null. `place` is where the router stands. One call may fail where the server is in reach. */
export function useSaid(place: string, isInSheet: boolean): Said | null {
  const last = useSyncExternalStore(subscribe, () => said);
  // What a sheet says is not said behind it too.
  const isCovered = useSyncExternalStore(subscribe, () => places.sheets > 0 && !isInSheet);
  const isLost = useIsLost();
  return last !== null && last.place === place && !isCovered ? { ...last, isLost: last.isLost && isLost } : null;
}

function addPlace(kind: keyof typeof places): () => void {
  function change(by: number): void {
    places[kind] += by;
    tell();
  }
  change(1);
  return () => change(-1);
}

/** A bar with actions is there, and is where outcomes stand. @returns what takes it away. */
export const addBar = (): (() => void) => addPlace("bars");

/** An outcome stands in a sheet, in front of the bar. @returns what takes it away. */
export const addSheet = (): (() => void) => addPlace("sheets");

export const useHasBar = (): boolean => useSyncExternalStore(subscribe, () => places.bars > 0);
