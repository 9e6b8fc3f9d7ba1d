// The story of a rental: who did what, what is next, and what nobody did.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { RentalEventKind, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { showRental } from "../../testing/rentals";

it("the_story_tells_who_did_what_and_what_is_next", () => {
  const at = timestampFromDate(new Date());
  showRental("ben", {
    rentalStatus: RentalStatus.ACTIVE,
    daysLeft: 1,
    story: [
      { kind: RentalEventKind.ASKED, actorId: "ben", at },
      { kind: RentalEventKind.ACCEPTED, actorId: "ana", at },
      { kind: RentalEventKind.STARTED, actorId: "", at },
    ],
  });
  const steps = within(screen.getByRole("list", { name: "The story so far" })).getAllByRole("listitem");
  expect(steps.map((step) => step.querySelector(".tx > div")?.textContent.replaceAll(/[\u2068\u2069]/g, ""))).toEqual([
    "You asked to borrow it",
    "Ana accepted",
    "A former member marked it as handed over",
    "On loan, return is next",
    "Returned and confirmed",
  ]);
});

it("the_story_tells_what_was_paid_and_which_side_noted_it", () => {
  const at = timestampFromDate(new Date());
  showRental("ben", {
    rentalStatus: RentalStatus.COMPLETED,
    story: [
      { kind: RentalEventKind.DEPOSIT_RECEIVED, actorId: "ana", at },
      { kind: RentalEventKind.PAID, actorId: "ben", at },
      { kind: RentalEventKind.DEPOSIT_RETURNED, actorId: "", at },
    ],
  });
  const steps = within(screen.getByRole("list", { name: "The story so far" })).getAllByRole("listitem");
  expect(steps.map((step) => step.querySelector(".tx > div")?.textContent.replaceAll(/[\u2068\u2069]/g, ""))).toEqual([
    "Ana marked the deposit as paid",
    "You marked the rental as paid",
    "A former member marked the deposit as returned",
  ]);
});

it("what_is_overdue_does_not_come_back_on_a_day_that_is_past", () => {
  showRental("ben", { rentalStatus: RentalStatus.ACTIVE, daysLeft: -2, story: [] });
  const steps = within(screen.getByRole("list", { name: "The story so far" })).getAllByRole("listitem");
  expect(steps[0]?.querySelector(".tx > div")?.textContent).toBe("On loan and overdue");
});

it("a_story_that_ended_has_nothing_ahead", () => {
  showRental("ben", {
    rentalStatus: RentalStatus.CANCELLED,
    story: [{ kind: RentalEventKind.CANCELLED, actorId: "ana", at: timestampFromDate(new Date()) }],
  });
  const steps = within(screen.getByRole("list", { name: "The story so far" })).getAllByRole("listitem");
  expect(steps).toHaveLength(1);
  expect(steps[0]).toHaveAttribute("data-step", "ended");
});

it.each([
  [RentalStatus.CANCELLED, [], "ended", "The dates passed without a response"],
  [RentalStatus.CANCELLED, [RentalEventKind.ACCEPTED], "ended", "The dates passed without a handover"],
  [
    RentalStatus.COMPLETED,
    [RentalEventKind.ACCEPTED, RentalEventKind.RETURNED],
    "done",
    "Confirmed automatically after two weeks",
  ],
])("what_time_has_done_was_done_by_nobody_%#", (rentalStatus, before, kind, what) => {
  const at = timestampFromDate(new Date());
  const story = [...before, RentalEventKind.LAPSED].map((event) => ({ kind: event, actorId: "", at }));
  showRental("ben", { rentalStatus, story });
  const step = within(screen.getByRole("list", { name: "The story so far" })).getAllByRole("listitem")[before.length];
  expect(step).toHaveAttribute("data-step", kind);
  expect(step?.querySelector(".tx > div")?.textContent).toBe(what);
});
