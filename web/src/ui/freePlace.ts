// Where on a phone a toast hides nothing: above the bar at the foot, or under the one at the head. A desktop has room in its rail.
import { type RefObject, useEffect, useState } from "react";
import { useDesktop } from "./useDesktop";

const AGAIN_MS = 250;
const EDGE = 8;
/** What a finger may want. A card as a whole is large enough to be hit beside. */
const TARGETS = "button, input, textarea, select, label, [role=tab], a[href]:not(.cover)";

type Span = { top: number; bottom: number };

function spansOf(selector: string, within: ParentNode = document): Span[] {
  return [...within.querySelectorAll(selector)]
    .map((element) => element.getBoundingClientRect())
    .filter((box) => box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < window.innerHeight);
}

const isFixed = (element: Element): boolean => getComputedStyle(element).position === "fixed";

/** The top edge at which `height` fits and hides nothing; null when there is none now. */
function freeTop(height: number): number | null {
  // A sheet or a question has the whole screen.
  if (document.querySelector("[role=dialog], dialog[open]") !== null) return null;
  const bars = [...document.querySelectorAll(".dock, .tabbar, .stick, .saybar")].filter(isFixed);
  const edges = bars.map((bar) => bar.getBoundingClientRect()).filter(({ height: high }) => high > 0);
  const foot = Math.min(window.innerHeight, ...edges.map((edge) => edge.top));
  const head = Math.max(0, ...spansOf(".top").map(({ bottom }) => bottom));
  const main = document.querySelector("main");
  const targets = main === null ? [] : spansOf(TARGETS, main);
  const isFree = (top: number): boolean =>
    top >= 0 && !targets.some((t) => t.top < top + height + EDGE && t.bottom > top - EDGE);
  return [foot - height - EDGE, head + EDGE].find(isFree) ?? null;
}

/** The `top` of the toasts: "waits" while there is no room, undefined where the style sheet has a place for them. */
export function useFreePlace(host: RefObject<HTMLElement | null>, on: boolean): number | "waits" | undefined {
  const desktop = useDesktop();
  const [top, setTop] = useState<number | null>(null);
  const active = on && !desktop;
  useEffect(() => {
    if (!active) return undefined;
    const look = (): void => setTop(freeTop(host.current?.offsetHeight ?? 0));
    look();
    const timer = setInterval(look, AGAIN_MS);
    window.addEventListener("scroll", look, { passive: true });
    return () => {
      clearInterval(timer);
      window.removeEventListener("scroll", look);
      setTop(null);
    };
  }, [active, host]);
  if (!active) return undefined;
  return top ?? "waits";
}
