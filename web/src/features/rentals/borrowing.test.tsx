// Asking to borrow an item: its days, its texts, what is refused, and that it is sent once whatever happens.
import { Code, ConnectError } from "@connectrpc/connect";
import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { CancellationPolicy, ItemsService, ItemStatus } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { forgetAll } from "../../lib/kept";
import { choose, day, plain, send, show } from "../../testing/borrowing";
import { refusal } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { borrowOf } from "./borrow";
import { BorrowScreen } from "./BorrowScreen";

beforeEach(() => forgetAll());

const FRIENDS_ONLY =
  "This item is only available to friends. Send a friend request to the owner to access their items.";

it("shows_what_is_asked_for_and_its_conditions", async () => {
  show({ url: "https://example.com/projector" });
  expect(await screen.findByRole("heading", { name: "Projector" })).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "Borrow Request", level: 1 })).toBeInTheDocument();
  expect(screen.getByText("Ana Silva")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Reference link" })).toHaveAttribute("rel", "noopener noreferrer");
  expect(plain(document.querySelector("dl.facts")?.textContent)).toBe(
    "Price per day$5.00 USD per daySecurity deposit$40.00 USDMaximum rental period7 days" +
      "Cancellation policyFlexible. Free cancellation until the day before.",
  );
});

it("a_request_is_sent_with_its_days_words_and_gratitude", async () => {
  const { state } = show();
  await choose(28, 30);
  expect(await screen.findByText("It's available on all 3 days.")).toBeInTheDocument();
  expect(screen.getByText("Available")).toBeInTheDocument();
  expect(plain(screen.getByText("Duration").parentElement?.textContent)).toBe("Duration 3 days");
  expect(plain(document.querySelector(".estimate")?.textContent)).toBe(
    "$5.00 × 3 days$15.00Refundable deposit$40.00Total with deposit$55.00 USD",
  );
  await userEvent.type(screen.getByLabelText("Message (optional)"), "  A film night  ");
  await userEvent.type(screen.getByLabelText("Gratitude (optional)"), "12.9");
  expect(plain(document.querySelector(".estimate")?.textContent)).toMatch(
    /Gratitude\$12\.00Total with deposit and gratitude\$67\.00 USD$/,
  );
  await send();
  await waitFor(() => expect(window.location.pathname + window.location.search).toBe("/share?tab=requests&view=sent"));
  expect(state.sent).toEqual([
    { itemId: state.id, startDate: "2026-11-28", endDate: "2026-11-30", message: "A film night", gratitude: 12 },
  ]);
  expect(screen.getByText("Your request was sent. We let the owner know.")).toBeInTheDocument();
});

it("what_costs_nothing_is_free_and_no_sum_of_nothing", async () => {
  show({ pricePerDay: 0, deposit: 0 });
  await choose(27, 29);
  await screen.findByText("It's available on all 3 days.");
  expect(plain(document.querySelector(".estimate")?.textContent)).toBe("3 daysFree to borrow");
});

it.each([
  [CancellationPolicy.STRICT, true],
  [CancellationPolicy.FLEX, false],
])("days_whose_free_cancellation_is_over_are_called_so_under_policy_%d", async (cancellationPolicy, isOver) => {
  show({ cancellationPolicy });
  await choose(23, 24);
  await waitFor(() => expect(document.querySelector(".estimate")).toBeInTheDocument());
  const said = screen.queryByText("Free cancellation is already over for these days.");
  expect(said !== null).toBe(isOver);
});

it("where_only_friends_may_ask_both_ways_on_stand_in_a_row", async () => {
  window.history.replaceState(null, "", "/share/items/none/borrow");
  renderWith(
    ({ service }) =>
      service(ItemsService, {
        getItem() {
          throw refusal("FRIENDS_ONLY", Code.PermissionDenied);
        },
      }),
    <BorrowScreen id="none" me="ben" />,
  );
  const row = (await screen.findByRole("link", { name: "Find Friends" })).parentElement;
  expect(row).toHaveClass("row");
  expect(row).toContainElement(screen.getByRole("button", { name: "Go Back" }));
});

