// A row of a card: a tile, a label over a value, and what is done with it.
import { IconChevronRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import "./styles/rows.css";
import type { Tone } from "./theme";

type Props = {
  icon: ReactNode;
  tone?: Tone;
  label: ReactNode;
  value?: ReactNode;
  aside?: ReactNode;
  /** The row opens a sheet, does something, or leads to a screen. */
  onOpen?: () => void;
  onClick?: () => void;
  to?: string;
};

export function Row({ icon, tone = "idle", label, value, aside, onOpen, onClick, to }: Props) {
  const inside = (
    <>
      <span className="tile" data-tone={tone} aria-hidden="true">
        {icon}
      </span>
      <span className="grow">
        <span className="b6 block breakable">{label}</span>
        {value !== undefined && <span className="dim t14 block breakable">{value}</span>}
      </span>
      {aside}
    </>
  );
  const way = <IconChevronRight size={20} className="dim" aria-hidden="true" />;
  if (to !== undefined)
    return (
      <Link href={to} className="ntf mid">
        {inside}
        {way}
      </Link>
    );
  if (onOpen === undefined && onClick === undefined) return <div className="ntf mid still">{inside}</div>;
  return (
    <button
      type="button"
      className="ntf mid"
      aria-haspopup={onOpen === undefined ? undefined : "dialog"}
      onClick={onOpen ?? onClick}
    >
      {inside}
      {way}
    </button>
  );
}
