// How taps choose a range of days: the first sets the start, the second its end. Nothing here asks a clock.
import { addDays, addMonths, type Day, daysFrom, daysOf, lengthOf, weekdayOf } from "../lib/days";

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
  /** What one has already: its start stands, and only a later end is chosen. */
  held?: Range;
};

/** Why a range is not taken: some of its days are not free, or there are too many. */
export type Refused = "taken" | "tooLong";
export type Tapped = { range: Range; refused?: Refused };

/** Where the start stands already it is known which days are too many. */
export const isTooFar = (day: Day, { held, maxDays = 0 }: Bounds): boolean =>
  held !== undefined && maxDays > 0 && lengthOf(held.start, day) > maxDays;

export function isOpen(day: Day, bounds: Bounds): boolean {
  const { first, last, blocked } = bounds;
  return first <= day && day <= last && !blocked.has(day) && !isTooFar(day, bounds);
}

/** Whether there is any day to begin with, or to end with where the start stands. */
export const isAnyOpen = (bounds: Bounds): boolean =>
  daysOf(bounds.first, bounds.last).some((day) => isOpen(day, bounds));

/** Why these days cannot be had; nothing when they can. */
export function refusalOf({ start, end }: Range, { blocked, maxDays = 0 }: Bounds): Refused | undefined {
  if (maxDays > 0 && lengthOf(start, end) > maxDays) return "tooLong";
  return daysOf(start, end).some((day) => blocked.has(day)) ? "taken" : undefined;
}

/** Why a range from the start that was chosen cannot end on this day; nothing where it can, or begins anew. */
export function unreachedFor({ start, end }: Range, day: Day, bounds: Bounds): Refused | undefined {
  if (start === "" || end !== "" || day <= start || bounds.held !== undefined) return undefined;
  return refusalOf({ start, end: day }, bounds);
}

/** What a tap on a day makes of what was chosen. A range that is refused clears it, but for a start that stands. */
export function tap(range: Range, day: Day, bounds: Bounds): Tapped {
  if (!isOpen(day, bounds)) return { range };
  const start = bounds.held?.start ?? range.start;
  const isNew = start === "" || (bounds.held === undefined && range.end !== "") || day < start;
  if (isNew) return bounds.held === undefined ? { range: { start: day, end: "" } } : { range };
  const chosen = { start, end: day };
  const refused = refusalOf(chosen, bounds);
  if (refused === undefined) return { range: chosen };
  return { range: bounds.held === undefined ? NO_RANGE : { start, end: "" }, refused };
}

/** The next day that can be chosen, `by` days on and as many further. */
function nextOpen(day: Day, by: number, bounds: Bounds): Day | undefined {
  const { first, last } = bounds;
  for (let to = addDays(day, by); first <= to && to <= last; to = addDays(to, by)) if (isOpen(to, bounds)) return to;
  return undefined;
}

/** About a month on, or as far as there are days. */
function inMonth(day: Day, by: number, bounds: Bounds): Day | undefined {
  const to = addMonths(day, by);
  if (to > bounds.last) return nextOpen(addDays(bounds.last, 1), -1, bounds);
  if (to < bounds.first) return nextOpen(addDays(bounds.first, -1), 1, bounds);
  return isOpen(to, bounds) ? to : (nextOpen(to, 1, bounds) ?? nextOpen(to, -1, bounds));
}

type Way = (day: Day, bounds: Bounds) => Day | undefined;

/** Where the keys lead from a day: what cannot be chosen is passed over. */
export const KEY_WAYS: Readonly<Record<string, Way>> = {
  ArrowLeft: (day, bounds) => nextOpen(day, -1, bounds),
  ArrowRight: (day, bounds) => nextOpen(day, 1, bounds),
  ArrowUp: (day, bounds) => nextOpen(day, -7, bounds),
  ArrowDown: (day, bounds) => nextOpen(day, 7, bounds),
  Home: (day, bounds) => daysOf(addDays(day, -weekdayOf(day)), day).find((one) => isOpen(one, bounds)),
  End: (day, bounds) => daysOf(day, addDays(day, 6 - weekdayOf(day))).findLast((one) => isOpen(one, bounds)),
  PageUp: (day, bounds) => inMonth(day, -1, bounds),
  PageDown: (day, bounds) => inMonth(day, 1, bounds),
};

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
