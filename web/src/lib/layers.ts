// What stands over a screen, as a sheet or a question: each is an entry of the history, so that the way back closes it and leaves the
// screen. Whoever closes it otherwise leaves no entry behind. Listens before the router, to which steps between them are none.
import { useEffect, useEffectEvent } from "react";

type Layer = { close: () => void };
type Stamped = { at?: number; layer?: number } | null;

/** So long a step may take. One that never comes had nothing to go to. */
const STEP_MS = 1000;

/** Those that are open, the last one on top. */
let open: Layer[] = [];
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

function closeDownTo(layer: number): void {
  for (const { close } of open.splice(layer).toReversed()) close();
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
  if (!ours) closeDownTo(depth());
  if (place === before) event.stopImmediatePropagation();
  // Forward to a layer that was closed, say: it is not there any more.
  settle();
}

function follow(): void {
  place = placeNow();
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

/** While `isOpen`, the way back calls `onClose` and leaves the screen. */
export function useLayer(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => (isOpen ? opened({ close: () => close() }) : undefined), [isOpen]);
}
