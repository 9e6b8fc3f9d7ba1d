// The management of an item: what its owner reads of it, what is done with it, and its end.
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import {
  CancellationPolicy,
  type Item,
  ItemAction,
  ItemStatus,
  LocationSchema,
  Visibility,
} from "../../gen/later/goodturn/items/v1/items_service_pb";
import {
  type Rental,
  RentalSchema,
  RentalStatus,
  StatusWord,
  HandoverSchema,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { daysOf } from "../../lib/days";
import { actionsOf, anItem, itemServer } from "../../testing/items";
import { lost, refusal } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { ManageScreen } from "./ManageScreen";

const { questions } = vi.hoisted(() => ({ questions: { asked: [] as string[], answer: true } }));

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed({ title }: { title: string }): Promise<boolean> {
    questions.asked.push(title);
    return Promise.resolve(questions.answer);
  },
}));

beforeEach(() => {
  questions.asked = [];
  questions.answer = true;
  window.history.replaceState(null, "", "/share/items/i1/manage");
});

type More = Partial<Omit<Item, "$typeName">>;

function open(more: More = {}, rentals: Rental[] = []) {
  const server = itemServer([anItem("i1", "Ladder", more)]);
  server.state.rentals = rentals;
  renderWith(server.routes, <ManageScreen id="i1" />);
  return server;
}

const plain = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, "").replaceAll("\u00a0", " ");
const rowsOf = (name: string): Promise<string[]> =>
  screen.findByRole("region", { name }).then((place) =>
    within(place)
      .getAllByRole("definition")
      .map((value) => plain(value.textContent)),
  );
const press = (name: string): Promise<void> =>
  screen.findByRole("button", { name }).then((button) => userEvent.click(button));

it("its_details_stand_there_and_what_was_left_askingsays_so", async () => {
  open();
  expect(await rowsOf("Details")).toEqual([
    "Free to borrow",
    "None",
    "Tools & Equipment",
    "No limit",
    "Not set",
    "Friends",
    "Flexible",
  ]);
  const names = within(screen.getByRole("region", { name: "Details" })).getAllByRole("term");
  expect(names.map(({ textContent }) => textContent)).toEqual([
    "Price per day",
    "Deposit",
    "Category",
    "Maximum rental period",
    "Location",
    "Visibility",
    "Cancellation policy",
  ]);
});

it("what_was_set_stands_in_their_place", async () => {
  open({
    pricePerDay: 5,
    deposit: 40,
    maxDays: 7,
    location: create(LocationSchema, { city: "Porto" }),
    visibility: Visibility.PUBLIC,
    cancellationPolicy: CancellationPolicy.STRICT,
  });
  expect(await rowsOf("Details")).toEqual([
    "$5.00 USD per day",
    "$40.00 USD",
    "Tools & Equipment",
    "7 days",
    "Porto",
    "Public",
    "Strict",
  ]);
});

it.each([
  [["g1"], "Friends in 1 group"],
  [["g1", "g2"], "Friends in 2 groups"],
])("narrowed_to_%j_it_says_so", async (groupIds, text) => {
  open({ groupIds, visibility: Visibility.FRIENDS });
  expect((await rowsOf("Details"))[5]).toBe(text);
});

it("its_numbers_are_those_of_the_server", async () => {
  open();
  const stats = within(await screen.findByRole("region", { name: "Rental statistics" }));
  const term = await stats.findAllByRole("term");
  expect(term.map(({ textContent }) => textContent)).toEqual([
    "Total rentals",
    "Total earned",
    "Days rented",
    "Active requests",
  ]);
  expect(stats.getAllByRole("definition").map((value) => plain(value.textContent))).toEqual([
    "3",
    "$45.00 USD",
    "12",
    "1",
  ]);
});

/** As the server tells it here: its word is that of a borrow request, which knows nothing of a hand-over. */
const rental = (requestId: string, name: string, rentalStatus: RentalStatus, status: StatusWord): Rental =>
  create(RentalSchema, {
    requestId,
    borrower: { name },
    status,
    rentalStatus,
    startDate: "2026-11-28",
    endDate: "2026-11-30",
  });