it("what_is_free_and_has_no_bounds_says_so", async () => {
  show({ pricePerDay: 0, deposit: 0, maxDays: 0 });
  await screen.findByRole("heading", { name: "Projector" });
  expect(plain(document.querySelector("dl.facts")?.textContent)).toMatch(
    /^Price per dayFree to borrowSecurity depositNoneMaximum rental periodNo limit/,
  );
  expect(screen.queryByRole("link", { name: "Reference link" })).toBeNull();
});

it("a_range_that_is_too_long_is_refused_in_the_documented_words", async () => {
  show({ maxDays: 3 });
  await choose(27, 30);
  expect(await screen.findByText("Rental Period Too Long")).toBeInTheDocument();
  expect(screen.getByText("This item can only be rented for a maximum of 3 days.")).toBeInTheDocument();
});

it("a_calendar_that_does_not_come_says_so_and_is_tried_again", async () => {
  const { state } = show({}, "", new ConnectError("down", Code.Internal));
  expect(await screen.findByText("Failed to check availability")).toBeInTheDocument();
  state.daysFail = undefined;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await day(28)).toBeInTheDocument();
});

it("without_days_it_says_to_choose_them_first", async () => {
  const { state } = show();
  await day(28);
  await send();
  expect(await screen.findByText("Please select borrowing dates first.")).toBeInTheDocument();
  expect(state.sent).toEqual([]);
});

it("a_gratitude_that_is_no_amount_is_told_at_the_field_and_when_it_is_sent", async () => {
  const { state } = show();
  await choose(28, 28);
  await screen.findByText("It's available on this day.");
  const field = screen.getByLabelText("Gratitude (optional)");
  expect(field).toHaveAttribute("maxlength", "4");
  expect(field).toHaveAttribute("inputmode", "numeric");
  await userEvent.type(field, "-5");
  expect(screen.getByText("Amount must be between 0 and 9999")).toBeInTheDocument();
  await send();
  expect(await screen.findByText("Invalid Amount")).toBeInTheDocument();
  expect(field).toHaveFocus();
  expect(screen.getByText("Gratitude amount must be between 0 and 9999.")).toBeInTheDocument();
  expect(state.sent).toEqual([]);
});

it.each([
  ["\u202a1234\u202c", "1234"],
  ["𝟏𝟐𝟑𝟒", "1234"],
  ["１２３４\n", "1234"],
  ["1 234", "1234"],
])("a_gratitude_that_is_pasted_as_%j_is_not_cut", async (text, amount) => {
  show();
  const field = await screen.findByLabelText("Gratitude (optional)");
  await userEvent.click(field);
  await userEvent.paste(text);
  await userEvent.tab();
  expect(field).toHaveValue(amount);
  expect(screen.queryByText("Amount must be between 0 and 9999")).toBeNull();
});

it("a_pasted_gratitude_that_is_too_long_stays_and_is_told", async () => {
  show();
  const field = await screen.findByLabelText("Gratitude (optional)");
  await userEvent.click(field);
  await userEvent.paste("12345");
  expect(field).toHaveValue("12345");
  expect(screen.getByText("Amount must be between 0 and 9999")).toBeInTheDocument();
});

it("a_gratitude_is_rounded_down_where_it_stands_and_what_is_no_amount_is_not_counted", async () => {
  show();
  await choose(28, 28);
  await screen.findByText("It's available on this day.");
  const field = screen.getByLabelText("Gratitude (optional)");
  expect(field).toHaveAccessibleDescription(/We round it down to a whole amount\./);
  await userEvent.type(field, "12.5");
  await userEvent.tab();
  expect(field).toHaveValue("12");
  expect(plain(document.querySelector(".estimate")?.textContent)).toMatch(/Gratitude\$12\.00/);
  await userEvent.clear(field);
  await userEvent.type(field, "abc");
  await userEvent.tab();
  expect(field).toHaveValue("abc");
  expect(screen.getByText("Amount must be between 0 and 9999")).toBeInTheDocument();
  expect(document.querySelector(".estimate")).not.toHaveTextContent("Gratitude");
});

