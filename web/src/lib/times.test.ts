// How moments are said.
import { describe, expect, it } from "vitest";
import { ageOf, daysUntil, exactTime, nearTime, relativeTime } from "./times";

const now = new Date(2026, 10, 21, 11, 30);
const at = (day: number, hour: number, minute = 0): Date => new Date(2026, 10, day, hour, minute);
const hours = (n: number): Date => new Date(now.getTime() - n * 3_600_000);

describe("ageOf", () => {
  it.each([
    [hours(0.99), "Just now"],
    [hours(1), "1h ago"],
    [hours(23.9), "23h ago"],
    [hours(24), "1d ago"],
    [hours(75), "3d ago"],
  ])("%s_is_%s", (moment, text) => expect(ageOf(moment, now)).toBe(text));
});

describe("nearTime", () => {
  it.each([
    [at(21, 15, 30), "Today\u00a0· 3:30\u00a0PM"],
    [at(22, 10), "Tomorrow\u00a0· 10:00\u00a0AM"],
    [at(20, 18, 12), "Yesterday\u00a0· 6:12\u00a0PM"],
    [at(23, 9), "Mon,\u00a0Nov\u00a023\u00a0· 9:00\u00a0AM"],
  ])("%s_is_%s", (moment, text) => expect(nearTime(moment, now)).toBe(text));

  it("names_the_year_when_it_is_another", () =>
    expect(exactTime(new Date(2027, 0, 9, 9), now)).toBe("Sat,\u00a0Jan\u00a09,\u00a02027\u00a0· 9:00\u00a0AM"));
});

describe("relativeTime", () => {
  it.each([
    [at(21, 15, 30), "in 4 hours"],
    [at(22, 10), "tomorrow"],
    [at(23, 9), "in 2 days"],
    [at(21, 11, 50), "in 20 minutes"],
    [at(21, 11, 25), "5 minutes ago"],
    [at(21, 10, 31), "59 minutes ago"],
    [at(21, 10, 30), "1 hour ago"],
    [at(21, 11, 30), "now"],
  ])("%s_is_%s", (moment, text) => expect(relativeTime(moment, now)).toBe(text));
});

it("days_are_of_the_calendar_and_not_of_24_hours", () => {
  expect(daysUntil(at(22, 0, 5), at(21, 23, 55))).toBe(1);
  expect(daysUntil(at(21, 23, 55), at(21, 0, 5))).toBe(0);
});
