// A press is not lost when what was pressed is drawn anew before it is let go, as the frame is when the app comes into it: it goes to the same
// thing in the same place. A touch becomes a press and a click at once, when the finger has gone.

const PRESSED = "a[href], button";

/** What it is for whoever presses it: where it leads, or what it says. */
const nameOf = (element: Element): string =>
  `${element.tagName} ${element.getAttribute("href") ?? element.getAttribute("aria-label") ?? element.textContent ?? ""}`;

const pressable = ({ target, button }: MouseEvent): HTMLElement | null =>
  target instanceof Element && button === 0 ? target.closest<HTMLElement>(PRESSED) : null;

/** Watches over the presses of the main button until the returned function is called. */
export function keepPresses(): () => void {
  const stop = new AbortController();
  const given = { capture: true, passive: true, signal: stop.signal };
  let pressed: Element | null = null;

  window.addEventListener("mousedown", (event) => (pressed = pressable(event)), given);
  window.addEventListener(
    "mouseup",
    (event) => {
      const there = pressable(event);
      // Of what is gone the browser makes no click.
      if (pressed?.isConnected === false && there !== null && nameOf(there) === nameOf(pressed)) there.click();
      pressed = null;
    },
    given,
  );
  return () => stop.abort();
}
