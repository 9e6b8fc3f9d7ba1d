// Small pieces of every screen: section heads, counts, notes, quotes, empty states, errors with Retry.
import type { ReactNode } from "react";
import { useIsLost } from "../lib/reach";
import { Trouble } from "./brand";
import { Retry } from "./Retry";
import type { Tone } from "./theme";
import { words } from "./shellWords";

export function Section({
  title,
  count,
  waits,
  aside,
  children,
}: {
  title: string;
  count?: number;
  waits?: boolean;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <div className="sec">
        <h2>{title}</h2>
        {count !== undefined && count > 0 && <Count value={count} waits={waits} />}
        {aside !== undefined && <div style={{ marginLeft: "auto" }}>{aside}</div>}
      </div>
      {children}
    </section>
  );
}

/** A count in a pill. `waits` gives it the accent: something is expected of me. */
export function Count({ value, waits = false }: { value: number; waits?: boolean | undefined }) {
  return <span className={waits ? "count wait" : "count"}>{value > 99 ? "99+" : value}</span>;
}

/** `role` is given when the note appears by itself: `alert` interrupts, `status` waits for a pause. */
export function Note({
  tone,
  icon,
  title,
  role,
  children,
}: {
  tone: Tone;
  icon?: ReactNode;
  title?: string;
  role?: "alert" | "status";
  children: ReactNode;
}) {
  return (
    <div className="note" data-tone={tone} role={role}>
      {icon}
      <div className="grow">
        {title !== undefined && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  );
}

/** Says what is not there, and what to do about it: there is always a next step. */
export function EmptyState({
  drawing,
  title,
  children,
  action,
}: {
  drawing: ReactNode;
  title: string;
  children?: ReactNode;
  action: ReactNode;
}) {
  return (
    <div className="empty">
      {drawing}
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      <div className="act">{action}</div>
    </div>
  );
}

/** A list or a thing that could not be loaded: what happened, and the way on. */
export function LoadError({ title, onRetry, busy = false }: { title: string; onRetry: () => void; busy?: boolean }) {
  const isLost = useIsLost();
  return (
    <div role="alert">
      <EmptyState
        drawing={<Trouble size={200} />}
        title={title}
        action={<Retry look="light" onRetry={onRetry} busy={busy} />}
      >
        {isLost ? words.noConnection : words.nothingLost}
      </EmptyState>
    </div>
  );
}
