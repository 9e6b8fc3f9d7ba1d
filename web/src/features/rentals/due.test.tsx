// What Home shows of the member's rentals: one question for both sides, and what each of them is to do.
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import {
  ExtensionSchema,
  type ListRentalsRequest,
  type Rental,
  RentalAction,
  RentalSchema,
  RentalsService,
  RentalStatus,
  Side,
  StatusWord,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { addDays } from "../../lib/days";
import { renderWith } from "../../testing/render";
import { DueList, WaitingRentals } from "./DueList";
import { OpenWithOthers } from "./OpenWithOthers";
import type { Planned } from "./planned";

/** The day where the owners are, wherever the device is. */
const today = "2031-02-28";
const [ANA, BEN] = [
  { uid: "ana", name: "Ana Silva" },
  { uid: "ben", name: "Ben Okafor" },
];

/** Of a thing of Ana's, which Ben borrows; or the other way round. */
function rental(title: string, isOwn: boolean, rentalStatus: RentalStatus, inDays: number): Rental {
  const [owner, borrower] = isOwn ? [ANA, BEN] : [BEN, ANA];
  const days = { today, startDate: addDays(today, inDays), endDate: addDays(today, inDays) };
  const left = rentalStatus === RentalStatus.ACTIVE ? { daysLeft: inDays } : {};
  return create(RentalSchema, { requestId: title, item: { title }, owner, borrower, rentalStatus, ...days, ...left });
}

function show(rentals: Rental[], fails?: ConnectError) {
  const state = {
    asked: [] as ListRentalsRequest[],
    fails,
    waiting: undefined as readonly Planned[] | null | undefined,
  };
  renderWith(
    ({ service }) =>
      service(RentalsService, {
        listRentals(request) {
          state.asked.push(request);
          if (state.fails !== undefined) throw state.fails;
          return { rentals };
        },
      }),
    <DueList me="ana" onWait={(waiting) => void (state.waiting = waiting)} />,
  );
  return state;
}

const rows = (): string[] =>
  screen.getAllByRole("listitem").map(({ textContent }) => textContent.replaceAll(/[\u2068\u2069]/g, ""));

it("both_sides_are_asked_for_at_once_and_each_is_told_what_to_do", async () => {
  const { asked } = show([
    rental("Ladder", true, RentalStatus.ACTIVE, 2),
    rental("Drill", true, RentalStatus.ACCEPTED, 0),
    rental("Bike", false, RentalStatus.ACTIVE, -1),
    rental("Tent", false, RentalStatus.ACCEPTED, 1),
  ]);
  expect(await screen.findByRole("heading", { name: "What's due" })).toBeInTheDocument();
  const [first, ...others] = rows();
  expect(first).toBe("BikeReturn to Ben Okafor1 day overdue");
  expect(others).toEqual([
    "DrillHand over to Ben OkaforToday",
    "TentPick up from Ben OkaforTomorrow",
    "LadderDue back from Ben Okafor2 days left",
  ]);
  expect(screen.getAllByRole("link")[0]).toHaveAttribute("href", "/share/rentals/Bike");
  expect(asked.map(({ side, status }) => [side, status])).toEqual([
    [Side.UNSPECIFIED, [StatusWord.PENDING, StatusWord.ACCEPTED, StatusWord.ACTIVE, StatusWord.RETURNED]],
  ]);
});

const unknown = (): never => {
  throw new Error("it is not known what waits");
};

it("what_waits_for_the_owners_word_is_told_and_is_not_due_as_well", async () => {
  const more = { ...rental("Bike", true, RentalStatus.ACTIVE, 1) };
  const state = show([
    rental("Ladder", true, RentalStatus.ACTIVE, -2),
    { ...more, extension: create(ExtensionSchema, { endDate: addDays(today, 3) }) },
    rental("Drill", true, RentalStatus.PENDING, 30),
    rental("Mower", true, RentalStatus.ACCEPTED, 0),
    rental("Saw", true, RentalStatus.RETURNED, 0),
    // Others are to answer these.
    rental("Tent", false, RentalStatus.PENDING, 3),
    rental("Boat", false, RentalStatus.RETURNED, 0),
    // Its days are over.
    rental("Sledge", true, RentalStatus.PENDING, -1),
  ]);
  await screen.findByRole("heading", { name: "What's due" });
  expect(rows()).toEqual(["LadderDue back from Ben Okafor2 days overdue", expect.stringMatching(/^MowerHand over/)]);
  cleanup();
  renderWith(() => undefined, <WaitingRentals waiting={state.waiting ?? unknown()} label="Waiting" />);
  expect(rows()).toEqual([
    "BikeBen Okafor wants more daysAnswer",
    "DrillBen Okafor wants to borrow itAnswer",
    "SawConfirm the return from Ben OkaforAnswer",
  ]);
});

it("where_nothing_is_due_nothing_stands_there", async () => {
  const { asked } = show([rental("Ladder", true, RentalStatus.ACCEPTED, 30)]);
  await expect.poll(() => asked.length).toBe(1);
  expect(screen.queryByText("What's due")).toBeNull();
});

it("what_could_not_be_loaded_says_so_and_is_tried_again", async () => {
  const state = show([rental("Bike", false, RentalStatus.ACTIVE, 0)], new ConnectError("down", Code.Internal));
  expect(await screen.findByText("Couldn't load what's due.")).toBeInTheDocument();
  state.fails = undefined;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Due today")).toBeInTheDocument();
});

const over = (title: string, isOwn: boolean, status: RentalStatus, more: Partial<Rental>): Rental =>
  Object.assign(rental(title, isOwn, status, -3), { currency: 1, ...more });

it("open_payments_of_a_rental_that_is_over_stay_in_sight", async () => {
  const returns = [RentalAction.RETURN_DEPOSIT];
  show([
    over("Drill", false, RentalStatus.COMPLETED, { due: 25, deposit: 100, allowedActions: returns }),
    over("Ladder", true, RentalStatus.CANCELLED, { deposit: 60, allowedActions: returns }),
    over("Saw", false, RentalStatus.COMPLETED, {}),
    over("Boat", true, RentalStatus.CANCELLED, { paid: 20, allowedActions: [RentalAction.REFUND] }),
    over("Sledge", false, RentalStatus.CANCELLED, { paid: 9, allowedActions: [RentalAction.REFUND] }),
    // Its other side has left.
    over("Kite", true, RentalStatus.CANCELLED, { paid: 7 }),
  ]);
  expect(await screen.findByText("Drill", { selector: "li:first-child *" })).toBeInTheDocument();
  expect(rows()).toEqual([
    "DrillPay Ben Okafor$25.00 USD",
    "DrillDeposit due back from Ben Okafor$100.00 USD",
    "LadderReturn the deposit to Ben Okafor$60.00 USD",
    "BoatPayment to settle with Ben Okafor$20.00 USD",
    "SledgePayment to settle with Ben Okafor$9.00 USD",
  ]);
});

it("a_price_is_due_to_the_borrower_from_the_hand_over_and_to_the_owner_once_the_item_is_back", async () => {
  const due = { currency: 1, due: 23.5 };
  show([
    Object.assign(rental("Drill", false, RentalStatus.ACCEPTED, 30), due),
    Object.assign(rental("Tent", false, RentalStatus.ACTIVE, 30), due),
    Object.assign(rental("Saw", true, RentalStatus.ACTIVE, 30), due),
    Object.assign(rental("Boat", true, RentalStatus.RETURNED, 0), due),
    over("Kite", true, RentalStatus.COMPLETED, { due: 3 }),
  ]);
  await screen.findByRole("heading", { name: "What's due" });
  expect(rows()).toEqual([
    "TentPay Ben Okafor$23.50 USD",
    "BoatPayment due from Ben Okafor$23.50 USD",
    "KitePayment due from Ben Okafor$3.00 USD",
  ]);
});

function showOpen(rentals: Rental[], fails?: ConnectError): { asked: number } {
  const state = { asked: 0 };
  renderWith(
    ({ service }) =>
      service(RentalsService, {
        listRentals() {
          state.asked += 1;
          if (fails !== undefined) throw fails;
          return { rentals };
        },
      }),
    <OpenWithOthers me="ana" />,
  );
  return state;
}

it("what_is_open_with_others_is_told_before_an_account_is_closed", async () => {
  showOpen([
    over("Drill", false, RentalStatus.COMPLETED, { due: 25 }),
    // The owner is not paid by somebody who cannot know them any more.
    over("Tent", true, RentalStatus.COMPLETED, { due: 30 }),
    over("Saw", false, RentalStatus.COMPLETED, {}),
    rental("Ladder", true, RentalStatus.ACTIVE, 2),
  ]);
  const note = (await screen.findByText("3 things are still open.")).closest("[role=status]");
  expect(note).toHaveTextContent("We recommend settling them first:");
  expect(rows()).toEqual([
    expect.stringMatching(/^LadderDue back from Ben Okafor/),
    "DrillPay Ben Okafor$25.00 USD",
    "TentPayment due from Ben Okafor$30.00 USD",
  ]);
  expect(screen.getAllByRole("link")[1]).toHaveAttribute("href", "/share/rentals/Drill");
});

it("a_deposit_that_is_still_held_is_told_too", async () => {
  const held = { deposit: 40, depositReceivedAt: timestampFromDate(new Date()) };
  const back = { ...held, allowedActions: [RentalAction.RETURN_DEPOSIT] };
  const returned = { ...held, depositReturnedAt: timestampFromDate(new Date()) };
  showOpen([
    over("Drill", true, RentalStatus.ACTIVE, held),
    over("Tent", false, RentalStatus.ACTIVE, held),
    over("Boat", false, RentalStatus.ACCEPTED, held),
    over("Saw", true, RentalStatus.RETURNED, back),
    over("Bike", false, RentalStatus.COMPLETED, back),
    over("Sledge", true, RentalStatus.ACCEPTED, returned),
    over("Kite", true, RentalStatus.ACCEPTED, { deposit: 40 }),
    // Its other side has left.
    over("Rake", true, RentalStatus.COMPLETED, held),
  ]);
  expect(await screen.findByText("7 things are still open.")).toBeInTheDocument();
  expect(rows().filter((row) => row.includes("eposit"))).toEqual([
    "SawReturn the deposit to Ben Okafor$40.00 USD",
    "BikeDeposit due back from Ben Okafor$40.00 USD",
    "DrillReturn the deposit to Ben Okafor$40.00 USD",
  ]);
});

it("what_was_paid_for_a_rental_that_will_be_cancelled_is_told_too", async () => {
  showOpen([
    over("Tent", true, RentalStatus.ACCEPTED, { paid: 24 }),
    over("Boat", false, RentalStatus.ACCEPTED, { paid: 10 }),
    over("Kite", true, RentalStatus.ACCEPTED, {}),
  ]);
  expect(await screen.findByText("2 things are still open.")).toBeInTheDocument();
  expect(rows()).toEqual([
    expect.stringMatching(/^Tent.*\$24\.00 USD$/),
    expect.stringMatching(/^Boat.*\$10\.00 USD$/),
  ]);
});

it.each([
  ["nothing_is_open", undefined],
  ["they_are_not_known", new ConnectError("down", Code.Internal)],
])("no_open_payments_are_told_where_%s", async (_why, fails) => {
  const state = showOpen([rental("Ladder", true, RentalStatus.ACCEPTED, 2)], fails);
  await expect.poll(() => state.asked).toBe(1);
  expect(screen.queryByText(/still open/)).toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
});
