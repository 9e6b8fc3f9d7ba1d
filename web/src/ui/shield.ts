// What has just come takes no tap: the second of two was meant for what stood there before.
import { useEffect, useRef } from "react";

const SHIELD_MS = 500;

/** For a moment a tap hits nothing, wherever it falls. */
export function shield(): void {
  const cover = document.createElement("div");
  cover.className = "shield";
  cover.style.cssText = "position:fixed;inset:0;z-index:1000";
  document.body.append(cover);
  setTimeout(() => cover.remove(), SHIELD_MS);
}

/** For what comes in the place of a failure, whose Retry may have been tapped many times. */
export function useShieldAfter(isFailed: boolean, isThere: boolean): void {
  const failed = useRef(false);
  useEffect(() => {
    if (isThere && failed.current) shield();
    failed.current = isFailed || (failed.current && !isThere);
  }, [isFailed, isThere]);
}
