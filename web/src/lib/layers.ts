// What stands over a screen, as a sheet or a question: the way back closes it and leaves the screen. A sheet is an entry of the history, and
// whoever closes it otherwise leaves no entry behind. The way forward opens again what is a step, as of the sign-in, and no sheet. What
// asks is no entry: asking.ts.
// Listens before the router, to which steps between them are none.
import { useEffectEvent, useLayoutEffect } from "react";

/**
 * `byBack`: by the way back, and not because something leads elsewhere. `again` takes that way once more, where it was taken back and leads to
 * another screen.
 */
export type Close = (byBack: boolean, again?: () => void) => void;
/** A light one has no entry. */
export type Layer = { close: Close; reopen: (() => void) | false; isLight: boolean };
type Stamped = { at?: number; layer?: number } | null;
/** An entry of the history: its screen, the number of screens behind it, and its number among all entries of the app. */
export type Spot = { place: string; at: number; number: number };
/** Takes a way back that somebody is asked about back, and is busy until they are asked. `top` is who would be. */
type Asker = { takes: (before: Spot, now: Spot, top: Layer | undefined) => boolean; isBusy: () => boolean };

/** So long a step may take. One that never comes had nothing to go to. */
const STEP_MS = 1000;
/** So long what is opened again may take to be drawn. */
const REOPEN_MS = 3000;

/** Those that are open, the last one on top. */
let open: Layer[] = [];
/** Those with an entry that the way back has closed, each at its depth. */
let closed: Layer[] = [];
/** The depth down to which they are being opened again, and may not be drawn yet. */
let coming = 0;
/** Steps of the app that wait until ours is taken. */
const waiting: (() => void)[] = [];
/** A step that the app itself takes: what opens meanwhile belongs to where that leads. */
let stepping: ReturnType<typeof setTimeout> | undefined;
/** Comes with what asks. */
let asker: Asker | undefined;

export function setAsker(next: Asker): void {
  asker = next;
}

const stamped = (): Stamped => window.history.state as Stamped;
const atNow = (): number => stamped()?.at ?? 0;
/** How many layers the entry stands for that is shown now. */
const depth = (): number => stamped()?.layer ?? 0;
const deep = (): Layer[] => open.filter(({ isLight }) => !isLight);
// Behind a screen no layer has an entry.
const spotNow = (): Spot => ({
  place: `${atNow()} ${window.location.href}`,
  at: atNow(),
  number: atNow() + depth(),
});

let spot = spotNow();

// The router has its own in the place of these, and would tell everybody of another screen.
function stamp(how: "pushState" | "replaceState", layer: number): void {
  History.prototype[how].call(window.history, { ...stamped(), layer }, "");
  spot = spotNow();
}

function closeFrom(first: number, byBack = false): void {
  for (const { close } of open.splice(first).toReversed()) close(byBack);
}

/** Closes what has an entry above this depth, and what stands on it. */
function closeDownTo(layer: number): void {
  // What is not drawn yet is closed before it comes.
  for (const { close } of closed.slice(Math.max(layer, deep().length), coming).toReversed()) close(true);
  coming = 0;
  const lowest = deep()[layer];
  if (lowest !== undefined) closeFrom(open.indexOf(lowest), true);
}

const isUnderWay = (): boolean => stepping !== undefined || asker?.isBusy() === true;

/** Gives each open layer its entry, takes away those of others, and then takes the steps that wait. */
export function settle(): void {
  if (isUnderWay()) return;
  const layers = deep().length;
  const over = depth() - layers;
  if (layers >= coming) coming = 0;
  if (over > 0) {
    if (layers < coming) return;
    stepping = setTimeout(stay, STEP_MS);
    window.history.go(-over);
    return;
  }
  // What lay ahead is gone with a new entry.
  if (depth() < layers) closed.length = Math.min(closed.length, depth());
  while (depth() < layers) stamp("pushState", depth() + 1);
  while (waiting.length > 0 && !isUnderWay()) waiting.shift()?.();
}

/** The entries behind this one are gone, so that it is the screen's own. */
function stay(): void {
  stepping = undefined;
  stamp("replaceState", deep().length);
  settle();
}

function arrive(event: Event): void {
  const before = spot;
  spot = spotNow();
  const isSame = spot.place === before.place;
  const ours = stepping !== undefined;
  clearTimeout(stepping);
  stepping = undefined;
  if (asker?.takes(before, spot, ours ? undefined : open.at(-1)) === true) return event.stopImmediatePropagation();
  if (!ours) {
    deep().forEach((layer, i) => (closed[i] = layer));
    if (isSame) closeDownTo(depth());
    else closeFrom(0);
  }
  if (isSame) event.stopImmediatePropagation();
  reopen();
}

/** Forward to what was closed: a step is there again, a sheet is not. */
function reopen(): void {
  const again = closed.slice(deep().length, depth());
  if (again.length === 0 || !again.every((layer) => layer.reopen)) return settle();
  coming = depth();
  for (const { reopen: begin } of again) if (begin) begin();
  // Nobody may be there any more who could draw it.
  setTimeout(() => {
    coming = 0;
    settle();
  }, REOPEN_MS);
}

function follow(): void {
  spot = spotNow();
  closed = [];
  coming = 0;
}

window.addEventListener("popstate", arrive);
// The router tells of its own changes by these names.
window.addEventListener("pushState", follow);
window.addEventListener("replaceState", follow);
// Loaded anew: what was open comes again soon, as a step of the sign-in, or never, as a sheet.
setTimeout(settle, STEP_MS);

/** Leads to another screen, or back: from the screen itself, after all that stands over it is closed. */
export function step(go: () => void): void {
  closeFrom(0);
  coming = 0;
  if (!isUnderWay() && depth() === 0) return go();
  waiting.push(go);
  settle();
}

/** Takes the way back over so many screens, in a step: nobody is asked. */
export function goBack(screens = 1): void {
  stepping = setTimeout(() => {
    stepping = undefined;
    settle();
  }, STEP_MS);
  window.history.go(-screens);
}

/** Nobody asks, nothing waits, and each layer has its entry: a step back is the member's own. */
export const isFree = (): boolean => open.at(-1)?.isLight !== true && waiting.length === 0 && depth() === deep().length;

export const isOpen = (layer: Layer): boolean => open.includes(layer);

function opened(layer: Layer): () => void {
  open.push(layer);
  // One that gives way to another hands over its entry.
  queueMicrotask(settle);
  return () => {
    open = open.filter((one) => one !== layer);
    queueMicrotask(settle);
  };
}

/** While `isOn`, the way back calls `onClose` and leaves the screen. The way forward calls `onReopen`, if it can be opened again. */
export function useLayer(isOn: boolean, onClose: Close, onReopen?: () => void): void {
  useOpen(isOn, false, onClose, onReopen);
}

/** `mayBeLight`: it asks. */
export function useOpen(isOn: boolean, mayBeLight: boolean, onClose: Close, onReopen?: () => void): void {
  const close = useEffectEvent(onClose);
  const reopenIt = useEffectEvent(() => onReopen?.());
  const isStep = onReopen !== undefined;
  // With what is drawn, so that nobody can go back from it before it is known.
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    const isLight = mayBeLight && atNow() > 0;
    return opened({ close: (...how) => close(...how), reopen: isStep && (() => reopenIt()), isLight });
  }, [isOn, isStep, mayBeLight]);
}