it("who_asks_for_it_and_who_had_it_stand_apart_and_lead_to_their_rentals", async () => {
  open({}, [
    rental("r1", "Ben Okafor", RentalStatus.PENDING, StatusWord.INITIATED),
    rental("r2", "Zoe Arndt", RentalStatus.ACTIVE, StatusWord.ACCEPTED),
    rental("r3", "Eve Stone", RentalStatus.COMPLETED, StatusWord.COMPLETED),
    rental("r4", "Mia Young", RentalStatus.DECLINED, StatusWord.REJECTED),
  ]);
  const asking = within(await screen.findByRole("list", { name: "Active requests" }));
  expect(asking.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/share/rentals/r1",
    "/share/rentals/r2",
  ]);
  expect(asking.getByText("Pending")).toHaveAttribute("data-tone", "wait");
  expect(asking.getByText("Active")).toHaveAttribute("data-tone", "wait");
  const over = within(await screen.findByRole("list", { name: "History" }));
  expect(over.getAllByRole("listitem").map((row) => plain(row.textContent))).toEqual([
    expect.stringMatching(/Eve Stone.*Nov 28 – 30.*Completed/),
    expect.stringMatching(/Mia Young.*Nov 28 – 30.*Declined/),
  ]);
});

it("what_is_out_says_how_long_still_and_what_is_late_says_so", async () => {
  const late = rental("r1", "Ben Okafor", RentalStatus.ACTIVE, StatusWord.ACCEPTED);
  const soon = rental("r2", "Eve Stone", RentalStatus.ACTIVE, StatusWord.ACCEPTED);
  open({}, [Object.assign(late, { daysLeft: -2 }), Object.assign(soon, { daysLeft: 3 })]);
  const out = within(await screen.findByRole("list", { name: "Active requests" }));
  expect(out.getByText("2 days overdue")).toHaveAttribute("data-tone", "no");
  expect(out.getByText("3 days left")).toHaveAttribute("data-tone", "idle");
});

it("what_came_back_before_its_last_day_says_when", async () => {
  const late = rental("r1", "Ben Okafor", RentalStatus.COMPLETED, StatusWord.COMPLETED);
  const early = rental("r2", "Eve Stone", RentalStatus.COMPLETED, StatusWord.COMPLETED);
  late.returned = create(HandoverSchema, { at: timestampFromDate(new Date(2026, 11, 2, 12)) });
  early.returned = create(HandoverSchema, { at: timestampFromDate(new Date(2026, 10, 28, 12)) });
  open({}, [late, early]);
  const over = within(await screen.findByRole("list", { name: "History" }));
  expect(over.getAllByRole("listitem").map((row) => plain(row.textContent))).toEqual([
    expect.stringMatching(/Nov 28 – 30Completed/),
    expect.stringMatching(/Nov 28 – 30 · back Nov 28Completed/),
  ]);
});

it("where_nobody_asked_it_says_so", async () => {
  open();
  expect(await screen.findByText("No requests right now.")).toBeInTheDocument();
  expect(await screen.findByText("No past rentals yet.")).toBeInTheDocument();
});

it("requests_and_numbers_that_do_not_come_say_so_and_are_tried_again", async () => {
  const { state, routes } = itemServer([anItem("i1", "Ladder")]);
  Object.assign(state.fails, { getItemStats: lost(), listItemRentals: lost() });
  renderWith(routes, <ManageScreen id="i1" />);
  expect(await screen.findByText("Failed to load statistics")).toBeInTheDocument();
  expect(await screen.findByText("Failed to load requests")).toBeInTheDocument();
  for (const retry of screen.getAllByRole("button", { name: "Retry" })) await userEvent.click(retry);
  await waitFor(() => expect(screen.queryByText(/^Failed to load/)).toBeNull());
  expect(screen.getByText("Total rentals")).toBeInTheDocument();
});

it("it_is_taken_off_the_list_after_a_question_and_can_be_edited", async () => {
  open();
  expect(await screen.findByRole("link", { name: "Edit" })).toHaveAttribute("href", "/share/items/i1/edit");
  await press("Unlist");
  expect(questions.asked).toEqual(["Unpublish Item"]);
  expect(await screen.findByText("Item unlisted")).toBeInTheDocument();
  expect(await screen.findByRole("button", { name: "List" })).toBeInTheDocument();
});

it("what_could_not_be_listed_says_why_where_that_is_known", async () => {
  const draft = { status: ItemStatus.DRAFT, allowedActions: actionsOf(ItemStatus.DRAFT) };
  const { state } = open(draft);
  state.fails["updateItem"] = lost();
  await press("List");
  expect(await screen.findByText(/Failed to list item\. Please try again\./)).toBeInTheDocument();
  state.fails["updateItem"] = refusal("NOT_FOUND", Code.NotFound);
  await press("List");
  expect(await screen.findByText("Failed to list item. It was deleted.")).toBeInTheDocument();
});

