// What comes in the place of what was tapped takes no tap for a moment: the second of two was meant for what stood there before. Nobody need
// ask for it: it watches the place of each tap until the pointer or the page is moved by its member. Questions and sheets, which come with a
// motion of their own, have it in controls.css; what they stood over has it here, when they go.

const SHIELD_MS = 400;
/** The second of two taps comes within this time. Whoever taps later means what is there. */
const TWO_TAPS_MS = 480;
/** For what comes when a sheet that waited for an answer has gone, whose motion was seen. */
const GONE_MS = 200;
const COVER = "position:fixed;z-index:1000;width:6rem;height:6rem;margin:-3rem;border-radius:50%;user-select:none";
/** So long an answer may take. */
const WATCH_MS = 15_000;
/** What goes by a motion, as a sheet, goes within this time, and no mutation tells of it. */
const LOOK_MS = 600;
/** A finger is not still. */
const MOVED_PX = 24;

const PRESSED = "button, a[href], summary, [role=tab], [role=option]";
const TARGETS = `${PRESSED}, label, input, textarea, select`;
/** What stands over the screen. While it comes it is hit itself, and nothing in it. */
const OVER = ".ask, .mantine-Drawer-root, .mantine-Modal-root";

type Place = { x: number; y: number };

function shield({ x, y }: Place, shield_ms: number): void {
  const cover = document.createElement("div");
  cover.className = "shield";
  cover.style.cssText = `${COVER};left:${x}px;top:${y}px`;
  document.body.append(cover);
  setTimeout(() => cover.remove(), shield_ms);
}

/** Watches one tap, which was on `pressed`. */
function watch(place: Place, pressed: Element): () => void {
  const tapped_ms = performance.now();
  const over = pressed.closest(OVER);
  let last: Element | null = pressed;
  let frame = 0;

  function shieldTime(hit: Element): number {
    if (over === null || over.contains(hit)) return SHIELD_MS;
    const left_ms = tapped_ms + TWO_TAPS_MS - performance.now();
    return left_ms > 0 ? left_ms : GONE_MS;
  }
  function look(): void {
    const hit = document.elementFromPoint(place.x, place.y);
    if (hit === null || hit.matches(".shield")) return;
    // Another one is coming, which has a shield of its own.
    if (hit.matches(OVER) && hit !== over) return stop();
    const there = hit.closest(TARGETS);
    if (there === null || there === last) return;
    last = there;
    shield(place, shieldTime(hit));
  }
  function lookOn(): void {
    if (performance.now() < tapped_ms + LOOK_MS) frame = requestAnimationFrame(lookOn);
    look();
  }

  // At once, before anybody can see it.
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  const end = setTimeout(stop, WATCH_MS);
  function stop(): void {
    observer.disconnect();
    cancelAnimationFrame(frame);
    clearTimeout(end);
  }
  frame = requestAnimationFrame(lookOn);
  return stop;
}

/** Shields the places of taps from now on. */
export function shieldPlaces(): void {
  let stop: (() => void) | undefined;
  let at: Place = { x: 0, y: 0 };
  let last: Element | null = null;
  const isFar = ({ x, y }: Place): boolean => Math.hypot(x - at.x, y - at.y) > MOVED_PX;
  const given = { capture: true, passive: true };
  window.addEventListener(
    "click",
    ({ target, clientX: x, clientY: y, detail }) => {
      const pressed = target instanceof Element ? (target.closest(PRESSED) ?? target.closest(OVER)) : null;
      // The second of two, where nothing stands for the moment: what comes there is still not meant.
      if (pressed === null && !isFar({ x, y })) return;
      stop?.();
      last = pressed;
      // The keyboard has no place.
      if (pressed === null || detail === 0) return;
      at = { x, y };
      stop = watch(at, pressed);
    },
    given,
  );
  // Nor does it select what stands there.
  window.addEventListener(
    "mousedown",
    (event) => {
      const isIn = event.target instanceof Node && last?.contains(event.target) === true;
      if (event.detail > 1 && last !== null && !isIn) event.preventDefault();
    },
    { capture: true },
  );
  window.addEventListener("pointermove", ({ clientX: x, clientY: y }) => isFar({ x, y }) && stop?.(), given);
  for (const moved of ["wheel", "touchmove", "keydown"]) window.addEventListener(moved, () => stop?.(), given);
}