it("days_that_are_not_free_any_more_are_said_to_be_so_and_are_not_chosen_any_more", async () => {
  const { state } = show();
  state.taken = ["2026-11-28"];
  await choose(28, 30);
  expect(await screen.findByText("Dates Not Available")).toBeInTheDocument();
  expect(screen.getByText("This item is not available for the selected dates.")).toBeInTheDocument();
  expect(await day(28)).toHaveAttribute("aria-pressed", "false");
  await choose(29, 30);
  await waitFor(() => expect(screen.queryByText("Dates Not Available")).toBeNull());
});

it("what_cannot_be_checked_cannot_be_sent_and_is_tried_again", async () => {
  const { state } = show();
  state.checkFails = new ConnectError("down", Code.Internal);
  await choose(28, 30);
  expect(await screen.findByText("Unable to check availability. Please try again.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Send Borrow Request" })).toBeDisabled();
  state.checkFails = undefined;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("It's available on all 3 days.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Send Borrow Request" })).toBeEnabled();
});

it("the_days_of_the_item_s_own_screen_go_along_and_can_be_changed", async () => {
  show({}, "?start=2026-11-28&end=2026-12-01");
  expect(await screen.findByText("It's available on all 4 days.")).toBeInTheDocument();
  expect(plain(document.querySelector(".opener")?.textContent)).toMatch(/^4 days ?Sat, Nov 28 – Tue, Dec 1Change$/);
  cleanup();
  show({}, "?start=2026-11-28&end=2026-11-28");
  await screen.findByRole("button", { name: "Change" });
  expect(plain(document.querySelector(".opener")?.textContent)).toMatch(/^1 day ?Sat, Nov 28Change$/);
  await userEvent.click(screen.getByRole("button", { name: "Change" }));
  expect(await day(28)).toHaveAttribute("aria-pressed", "true");
});

it.each(["?start=2026-11-24&end=2026-11-27", "?start=2026-11-19&end=2026-11-22"])(
  "days_that_were_handed_on_and_cannot_be_had_are_not_chosen_and_that_is_said: %s",
  async (search) => {
    show({}, search);
    expect(await screen.findByText("Choose the first day")).toBeInTheDocument();
    expect(screen.getByRole("alert")).toHaveTextContent("Dates Not Available");
    expect(screen.getByRole("alert")).toHaveTextContent("This item is not available for the selected dates.");
    await userEvent.click(await day(28));
    expect(screen.queryByText("Dates Not Available")).toBeNull();
  },
);

it("days_that_were_kept_and_taken_meanwhile_are_said_to_be_so", async () => {
  const { state, view, draw } = show();
  await choose(28, 30);
  view.unmount();
  state.booked = ["2026-11-29"];
  draw();
  expect(await screen.findByText("Dates Not Available")).toBeInTheDocument();
  expect(await day(28)).toHaveAttribute("aria-pressed", "false");
});

it("days_that_are_too_many_by_now_are_said_to_be_so", async () => {
  show({ maxDays: 3 }, "?start=2026-11-27&end=2026-11-30");
  expect(await screen.findByText("Rental Period Too Long")).toBeInTheDocument();
  expect(await day(27)).toHaveAttribute("aria-pressed", "false");
});

it.each([
  [{ status: ItemStatus.UNLISTED }, "WRONG_STATE", "This item is not yet available for borrowing"],
  [{ maxDays: 2 }, "INVALID_ARGUMENT", "Rental Period Too Long"],
] as const)("what_became_of_the_item_meanwhile_is_told_to_who_sends: %j", async (changed, reason, title) => {
  const { state } = show();
  await choose(28, 30);
  await screen.findByText("It's available on all 3 days.");
  Object.assign(state, { changed, taken: ["2026-11-28"], sendFails: refusal(reason) });
  await send();
  expect(await screen.findByText(title)).toBeInTheDocument();
  expect(screen.queryByText("Dates Not Available")).toBeNull();
  expect(screen.queryAllByText(/We kept what you typed\.$/)).toHaveLength(reason === "WRONG_STATE" ? 1 : 0);
});

