// What thinks among the rentals: what is due, what Home shows of it, what may be asked for, what may be given on top.
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import {
  PartySchema,
  type Rental,
  RentalSchema,
  RentalStatus,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { addDays } from "../../lib/days";
import { isOpen, tap } from "../../ui/range";
import { daysIn, gratitudeFrom } from "./borrow";
import { dueText, dueTone } from "../../ui/due";
import { plannedFrom, toneOf } from "./planned";
import { boundsOf, extensionBounds } from "./queries";

const TODAY = "2026-11-21";
const plain = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, "");

it.each([
  [-12, "12 days overdue", "no"],
  [-1, "1 day overdue", "no"],
  [0, "Due today", "wait"],
  [1, "1 day left", "wait"],
  [2, "2 days left", "idle"],
  [40, "40 days left", "idle"],
] as const)("with_%d_days_left_it_says_%s", (left, text, tone) => {
  expect(plain(dueText(left))).toBe(text);
  expect(dueTone(left)).toBe(tone);
});

type Part = Partial<Omit<Rental, "$typeName" | "$unknown">>;
const rentalOf = (requestId: string, part: Part): Rental => create(RentalSchema, { requestId, today: TODAY, ...part });
const lent = (rental: Rental): Rental => ({ ...rental, owner: create(PartySchema, { uid: "ana" }) });
const out = (id: string, daysLeft: number): Rental =>
  rentalOf(id, {
    rentalStatus: RentalStatus.ACTIVE,
    daysLeft,
    startDate: "2026-11-01",
    endDate: addDays(TODAY, daysLeft),
  });
const planned = (id: string, inDays: number): Rental =>
  rentalOf(id, { rentalStatus: RentalStatus.ACCEPTED, startDate: addDays(TODAY, inDays), endDate: "2026-12-31" });

it("what_is_overdue_comes_first_and_what_is_far_away_does_not_come", () => {
  const borrowed = [out("a", 3), planned("b", 8), out("c", -2), planned("g", 2)];
  const others = [planned("d", 0), out("e", 1), rentalOf("f", { rentalStatus: RentalStatus.RETURNED })];
  const shown = plannedFrom([...borrowed, ...others.map(lent)], "ana");
  expect(shown.map(({ rental, kind, inDays }) => [rental.requestId, kind, inDays])).toEqual([
    ["c", "return", -2],
    ["d", "handOver", 0],
    ["e", "getBack", 1],
    ["g", "pickUp", 2],
    ["a", "return", 3],
  ]);
  expect(shown.map(toneOf)).toEqual(["no", "wait", "wait", "idle", "idle"]);
});

it("at_most_five_are_shown_and_those_are_the_next", () => {
  const many = [6, 5, 4, 3, 2, 1, 0, -1].map((left) => out(String(left), left));
  expect(plannedFrom(many, "ana").map(({ inDays }) => inDays)).toEqual([-1, 0, 1, 2, 3]);
});

it("a_hand_over_whose_day_is_past_is_urgent_and_not_overdue", () => {
  expect(plannedFrom([planned("a", -3)], "ana").map(toneOf)).toEqual(["wait"]);
});

const free = {
  today: TODAY,
  bookedDates: ["2026-11-25"],
  borrowedDates: ["2026-11-21", "2026-11-22"],
  blockedDates: ["2026-11-28"],
};

it("what_is_booked_out_or_closed_cannot_be_asked_for", () => {
  const bounds = boundsOf(free, 7);
  expect(bounds).toMatchObject({ first: TODAY, last: "2027-11-20", maxDays: 7 });
  for (const day of ["2026-11-21", "2026-11-22", "2026-11-25", "2026-11-28"]) expect(isOpen(day, bounds)).toBe(false);
  for (const day of ["2026-11-23", "2026-11-26", "2027-11-20"]) expect(isOpen(day, bounds)).toBe(true);
});

const running = { startDate: "2026-11-20", endDate: "2026-11-22" };

it("more_days_are_stopped_by_the_next_booking_and_not_by_the_loan_itself", () => {
  const bounds = extensionBounds(free, running, 0);
  expect(bounds.first).toBe("2026-11-23");
  const none = { start: "2026-11-20", end: "" };
  expect(tap(none, "2026-11-24", bounds).range).toEqual({ start: "2026-11-20", end: "2026-11-24" });
  expect(tap(none, "2026-11-26", bounds)).toEqual({ range: none, refused: "taken" });
});

it("an_overdue_loan_is_kept_until_today_or_later", () => {
  const overdue = { startDate: "2026-11-10", endDate: "2026-11-12" };
  const bounds = extensionBounds({ ...free, bookedDates: ["2026-11-11"], blockedDates: [] }, overdue, 14);
  expect(bounds.first).toBe(TODAY);
  const none = { start: "2026-11-10", end: "" };
  expect(tap(none, TODAY, bounds).range).toEqual({ start: "2026-11-10", end: TODAY });
  expect(isOpen("2026-11-23", bounds)).toBe(true);
  expect(isOpen("2026-11-24", bounds)).toBe(false);
});

it.each([
  ["", 0],
  ["0", 0],
  ["12", 12],
  [" 7 ", 7],
  ["12.9", 12],
  ["9,5", 9],
  ["9999", 9999],
  [".5", 0],
  ["५", 5],
  ["٩٩٩٩", 9999],
  ["۱۲٫۹", 12],
  ["١٬٢٣٤", 1234],
  ["৭", 7],
  ["１２", 12],
  ["𝟏𝟐", 12],
  ["\u202a1234\u202c", 1234],
  ["9\u00a0999", 9999],
])("a_gratitude_of_%j_is_%d", (typed, amount) => expect(gratitudeFrom(typed)).toBe(amount));

it.each(["-1", "abc", "1e3", "10000", "1.2.3", ".", "9,999", "①", "１００００", "٫"])(
  "a_gratitude_of_%j_is_none",
  (typed) => {
    expect(gratitudeFrom(typed)).toBeNaN();
  },
);

it.each([
  ["start=2026-11-28&end=2026-12-01", { start: "2026-11-28", end: "2026-12-01" }],
  ["start=2026-11-28&end=2026-11-28", { start: "2026-11-28", end: "2026-11-28" }],
  ["start=2026-11-28&end=2026-11-27", null],
  ["start=2026-11-28", null],
  ["start=2026-02-30&end=2026-03-01", null],
  ["", null],
])("the_days_of_%j_are_handed_on", (search, days) => {
  expect(daysIn(new URLSearchParams(search))).toEqual(days);
});