it("it_is_deleted_in_the_danger_zone_after_a_question", async () => {
  const { callsOf } = open();
  expect(await screen.findByRole("region", { name: "Danger Zone" })).toBeInTheDocument();
  questions.answer = false;
  await press("Delete Item");
  expect(callsOf("deleteItem")).toEqual([]);
  questions.answer = true;
  await press("Delete Item");
  await waitFor(() => expect(window.location.search).toBe("?tab=mine"));
  expect(questions.asked).toEqual(["Delete Item", "Delete Item"]);
  expect(callsOf("deleteItem")).toHaveLength(1);
  expect(screen.getByText("Item deleted")).toBeInTheDocument();
});

it.each([
  [lost(), /Failed to delete item\. Please try again\./],
  [refusal("WRONG_STATE"), /You can't delete it while it's booked or on loan\./],
])("what_could_not_be_deleted_says_why_and_stays", async (error, text) => {
  const { state } = open();
  state.fails["deleteItem"] = error;
  await press("Delete Item");
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "Ladder" })).toBeInTheDocument();
});

it("what_was_taken_off_the_list_and_not_answered_is_no_failure", async () => {
  const { state, callsOf } = open();
  state.unanswered = ["updateItem"];
  await press("Unlist");
  expect(await screen.findByText("Item unlisted")).toBeInTheDocument();
  expect(callsOf("updateItem")).toHaveLength(1);
});

it("what_was_deleted_and_not_answered_is_deleted", async () => {
  const { state, callsOf } = open();
  state.unanswered = ["deleteItem"];
  await press("Delete Item");
  expect(await screen.findByText("Item deleted")).toBeInTheDocument();
  await waitFor(() => expect(window.location.search).toBe("?tab=mine"));
  expect(callsOf("deleteItem")).toHaveLength(1);
});

it("what_was_deleted_and_could_not_be_looked_at_is_deleted_by_the_next_try", async () => {
  const { state } = open();
  state.unanswered = ["deleteItem"];
  await screen.findByRole("button", { name: "Delete Item" });
  state.fails["getItem"] = lost();
  await press("Delete Item");
  expect(await screen.findByText(/Failed to delete item\. Please try again\./)).toBeInTheDocument();
  await press("Retry");
  expect(await screen.findByText("Item deleted")).toBeInTheDocument();
  await waitFor(() => expect(window.location.search).toBe("?tab=mine"));
});

it("what_is_lent_says_why_it_cannot_be_deleted_now", async () => {
  open({ allowedActions: [ItemAction.EDIT] });
  const zone = await screen.findByRole("region", { name: "Danger Zone" });
  expect(zone).toHaveTextContent(
    "You can't delete it while it's booked or on loan. Please finish or cancel those rentals first.",
  );
  expect(within(zone).queryByRole("button")).toBeNull();
});

it("who_does_not_own_it_manages_nothing", async () => {
  open({ isOwner: false, allowedActions: [] });
  expect(await screen.findByRole("heading", { name: "Unable to Load Item" })).toBeInTheDocument();
  expect(screen.queryByText("Danger Zone")).toBeNull();
});

const dayAt = (name: string): Promise<HTMLElement> => screen.findByRole("button", { name });

it("days_to_come_are_closed_while_it_is_overdue_and_it_is_said_that_nobody_can_ask", async () => {
  const { state } = open();
  Object.assign(state, { out: daysOf("2026-11-23", "2027-11-23"), taken: ["2026-11-26"] });
  expect(await screen.findByText(/^None\. It's overdue, so nobody can ask for it/)).toBeInTheDocument();
  await press("Choose days");
  expect(await dayAt("November 23, 2026, unavailable, today")).toBeDisabled();
  expect(await dayAt("November 26, 2026, unavailable")).toBeDisabled();
  await userEvent.click(await dayAt("November 24, 2026"));
  await userEvent.click(await dayAt("November 25, 2026"));
  await press("Mark unavailable");
  expect(await screen.findByText("Unavailable days saved")).toBeInTheDocument();
  expect(state.closed).toEqual([{ startDate: "2026-11-24", endDate: "2026-11-25" }]);
});

it("of_one_that_is_out_and_not_overdue_the_days_to_its_last_one_cannot_be_closed", async () => {
  const { state } = open();
  state.out = daysOf("2026-11-23", "2026-11-25");
  expect(await screen.findByText("None.")).toBeInTheDocument();
  await press("Choose days");
  expect(await dayAt("November 25, 2026, unavailable")).toBeDisabled();
  expect(await dayAt("November 26, 2026")).toBeEnabled();
});
