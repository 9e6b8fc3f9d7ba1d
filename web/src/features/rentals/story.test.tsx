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

const K = RentalEventKind;
type Happened = { kind: RentalEventKind; actorId: string; amount?: number };
const ben = (kind: RentalEventKind, amount = 0): Happened => ({ kind, actorId: "ben", amount });
const ana = (kind: RentalEventKind, amount = 0): Happened => ({ kind, actorId: "ana", amount });

function told(rental: Parameters<typeof showRental>[1], events: Happened[]): string[] {
  const at = timestampFromDate(new Date());
  showRental("ben", { ...rental, story: events.map((event) => ({ ...event, at })) });
  const steps = within(screen.getByRole("list", { name: "The story so far" })).getAllByRole("listitem");
  return steps.map(
    (step) =>
      step
        .querySelector(".tx > div")
        ?.textContent.replaceAll(/[\u2068\u2069]/g, "")
        .replaceAll("\u00a0", " ") ?? "",
  );
}

it("the_story_tells_what_was_paid_and_which_side_noted_it", () => {
  const events = [ana(K.DEPOSIT_RECEIVED, 40), ben(K.PAID, 15), { kind: K.DEPOSIT_RETURNED, actorId: "", amount: 40 }];
  expect(told({ rentalStatus: RentalStatus.COMPLETED, paid: 15 }, events)).toEqual([
    "Ana marked the deposit as paid ($40.00 USD)",
    "You marked the rental as paid ($15.00 USD)",
    "A former member marked the deposit as returned ($40.00 USD)",
  ]);
});

it("the_story_tells_each_correction_of_a_payment", () => {
  const events = [
    ben(K.PAID, 20),
    ana(K.NOT_PAID, 20),
    ben(K.PAID, 20),
    ana(K.DEPOSIT_RECEIVED, 40),
    ana(K.DEPOSIT_NOT_RECEIVED, 40),
    ana(K.DEPOSIT_RETURNED, 40),
    ben(K.DEPOSIT_NOT_RETURNED, 40),
    ana(K.CANCELLED),
    ana(K.REFUNDED, 20),
  ];
  expect(told({ rentalStatus: RentalStatus.CANCELLED, gratitude: 5 }, events)).toEqual([
    "You marked the rental and gratitude as paid ($20.00 USD)",
    "Ana marked the rental and gratitude as not paid ($20.00 USD)",
    "You marked the rental and gratitude as paid ($20.00 USD)",
    "Ana marked the deposit as paid ($40.00 USD)",
    "Ana marked the deposit as not paid ($40.00 USD)",
    "Ana marked the deposit as returned ($40.00 USD)",
    "You marked the deposit as not returned ($40.00 USD)",
    "Ana cancelled",
    "Ana marked the payment as settled ($20.00 USD)",
  ]);
});

it("the_story_tells_the_amount_of_each_payment_whatever_the_total_is_now", () => {
  const events = [ben(K.PAID, 15), ana(K.EXTENDED), ben(K.PAID, 10), ana(K.NOT_PAID, 10)];
  expect(told({ rentalStatus: RentalStatus.COMPLETED, totalPrice: 25, paid: 15, due: 10 }, events)).toEqual([
    "You marked the rental as paid ($15.00 USD)",
    "Ana agreed to more days",
    "You marked the rental as paid ($10.00 USD)",
    "Ana marked the rental as not paid ($10.00 USD)",
  ]);
});

it("the_story_names_no_amount_that_is_not_known", () => {
  expect(told({ rentalStatus: RentalStatus.COMPLETED, paid: 15 }, [ben(K.PAID), ana(K.DEPOSIT_RETURNED)])).toEqual([
    "You marked the rental as paid",
    "Ana marked the deposit as returned",
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
