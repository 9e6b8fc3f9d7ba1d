// Tab stays in what stands over the screen, from its last stop to its first. Sheets of Mantine see to it while the focus is in them; the
// browser's own dialog lets it go to the page and to the browser's buttons.

const STOPS = "a[href], button, input, select, textarea, summary, [contenteditable], [tabindex]";

/** What is on top: a question stands over a sheet. */
const dialogOnTop = (): Element | undefined =>
  document.querySelector("dialog[open]") ?? [...document.querySelectorAll("[role=dialog][aria-modal=true]")].at(-1);

/** Of a group of radios one is a stop: the chosen one, or the first. */
function isStopOfItsGroup(element: HTMLElement, all: readonly HTMLElement[]): boolean {
  if (!(element instanceof HTMLInputElement) || element.type !== "radio") return true;
  const group = all.filter((one) => one instanceof HTMLInputElement && one.name === element.name);
  return element === (group.find((one) => one.matches(":checked")) ?? group[0]);
}

function stopsIn(dialog: Element): HTMLElement[] {
  const all = [...dialog.querySelectorAll<HTMLElement>(STOPS)].filter(
    (one) => one.tabIndex >= 0 && !one.matches(":disabled") && one.checkVisibility({ visibilityProperty: true }),
  );
  return all.filter((one) => isStopOfItsGroup(one, all));
}

function keep(event: KeyboardEvent): void {
  if (event.key !== "Tab" || event.altKey || event.ctrlKey || event.metaKey) return;
  const dialog = dialogOnTop();
  if (dialog === undefined) return;
  const stops = event.shiftKey ? stopsIn(dialog).toReversed() : stopsIn(dialog);
  const isInside = dialog.contains(document.activeElement);
  // Elsewhere in it the browser knows the way.
  if (isInside && document.activeElement !== stops.at(-1)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  stops[0]?.focus();
}

/** Keeps it until the returned function is called. */
export function keepTabs(): () => void {
  document.addEventListener("keydown", keep);
  return () => document.removeEventListener("keydown", keep);
}
