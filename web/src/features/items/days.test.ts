// What may be done about chosen days, and how black-out days are joined.
import { describe, expect, it } from "vitest";
import { addDays, daysOf } from "../../lib/days";
import type { Range } from "../../ui/range";
import { isSameDays, joined, lastDay, withoutRange, withRange } from "./blackoutRanges";
import { standingOf } from "./borrowButton";

const range = { start: "2026-11-28", end: "2026-12-01" };
const free = { isFetching: false, isError: false, available: true };

it.each([
  ["select", { start: "", end: "" }, free],
  ["select", { start: "2026-11-28", end: "" }, free],
  ["checking", range, { ...free, isFetching: true }],
  ["checking", range, { ...free, isFetching: true, isError: true }],
  ["failed", range, { ...free, isError: true, available: undefined }],
  ["failed", range, { ...free, available: undefined }],
  ["taken", range, { ...free, available: false }],
  ["ready", range, free],
] as const)("it_stands_at_%s", (standing, days, asked) => expect(standingOf(days, asked)).toBe(standing));

/** The same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const closed = (ranges: readonly Range[]): Set<string> =>
  new Set(ranges.flatMap(({ start, end }) => daysOf(start, end)));

describe("ranges that are joined", () => {
  it("have_the_same_days_and_touch_nowhere", () => {
    const next = numbers(11);
    for (let round = 0; round < 200; round += 1) {
      const ranges = Array.from({ length: next(12) }, () => {
        const start = addDays("2028-02-20", next(60));
        return { start, end: addDays(start, next(6)) };
      });
      const one = joined(ranges);
      expect([...closed(one)].toSorted()).toEqual([...closed(ranges)].toSorted());
      const touching = one.slice(1).filter(({ start }, i) => start <= addDays(one[i]?.end ?? "", 1));
      expect(touching).toEqual([]);
    }
  });

  it("join_with_a_new_one_over_the_end_of_a_year", () => {
    const before = [{ start: "2026-12-28", end: "2026-12-31" }];
    expect(withRange(before, { start: "2027-01-01", end: "2027-01-02" })).toEqual([
      { start: "2026-12-28", end: "2027-01-02" },
    ]);
    expect(withoutRange(before, { start: "2026-12-28", end: "2026-12-31" })).toEqual([]);
  });

  it("have_without_some_days_all_others", () => {
    const next = numbers(7);
    for (let round = 0; round < 200; round += 1) {
      const days = (): Range => {
        const start = addDays("2028-02-20", next(60));
        return { start, end: addDays(start, next(6)) };
      };
      const ranges = Array.from({ length: next(8) }, days);
      const lifted = days();
      const left = withoutRange(ranges, lifted);
      const rest = [...closed(ranges)].filter((day) => !closed([lifted]).has(day));
      expect([...closed(left)].toSorted()).toEqual(rest.toSorted());
      expect(isSameDays(left, joined(left))).toBe(true);
    }
  });
});

it.each([
  ["2026-11-23", "2028-11-23"],
  ["2026-12-31", "2028-12-31"],
  ["2028-02-29", "2030-02-28"],
  ["2026-03-01", "2028-03-01"],
])("from_%s_on_days_are_closed_until_%s", (today, last) => expect(lastDay(today)).toBe(last));
