// Whether a part of the screen is still there when an answer comes: what came of a deed is said elsewhere where it is not.
import { useLayoutEffect, useRef } from "react";

export function useIsShown(): () => boolean {
  const isShown = useRef(false);
  // With what is drawn: an answer may come at once.
  useLayoutEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return () => isShown.current;
}
