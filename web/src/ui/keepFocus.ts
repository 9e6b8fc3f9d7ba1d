// Focus is never lost: it goes on when what had it is gone, and stays in what stands over the screen. Loaded beside the app, which can do
// without for a moment.
import { keepTabs } from "./keepTabs";

/** So long others have to take the focus first: a new screen, a sheet. */
const PATIENCE_MS = 150;

/** A button that was disabled so lately has lost the focus by that. */
const BUSY_MS = 1000;

const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body;
const isDisabled = (element: Element): boolean => element.matches(":disabled");

/** The heading of what is left around a place: of its section, else of the screen. */
function headingNear(around: readonly Element[]): HTMLElement | null {
  const near = around.find((element) => element.isConnected && element.matches("section, main, form"));
  return (
    near?.querySelector<HTMLElement>("h1, h2") ??
    document.querySelector<HTMLElement>("main h1") ??
    document.querySelector("main")
  );
}

function ancestorsOf(element: Element): Element[] {
  const around: Element[] = [];
  for (let at = element.parentElement; at !== null; at = at.parentElement) around.push(at);
  return around;
}

/** Watches over the focus until the returned function is called. A button that was busy gets it back; what is gone leaves it nearby. */
export function keepFocus(): () => void {
  const letGo = keepTabs();
  const stop = new AbortController();
  const { signal } = stop;
  let last: HTMLElement | null = null;
  let around: Element[] = [];
  let timer = 0;
  let wasBusyAt = -BUSY_MS;

  function mend(): void {
    if (!isNowhere() || last === null || (last.isConnected && isDisabled(last))) return;
    const to = last.isConnected ? last : headingNear(around);
    if (to !== last) to?.setAttribute("tabindex", "-1");
    to?.focus({ preventScroll: true });
  }

  document.addEventListener(
    "focusin",
    ({ target }) => {
      if (!(target instanceof HTMLElement)) return;
      last = target;
      around = ancestorsOf(target);
    },
    { signal },
  );
  function mendSoon(): void {
    clearTimeout(timer);
    timer = window.setTimeout(mend, PATIENCE_MS);
  }

  // Somebody let go of it by touching the paper, if it is still there when that is over. A button may have been busy for a moment only.
  document.addEventListener(
    "focusout",
    ({ target }) =>
      setTimeout(() => {
        if (target !== last || !isNowhere() || last?.isConnected !== true || isDisabled(last)) return;
        if (performance.now() - wasBusyAt < BUSY_MS) mendSoon();
        else last = null;
      }),
    { signal },
  );
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ type, target }) => type === "attributes" && target === last)) wasBusyAt = performance.now();
    if (isNowhere()) mendSoon();
  });
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  return () => {
    letGo();
    stop.abort();
    observer.disconnect();
    clearTimeout(timer);
  };
}
