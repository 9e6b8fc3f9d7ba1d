// What is done with a rental by each side: only what is allowed, after a question or with what goes along, and what is said then.
import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { CancellationPolicy } from "../../gen/later/goodturn/items/v1/items_service_pb";
import {
  RentalAction,
  RentalSchema,
  RentalsService,
  RentalStatus,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { lost, refusal } from "../../testing/refusals";
import { ANA, showRental } from "../../testing/rentals";
import { renderWith } from "../../testing/render";
import type { Question } from "../../ui/confirm";
import { RentalScreen } from "./RentalScreen";
import { useSteps } from "./steps";

const { questions } = vi.hoisted(() => ({
  questions: {
    asked: [] as string[],
    texts: [] as string[],
    noes: [] as unknown[],
    reds: [] as unknown[],
    answer: true,
  },
}));

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed({ title, text, no, destructive }: Question): Promise<boolean> {
    questions.asked.push(title);
    questions.noes.push(no);
    questions.reds.push(destructive);
    questions.texts.push(text.replaceAll(/[\u2068\u2069]/g, "").replaceAll(/\s/g, " "));
    return Promise.resolve(questions.answer);
  },
}));
// No browser draws here, and no network is there.
vi.mock("../../lib/preparePicture", () => ({ preparePicture: (file: Blob) => Promise.resolve(file) }));
vi.mock("../../lib/upload", async (original) => ({
  ...(await original<object>()),
  async sendFile({ ask }: { ask: (signal: AbortSignal) => Promise<{ key: string }> }): Promise<string> {
    const { key } = await ask(new AbortController().signal);
    return key;
  },
}));

beforeEach(() => {
  questions.asked = [];
  questions.texts = [];
  questions.noes = [];
  questions.reds = [];
  questions.answer = true;
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:picture", revokeObjectURL: vi.fn() }));
});

const button = (name: string | RegExp) => screen.queryByRole("button", { name });
const press = async (name: string | RegExp): Promise<void> =>
  userEvent.click(await screen.findByRole("button", { name }));
const A = RentalAction;

it("what_nobody_is_called_upon_to_do_is_told_apart_for_the_desktop", () => {
  showRental("ben", { rentalStatus: RentalStatus.ACCEPTED, allowedActions: [A.START, A.CANCEL] });
  expect(button("Mark handed over")).not.toHaveClass("quiet");
  expect(button("Cancel rental")).toHaveClass("deed", "quiet");
});

it("nothing_can_be_done_that_is_not_allowed", () => {
  showRental("ben", { rentalStatus: RentalStatus.PENDING, allowedActions: [A.CANCEL, A.MOVE] });
  expect(button("Accept")).toBeNull();
  expect(button("Decline")).toBeNull();
  expect(button("Change dates")).toBeInTheDocument();
  expect(button("Cancel request")).toBeInTheDocument();
});

const STEPS = [
  ["ana", A.ACCEPT, "Accept", "accept", "Accept this request?", "Request accepted. We let the borrower know."],
  ["ana", A.DECLINE, "Decline", "decline", "Decline this request?", "Request declined"],
  ["ben", A.CANCEL, "Cancel request", "cancel", "Cancel this request?", "Request cancelled"],
] as const;

/** What goes along: what is accepted, declined or called off is what is seen. */
const DAYS = { startDate: "2026-11-20", endDate: "2026-11-22" };
const SEEN = { accept: DAYS, decline: { ...DAYS, note: "" }, cancel: { knownStatus: RentalStatus.PENDING } };

it.each(STEPS)("%s_is_asked_before_action_%d_and_told_after", async (me, action, label, name, question, done) => {
  const state = showRental(me, { rentalStatus: RentalStatus.PENDING, allowedActions: [action] });
  questions.answer = false;
  await press(label);
  expect(state.calls).toEqual([]);
  questions.answer = true;
  await press(label);
  expect(await screen.findByText(done)).toBeInTheDocument();
  expect(questions.asked).toEqual([question, question]);
  expect(questions.texts[0]).toMatch(new RegExp(`^${me === "ana" ? "Ben Okafor" : "Ana Silva"}, Nov 20 – 22\\. `));
  expect(state.calls).toEqual([{ name, ...SEEN[name] }]);
});

