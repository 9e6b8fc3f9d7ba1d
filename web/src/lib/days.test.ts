// Days are counted by the calendar, whatever the clocks of the device do.
import { afterEach, expect, it } from "vitest";
import {
  addDays,
  daysFrom,
  daysOf,
  dayText,
  fullDay,
  isDay,
  lengthOf,
  monthOfDay,
  nearDay,
  rangeText,
  weekdayOf,
} from "./days";

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env["TZ"];
  else process.env["TZ"] = TZ;
});

const FIRST = "2023-12-25";
const COUNT = 1900;

it.each(["UTC", "America/New_York", "Africa/Cairo", "Pacific/Kiritimati", "Asia/Kolkata"])(
  "each_day_follows_the_one_before_in_%s",
  (zone) => {
    process.env["TZ"] = zone;
    let day = FIRST;
    for (let i = 0; i < COUNT; i += 1) {
      expect(isDay(day)).toBe(true);
      expect(daysFrom(FIRST, day)).toBe(i);
      expect(addDays(FIRST, i)).toBe(day);
      expect(addDays(day, -i)).toBe(FIRST);
      expect(weekdayOf(day)).toBe((1 + i) % 7);
      const next = addDays(day, 1);
      expect(next > day).toBe(true);
      expect(lengthOf(day, next)).toBe(2);
      day = next;
    }
  },
);

it.each([
  ["2024-02-28", "2024-02-29"],
  ["2024-02-29", "2024-03-01"],
  ["2026-02-28", "2026-03-01"],
  ["2100-02-28", "2100-03-01"],
  ["2026-12-31", "2027-01-01"],
  ["2026-03-08", "2026-03-09"],
  ["2026-10-25", "2026-10-26"],
])("after_%s_comes_%s", (day, next) => {
  process.env["TZ"] = "America/New_York";
  expect(addDays(day, 1)).toBe(next);
  expect(daysOf(day, next)).toEqual([day, next]);
});

it("a_range_counts_both_its_ends", () => {
  expect(lengthOf("2026-11-28", "2026-11-28")).toBe(1);
  expect(lengthOf("2026-11-28", "2026-12-01")).toBe(4);
  expect(lengthOf("2024-02-01", "2024-03-01")).toBe(30);
  expect(lengthOf("2026-10-20", "2026-11-05")).toBe(17);
  expect(daysOf("2026-11-28", "2026-11-27")).toEqual([]);
});

it.each(["2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "", "tomorrow", "2026-11-31", "2026-11-28T10:00"])(
  "%j_is_no_day",
  (text) => expect(isDay(text)).toBe(false),
);

const plain = (text: string): string => text.replaceAll(/\s/g, " ");

it("days_are_said_with_the_year_where_it_is_another", () => {
  expect(plain(dayText("2026-11-28", "2026-11-21"))).toBe("Sat, Nov 28");
  expect(plain(dayText("2027-01-02", "2026-11-21"))).toBe("Sat, Jan 2, 2027");
  expect(plain(rangeText("2026-11-28", "2026-12-01", "2026-11-21"))).toBe("Nov 28 – Dec 1");
  expect(plain(rangeText("2026-11-24", "2026-11-25", "2026-11-21"))).toBe("Nov 24 – 25");
  expect(plain(rangeText("2026-11-24", "2026-11-24", "2026-11-21"))).toBe("Nov 24");
  expect(plain(rangeText("2026-12-30", "2027-01-02", "2026-11-21"))).toBe("Dec 30, 2026 – Jan 2, 2027");
  expect(monthOfDay("2026-11-28")).toBe("November 2026");
  expect(fullDay("2026-11-28")).toBe("November 28, 2026");
});

it("a_line_breaks_at_the_dash_alone", () =>
  expect(rangeText("2026-11-28", "2026-12-01", "2026-11-21")).toMatch(/^[^ ]+ – [^ ]+$/));

it("near_days_have_a_name", () => {
  expect(["2026-11-20", "2026-11-21", "2026-11-22"].map((day) => nearDay(day, "2026-11-21"))).toEqual([
    "Yesterday",
    "Today",
    "Tomorrow",
  ]);
  expect(plain(nearDay("2026-11-23", "2026-11-21"))).toBe("Mon, Nov 23");
});
