// What is typed of a borrow request, and what may be sent of it.
import { isDay } from "../../lib/days";
import { plainAmount } from "../../lib/digits";
import { keep, kept, useKept } from "../../lib/kept";
import type { Range } from "../../ui/range";
import { GRATITUDE_MAX } from "./borrowWords";

/** What is sent of it. */
export type Asked = Range & { message: string; gratitude: string };
/**
 * `key` names the `tries` to send it, as long as no answer has come, so that one of them counts; `terms` is what was known of the item then. `sending`: a
 * page that begins with it was loaded anew before the answer came.
 */
export type Borrow = Asked & { key: string; terms: string; tries: readonly Asked[]; sending: boolean };
export const BLANK: Asked = { start: "", end: "", message: "", gratitude: "" };
export const NO_TRY = { key: "", terms: "", tries: [], sending: false } as const;
export const NOTHING: Borrow = { ...BLANK, ...NO_TRY };

export const formOf = (item: string): string => `borrow/${item}`;

const dayIn = (value: unknown): string => (typeof value === "string" && isDay(value) ? value : "");
const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

function readAsked(value: unknown): Asked | null {
  if (typeof value !== "object" || value === null) return null;
  const { start, end, message, gratitude } = value as Partial<Record<keyof Asked, unknown>>;
  return { start: dayIn(start), end: dayIn(end), message: textIn(message), gratitude: textIn(gratitude) };
}

function readBorrow(value: unknown): Borrow | null {
  const asked = readAsked(value);
  if (asked === null) return null;
  const { key, terms, tries, sending } = value as Partial<Record<keyof Borrow, unknown>>;
  return {
    ...asked,
    key: textIn(key),
    terms: textIn(terms),
    tries: Array.isArray(tries) ? tries.map(readAsked).filter((one) => one !== null) : [],
    sending: sending === true,
  };
}

export const borrowOf = (me: string, item: string): Borrow => kept(me, formOf(item), readBorrow) ?? NOTHING;
export const useBorrow = (me: string, item: string): Borrow => useKept(me, formOf(item), readBorrow) ?? NOTHING;

export function type(me: string, item: string, part: Partial<Borrow>): void {
  keep(me, formOf(item), { ...borrowOf(me, item), ...part });
}

/** A whole amount, rounded down; NaN is none. Empty is 0. Three places could mean thousands. */
export function gratitudeFrom(typed: string): number {
  const text = plainAmount(typed);
  if (text === "") return 0;
  if (!/^\d*\.?\d{0,2}$/.test(text) || text === ".") return Number.NaN;
  const amount = Math.floor(Number(text));
  return amount <= GRATITUDE_MAX ? amount : Number.NaN;
}

/** Whether the owner would be asked the same. */
export const isSame = (one: Asked, other: Asked): boolean =>
  one.start === other.start &&
  one.end === other.end &&
  one.message.trim() === other.message.trim() &&
  Object.is(gratitudeFrom(one.gratitude), gratitudeFrom(other.gratitude));

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
