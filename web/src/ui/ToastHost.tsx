// Shows the toasts. Each stays 6 seconds, longer while it is hovered or focused.
import { IconAlertTriangle, IconCircleCheck, IconX } from "@tabler/icons-react";
import { useFocusWithin, useHover, useMergedRef } from "@mantine/hooks";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { Link, useLocation } from "wouter";
import { Face } from "./Face";
import { useFreePlace } from "./freePlace";
import "./styles/toasts.css";
import { type Shown, toasts as told } from "./toast";
import { words } from "./shellWords";
import { Words } from "./Words";

const SHOWN_MS = 6000;

/** `waits`: there is no room for it now, and its time does not pass. */
function Card({ id, title, text, tone = "ok", face, to, waits }: Shown & { waits: boolean }) {
  const { hovered, ref: hover } = useHover();
  const { focused, ref: focus } = useFocusWithin();
  const ref = useMergedRef(hover, focus);
  const held = hovered || focused || waits;
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => told.hide(id), SHOWN_MS);
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
        <Link href={to.path} className="link" onClick={() => told.hide(id)}>
          {to.label}
        </Link>
      )}
      <button type="button" className="toast-x" aria-label={words.close} onClick={() => told.hide(id)}>
        <IconX size={20} aria-hidden="true" />
      </button>
    </li>
  );
}

/** Stands in the app before there is anything to say, so that what is put into it is announced. */
export function ToastHost() {
  const toasts = useSyncExternalStore(told.subscribe, told.shown);
  const [path] = useLocation();
  const host = useRef<HTMLDivElement>(null);
  const top = useFreePlace(host, toasts.length > 0);
  useEffect(() => told.leaveFor(path), [path]);
  return (
    <div role="status" className="toasts" ref={host} style={top === "waits" ? { visibility: "hidden" } : { top }}>
      <ul className="plainlist stack s">
        {toasts.map((t) => (
          <Card key={t.id} {...t} waits={top === "waits"} />
        ))}
      </ul>
    </div>
  );
}
