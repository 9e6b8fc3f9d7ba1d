// Something that was said further up or down than where the member is: it is brought into sight when it is said.
import { type RefObject, useEffect, useRef } from "react";

/** `what` is what is said, and empty while nothing is. @returns for the place where it is said. */
export function useInSight(what: unknown): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (what) place.current?.scrollIntoView({ block: "center" });
  }, [what]);
  return place;
}
