// Facts of a thing: in a card as short lines, in a detail as rows with a tile.
import type { ReactNode } from "react";
import type { Tone } from "./theme";

export type Fact = { label: string; value: ReactNode; icon: ReactNode };

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map((f) => (
        <div key={f.label}>
          <dt>
            {f.icon}
            <span className="dim">{f.label}</span>
          </dt>
          <dd>{f.value}</dd>
        </div>
      ))}
    </dl>
  );
}

export type FactRow = {
  label: string;
  value: ReactNode;
  /** An icon gets a tile; `face` stands by itself. */
  icon?: ReactNode;
  face?: ReactNode;
  tone?: Tone;
  aside?: ReactNode;
  urgent?: boolean;
};

export function FactList({ rows }: { rows: readonly FactRow[] }) {
  return (
    <dl className="card flush factlist">
      {rows.map((row) => (
        <div key={row.label}>
          <dt>
            {row.face ?? (
              <span className="tile" data-tone={row.tone ?? "idle"} aria-hidden="true">
                {row.icon}
              </span>
            )}
            <span className="name">{row.label}</span>
          </dt>
          <dd>{row.value}</dd>
          {row.aside !== undefined && (
            <dd className="aside" data-urgent={row.urgent || undefined}>
              {row.aside}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