it("an_item_that_is_gone_meanwhile_is_told_to_who_sends", async () => {
  const { state } = show();
  await choose(28, 30);
  await screen.findByText("It's available on all 3 days.");
  const gone = refusal("NOT_FOUND", Code.NotFound, "item not found");
  Object.assign(state, { itemFails: gone, checkFails: gone, daysFail: gone, sendFails: gone });
  await send();
  expect(await screen.findByRole("heading", { name: "Item not found" })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Send Borrow Request" })).toBeNull();
});

it("an_item_that_is_unlisted_is_told_to_who_chooses_other_days", async () => {
  const { state } = show();
  await day(27);
  Object.assign(state, { changed: { status: ItemStatus.UNLISTED }, taken: ["2026-11-28"] });
  await choose(28, 30);
  expect(await screen.findByText("This item is not yet available for borrowing")).toBeInTheDocument();
});

it.each([
  [{ isOwner: true }, "This is your item"],
  [{ status: ItemStatus.UNLISTED }, "This item is not yet available for borrowing"],
])("nobody_asks_for_%j", async (part, title) => {
  show(part);
  expect(await screen.findByRole("heading", { name: title })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Send Borrow Request" })).toBeNull();
});

it.each([
  [refusal("FRIENDS_ONLY", Code.PermissionDenied), FRIENDS_ONLY],
  [
    refusal("RATE_LIMITED", Code.ResourceExhausted, "you have asked to borrow too often today; try again later"),
    "You've sent a lot of borrow requests today. Please try again later.",
  ],
  [refusal("LIMIT_REACHED", Code.ResourceExhausted, "That is enough for now."), "That is enough for now."],
  [
    refusal("INVALID_ARGUMENT", Code.InvalidArgument, "message: must be at most 500 characters"),
    "Failed to send request. Please try again.",
  ],
  [
    refusal("ALREADY_SENT", Code.AlreadyExists),
    "You already asked for these dates. Your request is under Requests, Sent.",
  ],
  [new ConnectError("oops", Code.Internal), "Failed to send request. Please try again."],
])("what_could_not_be_sent_says_why", async (error, text) => {
  const { state } = show();
  state.sendFails = error;
  await choose(28, 28);
  await screen.findByText("It's available on this day.");
  await send();
  expect(await screen.findByText(text)).toBeInTheDocument();
});

it("days_that_somebody_else_was_faster_with_are_cleared", async () => {
  const { state } = show();
  state.sendFails = refusal("DAYS_TAKEN");
  await choose(28, 28);
  await screen.findByText("It's available on this day.");
  await send();
  expect(await screen.findByText("Dates Not Available")).toBeInTheDocument();
  expect(await day(28)).toHaveAttribute("aria-pressed", "false");
});

it("what_the_owner_changed_meanwhile_is_shown_before_it_is_asked_for", async () => {
  const { state } = show();
  await choose(28, 28);
  await screen.findByText("It's available on this day.");
  await userEvent.type(screen.getByLabelText("Message (optional)"), "Please");
  state.changed = { pricePerDay: 50, terms: "t2" };
  await send();
  expect(await screen.findByText(/The owner changed the price, deposit or policy/)).toBeInTheDocument();
  await waitFor(() => expect(plain(document.querySelector("dl.facts")?.textContent)).toMatch(/^Price per day\$50\.00/));
  expect(screen.getByLabelText("Message (optional)")).toHaveValue("Please");
  await send();
  await waitFor(() => expect(state.sent).toHaveLength(1));
  expect(new Set(state.keys).size).toBe(2);
});

const at = (): string => window.location.pathname + window.location.search;
const SENT = "/share?tab=requests&view=sent";

it("a_request_whose_answer_was_lost_is_found_by_its_key_before_a_failure_is_told", async () => {
  const { state } = show();
  state.answersLost = 1;
  await choose(28, 28);
  await screen.findByText("It's available on this day.");
  await send();
  expect(await screen.findByText("Your request was sent. We let the owner know.")).toBeInTheDocument();
  expect(at()).toBe(SENT);
  expect(state.sent).toHaveLength(1);
  expect(state.keys).toHaveLength(2);
  expect(new Set(state.keys).size).toBe(1);
});

it("what_cannot_be_found_either_is_tried_again_by_the_same_key_and_sent_once", async () => {
  const { state } = show();
  state.answersLost = 2;
  await choose(28, 28);
  await screen.findByText("It's available on this day.");
  await send();
  await screen.findByText(/Failed to send request/);
  // The button of the form is the way to try again.
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
  await send();
  expect(await screen.findByText("Your request was sent. We let the owner know.")).toBeInTheDocument();
  expect(state.sent).toHaveLength(1);
  expect(new Set(state.keys).size).toBe(1);
});

it.each([
  ["days", () => choose(29, 30)],
  ["message", () => userEvent.type(screen.getByLabelText("Message (optional)"), "Please")],
])("an_earlier_try_with_other_%s_is_told_as_it_was_and_leads_to_the_request", async (_what, change) => {
  const { state } = show();
  state.answersLost = 2;
  await choose(27, 28);
  await screen.findByText("It's available on both days.");
  await send();
  await screen.findByText(/Failed to send request/);
  await change();
  await waitFor(() => expect(screen.getByRole("button", { name: "Send Borrow Request" })).toBeEnabled());
  await send();
  const told = await screen.findByRole("alert");
  expect(plain(told.textContent)).toBe(
    "Your request was sent for Nov 27 – 28. Changes you made after that weren't sent.",
  );
  expect(told.querySelector("[data-tone=no]")).not.toBeNull();
  expect(at()).toBe("/share/rentals/r");
  expect(state.sent).toMatchObject([{ startDate: "2026-11-27", endDate: "2026-11-28", message: "" }]);
});

it("of_tries_that_are_not_known_it_is_said_that_one_arrived", async () => {
  const { state } = show();
  state.sendFails = refusal("IDEMPOTENCY_KEY_REUSED");
  await choose(28, 28);
  await screen.findByText("It's available on this day.");
  await send();
  expect(await screen.findByText(/^An earlier try went through, so your request was sent/)).toBeVisible();
  expect(at()).toBe(SENT);
});

/** A request that arrived, though neither its answer came nor that to its repetition. */
async function sentInVain() {
  const shown = show();
  shown.state.answersLost = 2;
  await choose(28, 28);
  await screen.findByText("It's available on this day.");
  await send();
  await screen.findByText(/Failed to send request/);
  return shown;
}

it("a_page_that_is_loaded_anew_while_a_request_is_sent_finds_out_whether_it_arrived", async () => {
  const { state, view, draw } = await sentInVain();
  // The page that is left sees its call fail.
  view.unmount();
  draw();
  expect(await screen.findByText("Your request was sent. We let the owner know.")).toBeInTheDocument();
  expect(at()).toBe(SENT);
  expect(state.sent).toHaveLength(1);
  expect(new Set(state.keys).size).toBe(1);
});

it("what_failed_on_a_page_that_stays_is_not_sent_by_itself_later", async () => {
  const { state, view, draw } = await sentInVain();
  await waitFor(() => expect(borrowOf("ben", state.id).sending).toBe(false), { timeout: 3000 });
  view.unmount();
  draw();
  expect(await screen.findByText("It's available on this day.")).toBeInTheDocument();
  expect(state.keys).toHaveLength(2);
});

it("what_is_typed_is_there_after_the_screen_was_left", async () => {
  const { view, draw } = show();
  await choose(28, 30);
  await userEvent.type(screen.getByLabelText("Message (optional)"), "A film night");
  view.unmount();
  draw();
  expect(await screen.findByDisplayValue("A film night")).toBeInTheDocument();
  expect(await day(28)).toHaveAttribute("aria-pressed", "true");
});
