// The tap rules of the calendar, and what holds whatever is tapped.
import { expect, it } from "vitest";
import { addDays, daysOf, lengthOf } from "../lib/days";
import {
  type Bounds,
  isOpen,
  NO_RANGE,
  placeIn,
  type Range,
  refusalOf,
  stillFree,
  tap,
  type Tapped,
  unreachedFor,
} from "./range";

const FIRST = "2026-11-21";
const LAST = "2027-11-20";
const day = (n: number): string => addDays(FIRST, n);
const bounds = (more: Partial<Bounds> = {}): Bounds => ({ first: FIRST, last: LAST, blocked: new Set(), ...more });
const of = (start: number, end: number): Range => ({ start: day(start), end: day(end) });

it("the_first_tap_sets_the_start", () => {
  expect(tap(NO_RANGE, day(3), bounds())).toEqual({ range: { start: day(3), end: "" } });
});

it("a_second_tap_on_or_after_the_start_sets_the_end", () => {
  const started = { start: day(3), end: "" };
  expect(tap(started, day(3), bounds())).toEqual({ range: of(3, 3) });
  expect(tap(started, day(9), bounds())).toEqual({ range: of(3, 9) });
});

it("a_tap_before_the_start_begins_anew", () => {
  expect(tap({ start: day(3), end: "" }, day(1), bounds())).toEqual({ range: { start: day(1), end: "" } });
});

it.each([0, 3, 5, 9, 12])("a_tap_on_day_%d_while_both_are_set_begins_anew", (n) => {
  expect(tap(of(3, 9), day(n), bounds())).toEqual({ range: { start: day(n), end: "" } });
});

it("what_is_past_blocked_or_too_far_is_not_taken", () => {
  const closed = bounds({ blocked: new Set([day(4)]) });
  for (const shut of [day(-1), day(4), addDays(LAST, 1)]) {
    expect(isOpen(shut, closed)).toBe(false);
    expect(tap(NO_RANGE, shut, closed)).toEqual({ range: NO_RANGE });
    expect(tap(of(1, 2), shut, closed)).toEqual({ range: of(1, 2) });
  }
});

it("a_range_across_a_blocked_day_is_refused_and_cleared_so_that_the_next_tap_begins_anew", () => {
  const closed = bounds({ blocked: new Set([day(4)]) });
  const refused = tap({ start: day(3), end: "" }, day(5), closed);
  expect(refused).toEqual({ range: NO_RANGE, refused: "taken" });
  expect(tap(refused.range, day(5), closed)).toEqual({ range: { start: day(5), end: "" } });
});

it("days_that_a_range_from_the_start_cannot_reach_are_known", () => {
  const closed = bounds({ blocked: new Set([day(4)]), maxDays: 9 });
  const started = { start: day(2), end: "" };
  expect([1, 2, 3, 4, 5, 20].map((n) => unreachedFor(started, day(n), closed))).toEqual([
    undefined,
    undefined,
    undefined,
    "taken",
    "taken",
    "tooLong",
  ]);
  for (const other of [NO_RANGE, of(2, 3)]) expect(unreachedFor(other, day(5), closed)).toBeUndefined();
});

it("too_many_days_are_refused_counted_inclusively", () => {
  const few = bounds({ maxDays: 3 });
  const started = { start: day(3), end: "" };
  expect(tap(started, day(5), few)).toEqual({ range: of(3, 5) });
  expect(tap(started, day(6), few)).toEqual({ range: NO_RANGE, refused: "tooLong" });
  expect(tap(started, day(60), bounds({ maxDays: 0 }))).toEqual({ range: of(3, 60) });
});

it("where_the_start_stands_only_the_end_is_chosen", () => {
  const running = bounds({ held: of(-4, -1), maxDays: 7 });
  const none = { start: day(-4), end: "" };
  expect(tap(none, day(1), running)).toEqual({ range: { start: day(-4), end: day(1) } });
  expect(tap({ start: day(-4), end: day(1) }, day(2), running)).toEqual({ range: { start: day(-4), end: day(2) } });
  expect(tap(none, day(3), running)).toEqual({ range: none });
});

it("days_are_placed_in_what_is_chosen", () => {
  expect([0, 3, 4, 9, 10].map((n) => placeIn(of(3, 9), day(n)))).toEqual([
    "outside",
    "start",
    "between",
    "end",
    "outside",
  ]);
  expect(placeIn(of(3, 3), day(3))).toBe("only");
  expect(placeIn({ start: day(3), end: "" }, day(3))).toBe("only");
  expect(placeIn(NO_RANGE, day(3))).toBe("outside");
});

it("what_is_not_free_any_more_is_not_chosen_any_more", () => {
  expect(stillFree(of(3, 5), bounds())).toEqual(of(3, 5));
  expect(stillFree(of(3, 5), bounds({ blocked: new Set([day(4)]) }))).toEqual({ start: day(3), end: "" });
  expect(stillFree(of(3, 5), bounds({ blocked: new Set([day(3)]) }))).toEqual(NO_RANGE);
  expect(stillFree(of(-1, 5), bounds())).toEqual(NO_RANGE);
  expect(stillFree(of(3, 400), bounds())).toEqual({ start: day(3), end: "" });
  expect(stillFree(of(3, 5), bounds({ maxDays: 2 }))).toEqual({ start: day(3), end: "" });
});

/** Numbers that look random and are the same each time. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

/** What is wrong with what a tap made, if anything is. */
function wrongIn({ range, refused }: Tapped, tapped: string, some: Bounds): string {
  const { start, end } = range;
  if (start !== "" && !isOpen(start, some)) return "begins on a day that is shut";
  if (end !== "" && lengthOf(start, end) < 1) return "ends before it begins";
  if (end !== "" && !daysOf(start, end).every((one) => isOpen(one, some))) return "has a day that is shut";
  if (end !== "" && refusalOf(range, some) !== undefined) return "is too long";
  if (refused !== undefined && end !== "") return "is chosen and refused";
  // An open day is chosen, unless that is refused.
  const isIgnored = refused === undefined && isOpen(tapped, some) && start !== tapped && end !== tapped;
  return isIgnored ? "took no notice" : "";
}

it("whatever_is_tapped_what_is_chosen_can_be_had", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const next = numbers(seed);
    const upTo = (n: number): number => Math.floor(next.next().value * n);
    const blocked = new Set(Array.from({ length: upTo(12) }, () => day(upTo(40))));
    const some = bounds({ last: day(38), blocked, maxDays: upTo(10) });
    let range = NO_RANGE;
    for (let taps = 0; taps < 40; taps += 1) {
      const tapped = day(upTo(44) - 3);
      const result = tap(range, tapped, some);
      expect([seed, wrongIn(result, tapped, some)]).toEqual([seed, ""]);
      ({ range } = result);
    }
  }
});
