// Calendar days without a zone, as "2026-11-28": they are counted and written the same wherever the device is, also over a change of its clocks.
import { present } from "./now";
import { LOCALE, spoken } from "./tongue";
import { timeWords as words } from "./timeWords";

/** "2026-11-28", which sorts as it is; empty where no day is chosen. */
export type Day = string;

const DAY_MS = 86_400_000;
const utc = { timeZone: "UTC" } as const;
const numeric = { month: "short", day: "numeric" } as const;
const short = new Intl.DateTimeFormat(LOCALE, { ...utc, ...numeric });
const shortYear = new Intl.DateTimeFormat(LOCALE, { ...utc, ...numeric, year: "numeric" });
const weekday = new Intl.DateTimeFormat(LOCALE, { ...utc, ...numeric, weekday: "short" });
const weekdayYear = new Intl.DateTimeFormat(LOCALE, { ...utc, ...numeric, weekday: "short", year: "numeric" });
const long = new Intl.DateTimeFormat(LOCALE, { ...utc, month: "long", year: "numeric" });
const full = new Intl.DateTimeFormat(LOCALE, { ...utc, month: "long", day: "numeric", year: "numeric" });

const midnight = (day: Day): Date => new Date(`${day}T00:00:00Z`);

/** Whether it is a day that there is. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = midnight(text);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** The day that it is where the device is: for what is only said, as whether a year is this one. */
export const dayHere = (now: Date): Day =>
  new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())).toISOString().slice(0, 10);

/** Whether it is another day in one zone than in the other: one that the browser does not know may have any. */
export function isOtherDay(one: string, other: string): boolean {
  const now = present();
  const dayIn = (timeZone: string): string => now.toLocaleDateString(LOCALE, { timeZone });
  try {
    return dayIn(one) !== dayIn(other);
  } catch {
    return true;
  }
}

export const addDays = (day: Day, count: number): Day =>
  new Date(midnight(day).getTime() + count * DAY_MS).toISOString().slice(0, 10);

/** The same day of another month, or its last one where that is shorter. */
export function addMonths(day: Day, count: number): Day {
  const at = midnight(day);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + count];
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(at.getUTCDate(), length))).toISOString().slice(0, 10);
}

/** How many days `to` is after `from`; negative before it. */
export const daysFrom = (from: Day, to: Day): number => (midnight(to).getTime() - midnight(from).getTime()) / DAY_MS;

/** How many days a range has, both its ends counted. */
export const lengthOf = (start: Day, end: Day): number => daysFrom(start, end) + 1;

/** Each day of a range, both ends among them. */
export const daysOf = (start: Day, end: Day): Day[] =>
  Array.from({ length: Math.max(0, lengthOf(start, end)) }, (_, i) => addDays(start, i));

/** 0 is Sunday. */
export const weekdayOf = (day: Day): number => midnight(day).getUTCDay();

const yearOf = (day: Day): string => day.slice(0, 4);
/** A day stays in one line, and narrow spaces are plain ones: those are what people search for and copy. */
const together = (text: string): string => text.replaceAll(/[\s\u2009\u202f]/g, "\u00a0");

// What is spoken is told instants: a day as text would be taken for a word that somebody else wrote.
const monthAt = spoken((at: Date): string => long.format(at));
const fullAt = spoken((at: Date): string => full.format(at));
const dayAt = spoken((at: Date, isThisYear: boolean): string =>
  together((isThisYear ? weekday : weekdayYear).format(at)),
);
const rangeAt = spoken((start: Date, end: Date, isThisYear: boolean): string => {
  const text = (isThisYear ? short : shortYear).formatRange(start, end);
  // A line breaks at the dash, and not in a day.
  return text.replaceAll(/[\u2009\u202f]/g, " ").replaceAll(/(?<!–) (?!–)/g, "\u00a0");
});

/** "November 2026" */
export const monthOfDay = (day: Day): string => monthAt(midnight(day));

/** "November 28, 2026" */
export const fullDay = (day: Day): string => fullAt(midnight(day));

/** "Sat, Nov 28", with the year when it is not that of `today`. */
export const dayText = (day: Day, today: Day): string => dayAt(midnight(day), yearOf(day) === yearOf(today));

/** "Today", "Tomorrow", "Yesterday", else "Sat, Nov 28". */
export function nearDay(day: Day, today: Day): string {
  const names: Record<number, string> = { [-1]: words.yesterday, 0: words.today, 1: words.tomorrow };
  return names[daysFrom(today, day)] ?? dayText(day, today);
}

/** "Nov 28 – 30", "Nov 28 – Dec 1", with the years when they are not that of `today`. */
export const rangeText = (start: Day, end: Day, today: Day): string =>
  rangeAt(midnight(start), midnight(end), yearOf(start) === yearOf(end) && yearOf(end) === yearOf(today));
