// How moments are said: relative ("in 4 hours") and exact ("Sat, Nov 21 · 3:30 PM"), in the zone of the device.
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";

export { useNow } from "./now";

const LOCALE = "en-US";
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
const distance = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });

export const toDate = (t: Timestamp | undefined): Date | undefined => (t === undefined ? undefined : timestampDate(t));

const midnight = (d: Date): number => new Date(d.getFullYear(), d.getMonth(), d.getDate()).getTime();

/** Whole calendar days from `now` to `at`; negative in the past. Rounded, since a day of a clock change is not 24 hours. */
export const daysUntil = (at: Date, now: Date): number => Math.round((midnight(at) - midnight(now)) / DAY_MS);

/** "Nov 20, 2026" */
export const dayOf = (at: Date): string => calendarDay.format(at);

/** "Sat Nov 21" */
export const weekdayOf = (at: Date): string => weekday.format(at).replace(",", "");

/** "3:30 PM" */
// Newer time-zone data puts a narrow no-break space before AM and PM; a plain one is what people search for and copy.
export const clockOf = (at: Date): string => clock.format(at).replace("\u202f", " ");

/** "Sat, Nov 21 · 3:30 PM", with the year when it is not this one. */
export function exactTime(at: Date, now: Date): string {
  const day = at.getFullYear() === now.getFullYear() ? weekday : weekdayYear;
  return `${day.format(at)} · ${clockOf(at)}`;
}

/** "Today · 3:30 PM", "Tomorrow · 10:00 AM", "Yesterday · 6:12 PM", else the exact form. */
export function nearTime(at: Date, now: Date): string {
  const names: Record<string, string> = { "-1": "Yesterday", "0": "Today", "1": "Tomorrow" };
  const name = names[String(daysUntil(at, now))];
  return name === undefined ? exactTime(at, now) : `${name} · ${clockOf(at)}`;
}

/** "in 4 hours", "tomorrow", "20 minutes ago", "now". */
export function relativeTime(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime();
  const days = daysUntil(at, now);
  if (Math.abs(ms) < MINUTE_MS) return "now";
  if (Math.abs(ms) < HOUR_MS) return distance.format(Math.trunc(ms / MINUTE_MS), "minute");
  if (Math.abs(ms) < 12 * HOUR_MS || days === 0) return distance.format(Math.round(ms / HOUR_MS), "hour");
  return distance.format(days, "day");
}

/** The documented form of a notification's age: 'Just now' under 1 hour, then 'Nh ago' under 24 hours, then 'Nd ago'. */
export function ageOf(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  if (ms < HOUR_MS) return "Just now";
  return ms < DAY_MS ? `${Math.floor(ms / HOUR_MS)}h ago` : `${Math.floor(ms / DAY_MS)}d ago`;
}