it.each([
  [RentalStatus.PENDING, "Cancel request", "Keep request"],
  [RentalStatus.ACCEPTED, "Cancel rental", "Keep rental"],
])("the_way_out_of_calling_off_does_not_read_as_yes: %d", async (rentalStatus, label, no) => {
  showRental("ben", { rentalStatus, allowedActions: [A.CANCEL] });
  questions.answer = false;
  await press(label);
  expect(questions.noes).toEqual([no]);
});

const MONEY = "Some money has already changed hands. You'll need to work that out with each other.";
const { FLEX, MODERATE, STRICT } = CancellationPolicy;
const [WEEK, THREE, DAY] = ["a week", "3 days", "the day"].map((time) => `Free cancellation until ${time} before. `);

it.each([
  ["ben", STRICT, "2026-11-28", { paid: 15 }, `${WEEK}You're still in time. ${MONEY}`],
  ["ben", STRICT, "2026-11-27", { paid: 15 }, `${WEEK}That time has passed. ${MONEY}`],
  ["ana", MODERATE, "2026-11-24", { paid: 15 }, `${THREE}The borrower is still in time. ${MONEY}`],
  ["ana", MODERATE, "2026-11-23", { paid: 15 }, `${THREE}That time has passed for the borrower. ${MONEY}`],
  ["ben", FLEX, "2026-11-22", {}, `${DAY}You're still in time.`],
  ["ben", FLEX, "2026-11-21", {}, `${DAY}That time has passed.`],
  ["ben", FLEX, "2026-11-21", { deposit: 0 }, ""],
] as const)(
  "%s_reads_policy_%d_before_cancelling_what_starts_on_%s_with_%j",
  async (me, policy, start, money, told) => {
    const days = { startDate: start, endDate: start, today: "2026-11-21" };
    const state = showRental(me, {
      rentalStatus: RentalStatus.ACCEPTED,
      allowedActions: [A.CANCEL],
      ...days,
      ...money,
    });
    state.policy = policy;
    questions.answer = false;
    await screen.findByText(/^Free cancellation/);
    await press("Cancel rental");
    const [, after] = questions.texts[0]?.split("This cannot be undone.") ?? [];
    expect(after?.trim()).toBe(told);
  },
);

it("a_policy_that_is_not_known_is_not_told", async () => {
  const state = showRental("ben", { rentalStatus: RentalStatus.ACCEPTED, paid: 15, allowedActions: [A.CANCEL] });
  state.itemFails = lost();
  questions.answer = false;
  await press("Cancel rental");
  expect(questions.texts[0]).toMatch(/This cannot be undone\. Some money has/);
});

it("what_was_done_and_not_answered_is_no_failure", async () => {
  const part = { rentalStatus: RentalStatus.PENDING, allowedActions: [A.ACCEPT] };
  const state = showRental("ana", part, { rentalStatus: RentalStatus.ACCEPTED });
  state.isSilent = true;
  await press("Accept");
  expect(await screen.findByText("Request accepted. We let the borrower know.")).toBeInTheDocument();
  expect(state.calls).toHaveLength(1);
});

it("what_did_not_happen_and_was_not_answered_is_one", async () => {
  const state = showRental("ana", { rentalStatus: RentalStatus.PENDING, allowedActions: [A.ACCEPT] });
  state.isSilent = true;
  await press("Accept");
  expect(await screen.findByText("Failed to accept request. Please try again.")).toBeInTheDocument();
});

it.each([
  [A.ACCEPT, "Accept", "Failed to accept request. Please try again."],
  [A.DECLINE, "Decline", "Failed to decline. Please try again."],
  [A.CANCEL, "Cancel request", "Failed to cancel. Please try again."],
])("what_fails_is_said_as_documented_and_tried_again: %d", async (action, label, text) => {
  const state = showRental("ana", { rentalStatus: RentalStatus.PENDING, allowedActions: [action] });
  state.fails = lost();
  await press(label);
  expect(await screen.findByText(new RegExp(text.slice(0, -1)))).toBeInTheDocument();
  state.fails = undefined;
  await press("Retry");
  await waitFor(() => expect(state.calls).toHaveLength(1));
});

