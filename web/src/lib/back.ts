// The ways of the app through its history, so that each way back leads to another screen. Counts from the start of the page.
import { useLocation } from "wouter";
import { goBack, step } from "./layers";

/** `before` is the address of the screen behind. */
type Stamped = { at?: number; before?: string } | null;

const stamped = (): Stamped => window.history.state as Stamped;
const stampOf = (): number => stamped()?.at ?? 0;
const here = (): string => window.location.pathname + window.location.search;

/** How many screens of the app are behind this one. It is kept in the entries of the history, and survives a reload. */
let at = stampOf();
let before = stamped()?.before;
/** The address that is shown. */
let shown = here();

function stamp(): void {
  shown = here();
  if (stampOf() !== at || stamped()?.before !== before) window.history.replaceState({ ...stamped(), at, before }, "");
}

// The router tells of its own changes by these names.
window.addEventListener("pushState", () => {
  at += 1;
  before = shown;
  stamp();
});
window.addEventListener("replaceState", stamp);
window.addEventListener("popstate", () => {
  at = stampOf();
  before = stamped()?.before;
  shown = here();
  // When everybody has been told.
  setTimeout(() => (leaving = false));
});

let leaving = false;

/** Whether a way back is being taken: the address may be the new one already, but not everybody has been told. */
export const isLeaving = (): boolean => leaving;

function leave(): void {
  leaving = true;
  goBack();
}

type Navigate<Options> = (to: string, options?: Options) => void;

/**
 * Every way that leads to a screen goes by this. Where one is already nothing happens, as by the second of two taps; and what would be the
 * same screen as the one behind it is that one.
 */
export function lead<Options extends { replace?: boolean }>(
  navigate: Navigate<Options>,
  to: string,
  options?: Options,
): void {
  step(() => {
    if (to === here()) return;
    if (options?.replace === true && at > 0 && to === before) leave();
    else navigate(to, options);
  });
}

/** Goes back; where the app was opened at this very screen, `otherwise` takes its place. */
export function useBack(): (otherwise: string) => void {
  const [, navigate] = useLocation();
  return (otherwise) => step(() => (at > 0 ? leave() : navigate(otherwise, { replace: true })));
}
