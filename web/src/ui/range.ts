// How taps choose a range of days: the first sets the start, the second its end. Nothing here asks a clock.
import { type Day, daysFrom, daysOf, lengthOf } from "../lib/days";

/** Both ends are in it. Empty is what is not chosen yet. */
export type Range = { start: Day; end: Day };
export const NO_RANGE: Range = { start: "", end: "" };

/** What days can be chosen from. */
export type Bounds = {
  /** The first day and the last that can be chosen. */
  first: Day;
  last: Day;
  /** Days between them that cannot. */
  blocked: ReadonlySet<Day>;
  /** How many days at most, both ends counted; 0 means any number. */
  maxDays?: number;
  /** Where the start stands already, and only the end is chosen. */
  start?: Day;
};

/** Why a range is not taken: some of its days are not free, or there are too many. */
export type Refused = "taken" | "tooLong";
export type Tapped = { range: Range; refused?: Refused };

export const isOpen = (day: Day, { first, last, blocked }: Bounds): boolean =>
  first <= day && day <= last && !blocked.has(day);

/** Whether there is any day to begin with. */
export const isAnyOpen = ({ first, last, blocked }: Bounds): boolean =>
  daysOf(first, last).some((day) => !blocked.has(day));

/** Why these days cannot be had; nothing when they can. */
export function refusalOf({ start, end }: Range, { blocked, maxDays = 0 }: Bounds): Refused | undefined {
  if (maxDays > 0 && lengthOf(start, end) > maxDays) return "tooLong";
  return daysOf(start, end).some((day) => blocked.has(day)) ? "taken" : undefined;
}

/** What a tap on a day makes of what was chosen. A range that is refused leaves its start chosen. */
export function tap(range: Range, day: Day, bounds: Bounds): Tapped {
  if (!isOpen(day, bounds)) return { range };
  const start = bounds.start ?? range.start;
  const isNew = start === "" || (bounds.start === undefined && range.end !== "") || day < start;
  if (isNew) return bounds.start === undefined ? { range: { start: day, end: "" } } : { range };
  const chosen = { start, end: day };
  const refused = refusalOf(chosen, bounds);
  return refused === undefined ? { range: chosen } : { range: { start, end: "" }, refused };
}

export type Place = "start" | "end" | "only" | "between" | "outside";

/** Where a day is in what is chosen. A start without an end is all of it. */
export function placeIn({ start, end }: Range, day: Day): Place {
  if (start === "" || day < start || day > (end || start)) return "outside";
  if (start === (end || start)) return "only";
  if (day === start) return "start";
  return day === end ? "end" : "between";
}

/** What is chosen, as far as it can still be had: after the days that are free were asked anew. */
export function stillFree(range: Range, bounds: Bounds): Range {
  const { start, end } = range;
  if (start === "" || !isOpen(start, bounds)) return NO_RANGE;
  if (end === "" || daysFrom(start, end) < 0) return { start, end: "" };
  return end > bounds.last || refusalOf(range, bounds) !== undefined ? { start, end: "" } : range;
}
