// What stands over a screen, as a sheet or a question: each is an entry of the history, so that the way back closes it and leaves the
// screen. Whoever closes it otherwise leaves no entry behind. The way forward opens again what is a step, as of the sign-in, and no sheet.
// Listens before the router, to which steps between them are none.
import { useEffect, useEffectEvent } from "react";

/** `byBack`: by the way back, and not because something leads elsewhere. */
type Close = (byBack: boolean) => void;
type Layer = { close: Close; reopen: (() => void) | false };
type Stamped = { at?: number; layer?: number } | null;

/** So long a step may take. One that never comes had nothing to go to. */
const STEP_MS = 1000;
/** So long what is opened again may take to be drawn. */
const REOPEN_MS = 200;

/** Those that are open, the last one on top. */
let open: Layer[] = [];
/** Those that the way back has closed, each at its depth. */
let closed: Layer[] = [];
/** Steps of the app that wait until ours is taken. */
let waiting: (() => void)[] = [];
let stepping: ReturnType<typeof setTimeout> | undefined;

const stamped = (): Stamped => window.history.state as Stamped;
/** How many layers the entry stands for that is shown now. */
const depth = (): number => stamped()?.layer ?? 0;
const placeNow = (): string => `${stamped()?.at ?? 0} ${window.location.href}`;

let place = placeNow();

// The router has its own in the place of these, and would tell everybody of another screen.
function stamp(how: "pushState" | "replaceState", layer: number): void {
  History.prototype[how].call(window.history, { ...stamped(), layer }, "");
}

function closeDownTo(layer: number, byBack = false): void {
  for (const { close } of open.splice(layer).toReversed()) close(byBack);
}

/** Gives each open layer its entry, takes away those of others, and then takes the steps that wait. */
function settle(): void {
  if (stepping !== undefined) return;
  const over = depth() - open.length;
  if (over > 0) {
    stepping = setTimeout(stay, STEP_MS);
    window.history.go(-over);
    return;
  }
  // What lay ahead is gone with a new entry.
  if (depth() < open.length) closed.length = Math.min(closed.length, depth());
  while (depth() < open.length) stamp("pushState", depth() + 1);
  const steps = waiting;
  waiting = [];
  for (const go of steps) go();
}

/** The entries behind this one are gone, so that it is the screen's own. */
function stay(): void {
  stepping = undefined;
  stamp("replaceState", open.length);
  settle();
}

function arrive(event: Event): void {
  const before = place;
  place = placeNow();
  const ours = stepping !== undefined;
  clearTimeout(stepping);
  stepping = undefined;
  if (!ours) {
    open.forEach((layer, i) => (closed[i] = layer));
    closeDownTo(depth(), true);
  }
  if (place === before) event.stopImmediatePropagation();
  reopen();
}

/** Forward to what was closed: a step is there again, a sheet is not. */
function reopen(): void {
  const again = closed.slice(open.length, depth());
  if (again.length === 0 || !again.every((layer) => layer.reopen)) return settle();
  for (const { reopen: begin } of again) if (begin) begin();
  // Nobody may be there any more who could draw it.
  setTimeout(settle, REOPEN_MS);
}

function follow(): void {
  place = placeNow();
  closed = [];
}

window.addEventListener("popstate", arrive);
// The router tells of its own changes by these names.
window.addEventListener("pushState", follow);
window.addEventListener("replaceState", follow);
// Loaded anew: what was open comes again soon, as a step of the sign-in, or never, as a sheet.
setTimeout(settle, STEP_MS);

/** Leads to another screen, or back: from the screen itself, after all that stands over it is closed. */
export function step(go: () => void): void {
  closeDownTo(0);
  if (stepping === undefined && depth() === 0) return go();
  waiting.push(go);
  settle();
}

function opened(layer: Layer): () => void {
  open.push(layer);
  // One that gives way to another hands over its entry.
  queueMicrotask(settle);
  return () => {
    open = open.filter((one) => one !== layer);
    queueMicrotask(settle);
  };
}

/** While `isOpen`, the way back calls `onClose` and leaves the screen. The way forward calls `onReopen`, if it can be opened again. */
export function useLayer(isOpen: boolean, onClose: Close, onReopen?: () => void): void {
  const close = useEffectEvent(onClose);
  const reopenIt = useEffectEvent(() => onReopen?.());
  const isStep = onReopen !== undefined;
  useEffect(
    () => (isOpen ? opened({ close: (byBack) => close(byBack), reopen: isStep && (() => reopenIt()) }) : undefined),
    [isOpen, isStep],
  );
}
