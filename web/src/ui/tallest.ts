// A box that never becomes lower while it is there: what is searched in it moves nothing around it.
import { type RefObject, useLayoutEffect, useRef } from "react";

/** @returns where the box is to be put. */
export function useTallest(): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const watch = new ResizeObserver(() => (current.style.minHeight = `${current.offsetHeight}px`));
    watch.observe(current);
    return () => watch.disconnect();
  }, []);
  return box;
}
