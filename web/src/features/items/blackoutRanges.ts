// Ranges of days in which an item is not lent: joined where they touch.
import { addDays, type Day } from "../../lib/days";
import type { Range } from "../../ui/range";

/** Ascending, and one where they touch or overlap. */
export function joined(ranges: readonly Range[]): Range[] {
  const done: Range[] = [];
  for (const range of ranges.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))) {
    const last = done.at(-1);
    if (last === undefined || range.start > addDays(last.end, 1)) done.push({ ...range });
    else if (range.end > last.end) last.end = range.end;
  }
  return done;
}

export const withRange = (ranges: readonly Range[], range: Range): Range[] => joined([...ranges, range]);

const earlier = (one: Day, other: Day): Day => (one < other ? one : other);
const later = (one: Day, other: Day): Day => (one > other ? one : other);

/** Without these days: what was closed around them meanwhile stays closed. */
export const withoutRange = (ranges: readonly Range[], { start, end }: Range): Range[] =>
  joined(ranges)
    .flatMap((one): Range[] => [
      { start: one.start, end: earlier(one.end, addDays(start, -1)) },
      { start: later(one.start, addDays(end, 1)), end: one.end },
    ])
    .filter((one) => one.start <= one.end);

/** Whether both close the same days. */
export const isSameDays = (one: readonly Range[], other: readonly Range[]): boolean =>
  JSON.stringify(joined(one)) === JSON.stringify(joined(other));

/** Until when days can be closed: the next 24 months. */
export function lastDay(today: Day): Day {
  const year = Number(today.slice(0, 4)) + 2;
  // Where that year has no such day, as on February 29th, it is the one before.
  const same = `${year}${today.slice(4)}`;
  return same.endsWith("-02-29") ? `${year}-02-28` : same;
}
