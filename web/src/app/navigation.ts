// What a change of route does beside drawing a screen: focus goes to its heading, back finds its scroll.
import { useEffect, useLayoutEffect, useRef } from "react";
import { arriveAt } from "../lib/scroll";

const TRY_MS = 50;
const TRIES_MAX = 60;

/** A fresh screen begins at its top; back and forward find the place that was left. */
export function useScroll(place: string): void {
  useLayoutEffect(() => {
    const top = arriveAt(place);
    window.scrollTo(0, top);
    // Once more when lazily loaded parts and cached lists have their height.
    const later = requestAnimationFrame(() => window.scrollTo(0, top));
    return () => cancelAnimationFrame(later);
  }, [place]);
}

/** Moves the focus to the heading of a screen that was navigated to, which also announces it. */
export function useHeadingFocus(screen: string): void {
  const before = useRef(screen);
  useEffect(() => {
    if (before.current === screen) return undefined;
    before.current = screen;
    let tries = 0;
    // While the code of a screen is on its way the one before is still there, hidden, and takes no focus.
    const timer = setInterval(() => {
      const heading = document.querySelector<HTMLElement>("main h1");
      heading?.focus({ preventScroll: true });
      tries += 1;
      if ((heading !== null && document.activeElement === heading) || tries === TRIES_MAX) clearInterval(timer);
    }, TRY_MS);
    return () => clearInterval(timer);
  }, [screen]);
}
