// A row that is scrolled sideways, as of chips or tabs: the one that is chosen stands in view, also where the row begins anew. Nothing else moves.
import { useLayoutEffect, useRef } from "react";

/** `index` is the place of what is chosen. @returns what the row is to be given. */
export function useInView(index: number) {
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const one = row.current?.children[index]?.getBoundingClientRect();
    if (row.current === null || one === undefined) return;
    const { left, right, width } = row.current.getBoundingClientRect();
    if (one.left < left || one.right > right) row.current.scrollLeft += one.left + one.width / 2 - left - width / 2;
  }, [index]);
  return row;
}
