// How moments are said: relative ("in 4 hours") and exact ("Sat, Nov 21 · 3:30 PM"), in the zone of the device, as its
// member's region writes them.
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { LOCALE, spoken } from "./tongue";
import { timeWords as words } from "./timeWords";

export { useNow } from "./now";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const clock = new Intl.DateTimeFormat(LOCALE, { hour: "numeric", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: "short", month: "short", day: "numeric" });
const weekdayYear = new Intl.DateTimeFormat(LOCALE, {
  weekday: "short",
  month: "short",
  day: "numeric",
  year: "numeric",
});
const calendarDay = new Intl.DateTimeFormat(LOCALE, { month: "short", day: "numeric", year: "numeric" });
const calendarMonth = new Intl.DateTimeFormat(LOCALE, { month: "long", year: "numeric" });
const halfDay = new Intl.DateTimeFormat(LOCALE, { hour: "numeric", hour12: true });
const distance = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });

export const toDate = (t: Timestamp | undefined): Date | undefined => (t === undefined ? undefined : timestampDate(t));

const midnight = (d: Date): number => new Date(d.getFullYear(), d.getMonth(), d.getDate()).getTime();

/** Whole calendar days from `now` to `at`; negative in the past. Rounded, since a day of a clock change is not 24 hours. */
export const daysUntil = (at: Date, now: Date): number => Math.round((midnight(at) - midnight(now)) / DAY_MS);

/** "Nov 20, 2026" */
export const dayOf = spoken((at: Date): string => calendarDay.format(at));

/** "Sat Nov 21" */
export const weekdayOf = spoken((at: Date): string => weekday.format(at).replace(",", ""));

/** "November 2026" */
export const monthOf = spoken((at: Date): string => calendarMonth.format(at));

/** "3:30 PM" */
// Newer time-zone data puts a narrow no-break space before AM and PM; a plain one is what people search for and copy.
export const clockOf = spoken((at: Date): string => clock.format(at).replace("\u202f", " "));

/** A day stays in one line, and so does a time: a line breaks between them. */
const together = (text: string): string => text.replaceAll(" ", "\u00a0");

/** "AM" or "PM" */
export const halfOf = spoken(
  (at: Date): string => halfDay.formatToParts(at).find((p) => p.type === "dayPeriod")?.value ?? "",
);

/** "Sat, Nov 21 · 3:30 PM", with the year when it is not this one. */
export function exactTime(at: Date, now: Date): string {
  const day = at.getFullYear() === now.getFullYear() ? weekday : weekdayYear;
  return words.dayAndTime(together(day.format(at)), together(clockOf(at)));
}

/** "Today · 3:30 PM", "Tomorrow · 10:00 AM", "Yesterday · 6:12 PM", else the exact form. */
export function nearTime(at: Date, now: Date): string {
  const names: Record<string, string> = { "-1": words.yesterday, "0": words.today, "1": words.tomorrow };
  const name = names[String(daysUntil(at, now))];
  return name === undefined ? exactTime(at, now) : words.dayAndTime(name, together(clockOf(at)));
}

/** "in 4 hours", "tomorrow", "20 minutes ago", "now". */
export const relativeTime = spoken((at: Date, now: Date): string => {
  const ms = at.getTime() - now.getTime();
  const days = daysUntil(at, now);
  if (Math.abs(ms) < MINUTE_MS) return distance.format(0, "second");
  if (Math.abs(ms) < HOUR_MS) return distance.format(Math.trunc(ms / MINUTE_MS), "minute");
  if (Math.abs(ms) < 12 * HOUR_MS || days === 0) return distance.format(Math.round(ms / HOUR_MS), "hour");
  return distance.format(days, "day");
});

/** The documented form of a notification's age: 'Just now' under 1 hour, then 'Nh ago' under 24 hours, then 'Nd ago'. */
export function ageOf(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  if (ms < HOUR_MS) return words.justNow;
  return ms < DAY_MS ? words.hoursAgo(Math.floor(ms / HOUR_MS)) : words.daysAgo(Math.floor(ms / DAY_MS));
}
