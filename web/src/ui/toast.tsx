// A sentence about something that just happened. Stays 6 seconds, and as long as it is hovered or focused.
import { IconAlertTriangle, IconCircleCheck, IconX } from "@tabler/icons-react";
import { useFocusWithin, useHover, useMergedRef } from "@mantine/hooks";
import { useEffect, useSyncExternalStore } from "react";
import { Link } from "wouter";
import { Face, type Named } from "./Face";
import { words } from "./words";

const SHOWN_MS = 6000;
const AT_ONCE_MAX = 3;

export type Toast = {
  title?: string;
  text: string;
  tone?: "ok" | "no";
  face?: Named;
  to?: { path: string; label: string };
  /** Tries again what could not be sent. Such a toast stays until it is answered: nothing is sent by itself later. */
  retry?: (() => void) | undefined;
};
type Shown = Toast & { id: number };

let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function become(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

export function toast(said: Toast): void {
  lastId += 1;
  become([...shown, { ...said, id: lastId }].slice(-AT_ONCE_MAX));
}

const hide = (id: number): void => become(shown.filter((t) => t.id !== id));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function Card({ id, title, text, tone = "ok", face, to, retry }: Shown) {
  const { hovered, ref: hover } = useHover();
  const { focused, ref: focus } = useFocusWithin();
  const ref = useMergedRef(hover, focus);
  const held = hovered || focused || retry !== undefined;
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => hide(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [held, id]);
  const again = (): void => {
    hide(id);
    retry?.();
  };
  const icon =
    tone === "ok" ? <IconCircleCheck color="var(--gt-ok-fg)" /> : <IconAlertTriangle color="var(--gt-no-fg)" />;
  return (
    <li className="toast" ref={ref}>
      <span aria-hidden="true">{face === undefined ? icon : <Face person={face} size={32} />}</span>
      <span className="grow breakable">
        {title !== undefined && <b style={{ display: "block" }}>{title}</b>}
        {text}
      </span>
      {to !== undefined && (
        <Link href={to.path} className="link" onClick={() => hide(id)}>
          {to.label}
        </Link>
      )}
      {retry !== undefined && (
        <button type="button" className="link" onClick={again}>
          {words.retry}
        </button>
      )}
      <button type="button" className="toast-x" aria-label="Close" onClick={() => hide(id)}>
        <IconX size={20} aria-hidden="true" />
      </button>
    </li>
  );
}

/** Stands in the app from the start, so that what is put into it is announced. */
export function ToastHost() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <div role="status" className="toasts">
      <ul className="plainlist stack s">
        {toasts.map((t) => (
          <Card key={t.id} {...t} />
        ))}
      </ul>
    </div>
  );
}
