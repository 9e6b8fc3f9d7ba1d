// The actions of a screen where the thumb is: fixed at the foot on a phone, the foot of the pane on a desktop.
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { Outcome } from "./Outcome";
import { addBar } from "./said";

/** Tells the page how much of it the bar covers, so that its end and what has the focus are never behind the bar. */
function useRoom() {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = bar;
    if (current === null) return undefined;
    // In a pane of its own it covers nothing of the page.
    const root = current.closest<HTMLElement>(".pane") ?? document.documentElement;
    const watch = new ResizeObserver(() => root.style.setProperty("--gt-bar", `${current.offsetHeight}px`));
    watch.observe(current);
    const takeAway = addBar();
    return () => {
      takeAway();
      watch.disconnect();
      root.style.removeProperty("--gt-bar");
    };
  }, []);
  return bar;
}

/**
 * `pair` is two buttons in one row, the second being the main one; else the main one stands alone, others under it.
 * `note` says above them why others are not there; `above` is what came of them. Without children only what is said stands there.
 */
export function Stick({
  children,
  pair = false,
  note = "",
  above,
}: {
  children?: ReactNode;
  pair?: boolean;
  note?: string;
  above?: ReactNode;
}) {
  const bar = useRoom();
  return (
    <div className="stick" ref={bar}>
      <Outcome />
      {above}
      {note !== "" && (
        <p className="dim t14" role="status">
          {note}
        </p>
      )}
      {children !== undefined && <div className={pair ? "acts pair" : "acts"}>{children}</div>}
    </div>
  );
}
