// What has just come takes no tap: the second of two was meant for what stood there before.
import { useLayoutEffect } from "react";

const SHIELD_MS = 500;

/** Retry was tapped, and what it asked for has not come yet. */
let isAwaited = false;

/** For a moment a tap hits nothing, wherever it falls. */
function shield(): void {
  const cover = document.createElement("div");
  cover.className = "shield";
  cover.style.cssText = "position:fixed;inset:0;z-index:1000";
  document.body.append(cover);
  setTimeout(() => cover.remove(), SHIELD_MS);
}

/** Retry was tapped: the second tap is nobody's, nor is one that falls on what comes in its place. */
export function shieldRetry(): void {
  isAwaited = true;
  shield();
}

/** For what may come in the place of a failure. */
export function useShield(isThere: boolean): void {
  useLayoutEffect(() => {
    if (isThere && isAwaited) shield();
    if (isThere) isAwaited = false;
  }, [isThere]);
}
