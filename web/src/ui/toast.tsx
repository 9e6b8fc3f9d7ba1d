// A sentence about what somebody else did. Stays 6 seconds, longer while it is hovered or focused, and ends with its screen.
import { IconAlertTriangle, IconCircleCheck, IconX } from "@tabler/icons-react";
import { useFocusWithin, useHover, useMergedRef } from "@mantine/hooks";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { Link, useLocation } from "wouter";
import { Face, type Named } from "./Face";
import { useFreePlace } from "./freePlace";
import { Outcome } from "./Outcome";
import { useHasBar } from "./said";
import { words } from "./words";
import { Words } from "./Words";

const SHOWN_MS = 6000;
const AT_ONCE_MAX = 3;

export type Toast = {
  title?: string;
  text: string;
  tone?: "ok" | "no";
  face?: Named;
  to?: { path: string; label: string };
};
type Shown = Toast & { id: number; place: string };

let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function become(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

export function toast(said: Toast): void {
  lastId += 1;
  become([...shown, { ...said, id: lastId, place: window.location.pathname }].slice(-AT_ONCE_MAX));
}

const keepOnly = (isIt: (t: Shown) => boolean): void => {
  const next = shown.filter(isIt);
  if (next.length < shown.length) become(next);
};
const hide = (id: number): void => keepOnly((t) => t.id !== id);

/** What led to `path` was handled. */
export const dismiss = (path: string): void => keepOnly((t) => t.to?.path !== path);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** `waits`: there is no room for it now, and its time does not pass. */
function Card({ id, title, text, tone = "ok", face, to, waits }: Shown & { waits: boolean }) {
  const { hovered, ref: hover } = useHover();
  const { focused, ref: focus } = useFocusWithin();
  const ref = useMergedRef(hover, focus);
  const held = hovered || focused || waits;
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => hide(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [held, id]);
  const icon =
    tone === "ok" ? <IconCircleCheck color="var(--gt-ok-fg)" /> : <IconAlertTriangle color="var(--gt-no-fg)" />;
  return (
    <li className="toast" ref={ref}>
      <span aria-hidden="true">{face === undefined ? icon : <Face person={face} size={32} />}</span>
      <span className="grow breakable">
        {title !== undefined && <b style={{ display: "block" }}>{title}</b>}
        <Words ours>{text}</Words>
      </span>
      {to !== undefined && (
        <Link href={to.path} className="link" onClick={() => hide(id)}>
          {to.label}
        </Link>
      )}
      <button type="button" className="toast-x" aria-label={words.close} onClick={() => hide(id)}>
        <IconX size={20} aria-hidden="true" />
      </button>
    </li>
  );
}

/** Stands in the app from the start, so that what is put into it is announced; with it, what is said where no bar of actions is. */
export function ToastHost() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  const hasBar = useHasBar();
  const [path] = useLocation();
  const host = useRef<HTMLDivElement>(null);
  const top = useFreePlace(host, toasts.length > 0);
  useEffect(() => keepOnly((t) => t.place === path), [path]);
  return (
    <div className="says">
      {!hasBar && (
        <div className="saybar">
          <Outcome />
        </div>
      )}
      <div role="status" className="toasts" ref={host} style={top === "waits" ? { visibility: "hidden" } : { top }}>
        <ul className="plainlist stack s">
          {toasts.map((t) => (
            <Card key={t.id} {...t} waits={top === "waits"} />
          ))}
        </ul>
      </div>
    </div>
  );
}
