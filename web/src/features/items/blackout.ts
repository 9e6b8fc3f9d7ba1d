// Ranges of days in which an item is not lent: joined where they touch, and taken apart from nothing.
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

export const withoutRange = (ranges: readonly Range[], { start, end }: Range): Range[] =>
  ranges.filter((one) => one.start !== start || one.end !== end);

/** Until when days can be closed: the next 24 months. */
export function lastDay(today: Day): Day {
  const year = Number(today.slice(0, 4)) + 2;
  // Where that year has no such day, as on February 29th, it is the one before.
  const same = `${year}${today.slice(4)}`;
  return same.endsWith("-02-29") ? `${year}-02-28` : same;
}
