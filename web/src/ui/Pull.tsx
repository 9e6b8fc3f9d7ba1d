// A list that is pulled down by a finger at its top is asked for anew. The keyboard and the mouse need none of it: lists are brought up to date by
// themselves.
import { Loader } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import "./styles/pull.css";
import { words } from "./shellWords";

/** So far a finger has to go, in letters; it moves the list half as far. */
const FAR_REM = 5;

const farOf = (): number => FAR_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

type Props = { onRefresh: () => unknown; children: ReactNode };

export function Pull({ onRefresh, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [isBusy, setBusy] = useState(false);
  const refresh = useRef(onRefresh);
  useEffect(() => {
    refresh.current = onRefresh;
  });

  useEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    let from: number | undefined;
    let pulled = 0;

    function move(to: number): void {
      pulled = to;
      const far = farOf();
      current?.style.setProperty("--pulled", `${Math.min(to, far) / 2}px`);
      current?.style.setProperty("--part", `${Math.min(1, to / far)}`);
    }
    async function end(): Promise<void> {
      const isFar = from !== undefined && pulled >= farOf();
      from = undefined;
      move(0);
      if (!isFar) return;
      setBusy(true);
      await refresh.current();
      if (!signal.aborted) setBusy(false);
    }

    current.addEventListener(
      "touchstart",
      ({ touches }) => {
        from = window.scrollY <= 0 && touches.length === 1 ? touches[0]?.clientY : undefined;
      },
      { signal, passive: true },
    );
    current.addEventListener(
      "touchmove",
      ({ touches }) => {
        const at = touches[0]?.clientY;
        if (from === undefined || at === undefined) return;
        if (window.scrollY > 0) from = undefined;
        move(from === undefined ? 0 : Math.max(0, at - from));
      },
      { signal, passive: true },
    );
    current.addEventListener("touchend", () => void end(), { signal });
    current.addEventListener("touchcancel", () => move(0), { signal });
    return () => stop.abort();
  }, []);

  return (
    <div className="pull" ref={place}>
      <div className="pull-sign" role="status" data-busy={isBusy || undefined}>
        {isBusy && <Loader size={24} aria-label={words.loading} />}
      </div>
      {children}
    </div>
  );
}