it.each([
  [A.START, "Mark handed over", "Mark handed over", "Failed to start rental. Please try again."],
  [A.RETURN, "Mark returned", "Mark returned", "Failed to mark rental as returned. Please try again."],
  [A.COMPLETE, "Confirm return", "Confirm return", "Failed to complete rental. Please try again."],
])("what_fails_in_a_sheet_is_said_there_as_documented: %d", async (action, label, yes, text) => {
  const state = showRental("ben", { rentalStatus: RentalStatus.ACCEPTED, allowedActions: [action] });
  await press(label);
  const sheet = within(await screen.findByRole("dialog"));
  await sheet.findByLabelText("Note (optional)");
  state.fails = lost();
  await userEvent.click(sheet.getByRole("button", { name: yes }));
  expect(await sheet.findByText(new RegExp(text.slice(0, -1)))).toBeInTheDocument();
  state.fails = undefined;
  await userEvent.click(sheet.getByRole("button", { name: "Retry" }));
  await waitFor(() => expect(state.calls).toHaveLength(1));
});

/** A button of an action that there is not. */
function Trying() {
  const steps = useSteps("ana");
  const rental = create(RentalSchema, { requestId: "r", owner: ANA });
  return <button onClick={() => void steps.taken({ rental, action: A.UNSPECIFIED })}>Try</button>;
}

it("what_is_no_action_is_told_as_documented", async () => {
  renderWith(() => undefined, <Trying />);
  await press("Try");
  expect(await screen.findByText(/Invalid action/)).toBeInTheDocument();
});

it("a_rental_that_is_not_there_says_so", async () => {
  renderWith(
    ({ service }) =>
      service(RentalsService, {
        getRental() {
          throw refusal("NOT_FOUND", Code.NotFound);
        },
      }),
    <RentalScreen id="r" me="ana" />,
  );
  expect(await screen.findByRole("heading", { name: "Request not found" })).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "Rental Details", level: 1 })).toBeInTheDocument();
});

it("days_that_were_taken_meanwhile_are_told_as_such", async () => {
  const state = showRental("ana", { rentalStatus: RentalStatus.PENDING, allowedActions: [A.ACCEPT] });
  state.fails = refusal("DAYS_TAKEN");
  await press("Accept");
  expect(await screen.findByText("This item is not available for the selected dates.")).toBeInTheDocument();
});

it("who_is_overtaken_is_told_that_it_has_changed", async () => {
  const state = showRental("ana", { rentalStatus: RentalStatus.PENDING, allowedActions: [A.ACCEPT] });
  state.refuses = refusal("WRONG_STATE");
  await press("Accept");
  expect(await screen.findByText("This rental just changed. Here's the latest.")).toBeInTheDocument();
  expect(button("Retry")).toBeNull();
});

it("who_is_overtaken_is_told_how_it_stands_only_when_that_could_be_read", async () => {
  const state = showRental("ana", { rentalStatus: RentalStatus.PENDING, allowedActions: [A.ACCEPT] });
  Object.assign(state, { refuses: refusal("WRONG_STATE"), readFails: lost() });
  await press("Accept");
  const text = "This rental just changed, but we couldn't load the latest.";
  expect(await screen.findByText(text)).toBeInTheDocument();
  await press("Retry");
  expect(await screen.findByText(text)).toBeInTheDocument();
  state.readFails = undefined;
  await press("Retry");
  expect(await screen.findByText("This rental just changed. Here's the latest.")).toBeInTheDocument();
  // What was refused was not sent again.
  expect(state.calls).toHaveLength(1);
});

const picture = (name = "tent.png", type = "image/png"): File => new File(["x"], name, { type });

async function choose(...files: File[]): Promise<void> {
  const field = document.querySelector<HTMLInputElement>("input[type=file]");
  if (field === null) throw new Error("no field");
  await userEvent.upload(field, files, { applyAccept: false });
}

