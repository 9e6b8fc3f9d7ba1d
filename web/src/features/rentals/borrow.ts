// What is typed of a borrow request, and what may be sent of it.
import { isDay } from "../../lib/days";
import { keep, kept, useKept } from "../../lib/kept";
import type { Range } from "../../ui/range";
import { GRATITUDE_MAX } from "./borrowWords";

/**
 * `key` names the try to send it, as long as its answer has not come, and `terms` what was known of the item then; `sending` says that one is under
 * way.
 */
export type Borrow = Range & { message: string; gratitude: string; key: string; terms: string; sending: boolean };
export const NOTHING: Borrow = { start: "", end: "", message: "", gratitude: "", key: "", terms: "", sending: false };

export const formOf = (item: string): string => `borrow/${item}`;

const dayIn = (value: unknown): string => (typeof value === "string" && isDay(value) ? value : "");
const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

function readBorrow(value: unknown): Borrow | null {
  if (typeof value !== "object" || value === null) return null;
  const { start, end, message, gratitude, key, terms, sending } = value as Partial<Record<keyof Borrow, unknown>>;
  return {
    start: dayIn(start),
    end: dayIn(end),
    message: textIn(message),
    gratitude: textIn(gratitude),
    key: textIn(key),
    terms: textIn(terms),
    sending: sending === true,
  };
}

export const borrowOf = (me: string, item: string): Borrow => kept(me, formOf(item), readBorrow) ?? NOTHING;
export const useBorrow = (me: string, item: string): Borrow => useKept(me, formOf(item), readBorrow) ?? NOTHING;

export function type(me: string, item: string, part: Partial<Borrow>): void {
  keep(me, formOf(item), { ...borrowOf(me, item), ...part });
}

/** A whole amount, rounded down; NaN is none. Empty is 0. */
export function gratitudeFrom(typed: string): number {
  const text = typed.trim().replace(",", ".");
  if (text === "") return 0;
  if (!/^\d*\.?\d*$/.test(text) || text === ".") return Number.NaN;
  const amount = Math.floor(Number(text));
  return amount <= GRATITUDE_MAX ? amount : Number.NaN;
}

/** What stands in the field is what is counted, once it is left; what is no amount stays as it was typed. */
export function gratitudeText(typed: string): string {
  const amount = gratitudeFrom(typed);
  return typed.trim() === "" || Number.isNaN(amount) ? typed : String(amount);
}

/** The days that an address names, as the item's own screen hands them on. */
export function daysIn(search: URLSearchParams): Range | null {
  const [start, end] = [dayIn(search.get("start")), dayIn(search.get("end"))];
  return start === "" || end < start ? null : { start, end };
}
