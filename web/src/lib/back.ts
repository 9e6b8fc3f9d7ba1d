// The way back of the app: the browser's own where the app has been before, so that scroll, tab and list are kept. Counts from the
// start of the page.
import { useLocation } from "wouter";
import { step } from "./layers";

type Stamped = { at?: number } | null;

const stampOf = (): number => (window.history.state as Stamped)?.at ?? 0;

/** How many screens of the app are behind this one. It is kept in the entries of the history, and survives a reload. */
let at = stampOf();

function stamp(): void {
  if (stampOf() !== at) window.history.replaceState({ ...(window.history.state as Stamped), at }, "");
}

// The router tells of its own changes by these names.
window.addEventListener("pushState", () => {
  at += 1;
  stamp();
});
window.addEventListener("replaceState", stamp);
window.addEventListener("popstate", () => {
  at = stampOf();
  // When everybody has been told.
  setTimeout(() => (leaving = false));
});

let leaving = false;

/** Whether a way back is being taken: the address may be the new one already, but not everybody has been told. */
export const isLeaving = (): boolean => leaving;

/** Goes back; where the app was opened at this very screen, `otherwise` takes its place. */
export function useBack(): (otherwise: string) => void {
  const [, navigate] = useLocation();
  return (otherwise) =>
    step(() => {
      if (at > 0) {
        leaving = true;
        window.history.back();
      } else navigate(otherwise, { replace: true });
    });
}