it("a_hand_over_is_noted_with_words_and_pictures", async () => {
  const state = showRental("ana", { rentalStatus: RentalStatus.ACCEPTED, allowedActions: [A.START] });
  await press("Mark handed over");
  const sheet = within(await screen.findByRole("dialog", { name: "Mark as handed over" }));
  await userEvent.type(await sheet.findByLabelText("Note (optional)"), " All there ");
  expect(document.querySelector("input[type=file]")).toHaveAttribute("capture", "environment");
  await choose(picture(), picture());
  expect(await sheet.findAllByRole("button", { name: /^Remove picture/ })).toHaveLength(2);
  await userEvent.click(sheet.getByRole("button", { name: "Remove picture 1" }));
  await userEvent.click(sheet.getByRole("button", { name: "Mark handed over" }));
  expect(await screen.findByText("Handed over. We let the borrower know.")).toBeInTheDocument();
  expect(state.calls).toEqual([{ name: "start", note: "All there", pictureKeys: ["key2"] }]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("who_borrows_it_is_told_to_enjoy_it", async () => {
  showRental("ben", { rentalStatus: RentalStatus.ACCEPTED, allowedActions: [A.START] });
  await press("Mark handed over");
  const sheet = within(await screen.findByRole("dialog", { name: "Mark as handed over" }));
  await userEvent.click(sheet.getByRole("button", { name: "Mark handed over" }));
  expect(await screen.findByText("Rental started. Enjoy!")).toBeInTheDocument();
});

it("what_the_other_side_has_noted_meanwhile_is_not_said_to_be_ones_own", async () => {
  const started = { notedBy: "ben", note: "Dented", pictureUrls: [] };
  const rental = { rentalStatus: RentalStatus.ACCEPTED, allowedActions: [A.START] };
  const state = showRental("ana", rental, { rentalStatus: RentalStatus.ACTIVE, started });
  state.refuses = refusal("WRONG_STATE", Code.FailedPrecondition);
  await press("Mark handed over");
  const sheet = within(await screen.findByRole("dialog", { name: "Mark as handed over" }));
  await userEvent.type(await sheet.findByLabelText("Note (optional)"), "All there");
  await userEvent.click(sheet.getByRole("button", { name: "Mark handed over" }));
  expect(await screen.findAllByText("This was already marked. Your note and pictures weren't added.")).not.toHaveLength(
    0,
  );
  expect(screen.queryByText("Handed over. We let the borrower know.")).toBeNull();
  expect(sheet.getByText("All there")).toBeInTheDocument();
});

it("a_return_is_confirmed_with_words_and_pictures_which_stand_with_the_rental", async () => {
  const completed = { notedBy: "ana", note: "A step is loose", pictureUrls: ["/p1"] };
  const state = showRental("ana", { rentalStatus: RentalStatus.RETURNED, allowedActions: [A.COMPLETE] });
  await press("Confirm return");
  const sheet = within(await screen.findByRole("dialog", { name: "Confirm the return" }));
  await userEvent.type(await sheet.findByLabelText("Note (optional)"), "A step is loose");
  await choose(picture());
  await userEvent.click(sheet.getByRole("button", { name: "Confirm return" }));
  expect(await screen.findByText("Rental completed. Thank you for sharing!")).toBeInTheDocument();
  expect(state.calls).toEqual([{ name: "complete", note: "A step is loose", pictureKeys: ["key1"] }]);
  showRental("ben", { rentalStatus: RentalStatus.COMPLETED, completed });
  const noted = within(screen.getByRole("region", { name: "Confirmation" }));
  expect(noted.getByText("A step is loose")).toBeInTheDocument();
  expect(noted.getByText(/^Marked by/)).toHaveTextContent("Ana Silva");
  expect(noted.getByRole("img", { name: "Picture 1 of 1" })).toBeInTheDocument();
});

it("what_is_no_picture_and_what_is_too_much_is_refused", async () => {
  showRental("ana", { rentalStatus: RentalStatus.ACCEPTED, allowedActions: [A.START] });
  await press("Mark handed over");
  await screen.findByLabelText("Note (optional)");
  await choose(picture("a.gif", "image/gif"));
  expect(await screen.findByText(/^We can't use a\.gif\./)).toBeInTheDocument();
  await choose(...Array.from({ length: 6 }, () => picture()));
  expect(await screen.findAllByRole("button", { name: /^Remove picture/ })).toHaveLength(5);
  expect(screen.getByText("Up to 5 pictures")).toBeInTheDocument();
  expect(button("Take another picture")).toBeNull();
});

it("the_owners_own_return_is_called_so_all_the_way_and_says_that_it_confirms", async () => {
  showRental("ana", { rentalStatus: RentalStatus.ACTIVE, daysLeft: -3, allowedActions: [A.RETURN] });
  expect(screen.getByText("3 days overdue", { selector: ".badge" })).toHaveAttribute("data-tone", "no");
  await press("I have it back");
  const sheet = within(await screen.findByRole("dialog", { name: "Do you have it back?" }));
  expect(await sheet.findByRole("button", { name: "I have it back" })).toBeInTheDocument();
  expect(sheet.getByText(/confirms that the item was returned to you/)).toBeInTheDocument();
});

it("the_other_side_is_rated_in_stars", async () => {
  const state = showRental(
    "ben",
    { rentalStatus: RentalStatus.COMPLETED, allowedActions: [A.RATE] },
    { givenRating: 4 },
  );
  expect(screen.getByText(/4.8 out of 5/)).toBeInTheDocument();
  await press("Rate");
  const sheet = within(await screen.findByRole("dialog", { name: "How was it?" }));
  const send = await sheet.findByRole("button", { name: "Rate" });
  await userEvent.click(send);
  expect(sheet.getByText("Please choose how many stars")).toBeInTheDocument();
  await userEvent.click(sheet.getByRole("radio", { name: "4 stars" }));
  expect(sheet.getByText("Good")).toBeInTheDocument();
  await userEvent.click(send);
  await waitFor(() => expect(state.calls).toEqual([{ name: "rate", rating: 4, note: "" }]));
});

it("other_days_are_asked_for_where_they_are_free", async () => {
  const state = showRental("ben", { rentalStatus: RentalStatus.PENDING, allowedActions: [A.MOVE] });
  await press("Change dates");
  const sheet = within(await screen.findByRole("dialog", { name: "Ask for different dates" }));
  expect(await sheet.findByRole("button", { name: "November 25, 2026, unavailable" })).toBeDisabled();
  expect(sheet.getByText(/^This moves your request/)).toBeInTheDocument();
  await userEvent.click(sheet.getByRole("button", { name: "Send Rental Request" }));
  expect(await sheet.findByText("Please select rental dates first.")).toBeInTheDocument();
  await userEvent.click(sheet.getByRole("button", { name: "November 26, 2026" }));
  await userEvent.click(sheet.getByRole("button", { name: "November 27, 2026" }));
  await userEvent.click(sheet.getByRole("button", { name: "Send Rental Request" }));
  await waitFor(() => expect(state.calls).toEqual([{ name: "move", startDate: "2026-11-26", endDate: "2026-11-27" }]));
});

it("other_days_that_are_not_free_or_do_not_arrive_say_so", async () => {
  const state = showRental("ben", { rentalStatus: RentalStatus.PENDING, gratitude: 5, allowedActions: [A.MOVE] });
  state.isFree = false;
  await press("Change dates");
  const sheet = within(await screen.findByRole("dialog", { name: "Ask for different dates" }));
  const send = () => userEvent.click(sheet.getByRole("button", { name: "Send Rental Request" }));
  await userEvent.click(await sheet.findByRole("button", { name: "November 26, 2026" }));
  await userEvent.click(sheet.getByRole("button", { name: "November 27, 2026" }));
  expect(await sheet.findByText("Dates Not Available")).toBeInTheDocument();
  expect(sheet.queryByText("Total")).toBeNull();
  await send();
  expect(sheet.getByText("Selected dates are not available.")).toBeInTheDocument();
  expect(state.calls).toEqual([]);

  state.isFree = true;
  await userEvent.click(sheet.getByRole("button", { name: /^November 27/ }));
  await userEvent.click(sheet.getByRole("button", { name: "November 28, 2026" }));
  expect(await sheet.findByText("$55.00 USD")).toBeInTheDocument();
  state.fails = lost();
  await send();
  expect(await sheet.findByText(/Failed to send rental request\. Please try again\./)).toBeInTheDocument();
});

it("more_days_are_asked_for_up_to_the_next_booking", async () => {
  const state = showRental("ben", {
    rentalStatus: RentalStatus.ACTIVE,
    daysLeft: 1,
    // The total has no gratitude, before or after.
    gratitude: 5,
    allowedActions: [A.RETURN, A.EXTEND],
  });
  await press("Ask for more days");
  const sheet = within(await screen.findByRole("dialog", { name: "Ask for more days" }));
  await userEvent.click(await sheet.findByRole("button", { name: "November 26, 2026" }));
  expect(await sheet.findByRole("alert")).toHaveTextContent("Dates Not Available");
  await userEvent.click(sheet.getByRole("button", { name: "November 24, 2026" }));
  expect(sheet.getByText("New total: $25.00 USD. That's $10.00 USD more.")).toBeInTheDocument();
  await userEvent.click(sheet.getByRole("button", { name: "Ask for more days" }));
  await waitFor(() => expect(state.calls).toEqual([{ name: "extend", endDate: "2026-11-24" }]));
});

it("who_does_not_see_the_item_any_more_is_told_why_no_days_can_be_chosen", async () => {
  const state = showRental("ben", {
    rentalStatus: RentalStatus.ACTIVE,
    daysLeft: 1,
    allowedActions: [A.RETURN, A.EXTEND],
  });
  state.itemFails = refusal("NOT_FOUND", Code.NotFound);
  state.daysFail = state.itemFails;
  await press("Ask for more days");
  const sheet = within(await screen.findByRole("dialog", { name: "Ask for more days" }));
  expect(await sheet.findByText(/^This item is no longer shared with you/)).toBeInTheDocument();
  expect(sheet.queryByRole("button", { name: "Retry" })).toBeNull();
});

it("what_is_free_stays_free_for_more_days", async () => {
  const extended = { extension: { endDate: "2026-11-24" }, allowedActions: [A.RETURN, A.EXTEND] };
  showRental("ben", { rentalStatus: RentalStatus.ACTIVE, daysLeft: 1, totalPrice: 0, ...extended });
  expect(within(screen.getByRole("region", { name: "More days" })).getByText("It stays free.")).toBeInTheDocument();
  await press("Ask for more days");
  const sheet = within(await screen.findByRole("dialog", { name: "Ask for more days" }));
  await userEvent.click(await sheet.findByRole("button", { name: "November 24, 2026" }));
  expect(sheet.getByText("It stays free.")).toBeInTheDocument();
});

const extension = { endDate: "2026-11-24", totalPrice: 25 };

it("the_owner_agrees_to_the_days_that_are_seen", async () => {
  const state = showRental("ana", {
    rentalStatus: RentalStatus.ACTIVE,
    daysLeft: 1,
    gratitude: 5,
    extension,
    allowedActions: [A.RETURN, A.ACCEPT_EXTENSION, A.DECLINE_EXTENSION],
  });
  const section = within(screen.getByRole("region", { name: "More days" }));
  expect(section.getByText(/is asking to keep it until/)).toHaveTextContent("Ben Okafor");
  expect(section.getByText("New total: $25.00 USD. That's $10.00 USD more.")).toBeInTheDocument();
  await userEvent.click(section.getByRole("button", { name: "Agree" }));
  await waitFor(() => expect(state.calls).toEqual([{ name: "acceptExtension", endDate: "2026-11-24" }]));
  expect(questions.asked).toEqual(["Agree to more days?"]);
  expect(questions.texts[0]).toBe(
    "Ben Okafor, Nov 20 – 24. New total: $25.00 USD. That's $10.00 USD more. This books the dates, and we'll let the borrower know.",
  );
});

it("the_borrower_takes_back_what_was_asked", async () => {
  const state = showRental("ben", {
    rentalStatus: RentalStatus.ACTIVE,
    daysLeft: 1,
    extension,
    allowedActions: [A.RETURN, A.WITHDRAW_EXTENSION],
  });
  await press("Withdraw");
  await waitFor(() => expect(state.calls).toEqual([{ name: "declineExtension", endDate: "2026-11-24" }]));
});

it.each([
  ["ana", RentalStatus.PENDING, A.ACCEPT, "Accept", false],
  ["ana", RentalStatus.PENDING, A.DECLINE, "Decline", true],
  ["ben", RentalStatus.PENDING, A.CANCEL, "Cancel request", true],
  ["ben", RentalStatus.ACCEPTED, A.CANCEL, "Cancel rental", true],
  ["ana", RentalStatus.ACTIVE, A.ACCEPT_EXTENSION, "Agree", false],
  ["ana", RentalStatus.ACTIVE, A.DECLINE_EXTENSION, "Decline", false],
  ["ben", RentalStatus.ACTIVE, A.WITHDRAW_EXTENSION, "Withdraw", false],
  ["ben", RentalStatus.ACCEPTED, A.MARK_PAID, /paid/, false],
] as const)(
  "a_question_is_red_only_where_something_is_lost: %s %d %d",
  async (me, rentalStatus, action, label, isRed) => {
    const asked = rentalStatus === RentalStatus.ACTIVE ? { extension, daysLeft: 1 } : {};
    showRental(me, { rentalStatus, due: 15, ...asked, allowedActions: [action] });
    questions.answer = false;
    await press(label);
    expect(questions.reds).toEqual([isRed]);
  },
);
