// Where each place was scrolled to when it was left. Listens from the start of the page: the router, which comes later, draws at once.

const scrolls = new Map<string, number>();
let goingBack = false;
/** The place that is shown. */
let here = "";

const remember = (): unknown => scrolls.set(here, window.scrollY);

// The router tells of its own steps by this name.
window.addEventListener("pushState", remember);
window.addEventListener("popstate", () => {
  remember();
  goingBack = true;
});
// The browser would restore before the screen is drawn.
history.scrollRestoration = "manual";

/** Another place is shown. @returns where it begins: at its top, or where it was left when the way there was back. */
export function arriveAt(place: string): number {
  const top = goingBack ? (scrolls.get(place) ?? 0) : 0;
  goingBack = false;
  here = place;
  return top;
}
