// What is sent from the sheets of a rental: nothing of it changes while it is under way, and no later try sends what does not stand there any more.
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { RentalAction, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { type PictureFault, PictureRefused } from "../../lib/pictureFile";
import { lost, refusal } from "../../testing/refusals";
import { comeBack, showRental } from "../../testing/rentals";

const { uploads } = vi.hoisted(() => ({
  uploads: { waits: Promise.resolve() as Promise<unknown>, fault: undefined as PictureFault | undefined },
}));

// No browser draws here, and no network is there.
vi.mock("../../lib/preparePicture", () => ({
  preparePicture: (file: Blob) =>
    uploads.fault === undefined ? Promise.resolve(file) : Promise.reject(new PictureRefused(uploads.fault)),
}));
vi.mock("../../lib/upload", async (original) => ({
  ...(await original<object>()),
  async sendFile({ ask }: { ask: (signal: AbortSignal) => Promise<{ key: string }> }): Promise<string> {
    const { key } = await ask(new AbortController().signal);
    await uploads.waits;
    return key;
  },
}));

beforeEach(() => {
  Object.assign(uploads, { waits: Promise.resolve(), fault: undefined });
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:picture", revokeObjectURL: vi.fn() }));
});

const A = RentalAction;
const OUT = { rentalStatus: RentalStatus.ACTIVE, daysLeft: 1, allowedActions: [A.RETURN] };
const OVER = { rentalStatus: RentalStatus.COMPLETED, allowedActions: [A.RATE] };

/** A promise, and what makes it come or fail. */
function later() {
  const ends: { come?: () => void; fail?: (why: Error) => void } = {};
  const waits = new Promise<void>((come, fail) => void Object.assign(ends, { come, fail }));
  return { waits, come: () => ends.come?.(), fail: () => ends.fail?.(new Error("lost")) };
}

async function opened(label: string) {
  await userEvent.click(await screen.findByRole("button", { name: label }));
  const sheet = within(await screen.findByRole("dialog"));
  await sheet.findByRole("button", { name: "Cancel" });
  return { sheet, press: (name: string) => userEvent.click(sheet.getByRole("button", { name })) };
}

async function closed(): Promise<void> {
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
}

async function take(): Promise<void> {
  const field = document.querySelector<HTMLInputElement>("input[type=file]");
  if (field === null) throw new Error("no field");
  await userEvent.upload(field, new File(["x"], "tent.png", { type: "image/png" }));
}

const SENDING = "Sending again...";
const note = () => screen.getByLabelText("Note (optional)");

it("words_and_pictures_of_a_return_stay_as_they_are_while_they_are_sent", async () => {
  const state = showRental("ben", OUT);
  const { sheet, press } = await opened("Mark returned");
  await userEvent.type(note(), "All fine");
  await take();
  const answer = later();
  state.waits = answer.waits;
  await press("Mark returned");
  expect(note()).toBeDisabled();
  for (const name of ["Take another picture", "Remove picture 1"])
    expect(sheet.getByRole("button", { name })).toBeDisabled();
  expect(document.querySelector("input[type=file]")).toBeDisabled();
  answer.come();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(state.calls).toEqual([{ name: "return", note: "All fine", pictureKeys: ["key1"] }]);
});

it("a_picture_that_is_chosen_while_the_others_are_sent_is_said_not_to_be_added", async () => {
  const state = showRental("ben", OUT);
  const { sheet, press } = await opened("Mark returned");
  const answer = later();
  state.waits = answer.waits;
  await press("Mark returned");
  const field = document.querySelector("input[type=file]") ?? document.body;
  fireEvent.change(field, { target: { files: [new File(["x"], "late.png", { type: "image/png" })] } });
  expect(sheet.getByText("Already sending, so this picture wasn't added.")).toBeInTheDocument();
  expect(document.querySelector(".thumb")).toBeNull();
  answer.come();
  await waitFor(() => expect(state.calls).toEqual([{ name: "return", note: "", pictureKeys: [] }]));
});

it("what_is_tried_again_stays_as_it_is_too_and_can_be_changed_when_it_failed", async () => {
  const state = showRental("ben", OUT);
  const { sheet, press } = await opened("Mark returned");
  state.fails = lost();
  await press("Mark returned");
  await sheet.findByRole("button", { name: "Retry" });
  expect(note()).toBeEnabled();
  const answer = later();
  state.waits = answer.waits;
  await press("Retry");
  expect(note()).toBeDisabled();
  answer.come();
  expect(await sheet.findByRole("button", { name: "Retry" })).toBeInTheDocument();
  expect(note()).toBeEnabled();
});

/** A return was sent and its sheet closed while a picture was still on its way; then it was opened again. */
async function openedAgain() {
  const state = showRental("ben", OUT);
  const { press } = await opened("Mark returned");
  const picture = later();
  uploads.waits = picture.waits;
  await take();
  await press("Mark returned");
  await closed();
  const { sheet } = await opened("Mark returned");
  return { state, picture, sheet };
}

it("a_sheet_that_is_opened_again_is_locked_until_its_pictures_have_arrived", async () => {
  const { state, picture, sheet } = await openedAgain();
  expect(note()).toBeDisabled();
  expect(sheet.getByRole("button", { name: "Mark returned" })).toHaveAttribute("data-loading", "true");
  // Above the buttons, under which a phone's screen ends.
  const waits = sheet.getByText("Uploading pictures...");
  const cancel = sheet.getByRole("button", { name: "Cancel" });
  expect(waits.compareDocumentPosition(cancel)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  // It may take long: what is stopped does not go along.
  await userEvent.click(sheet.getByRole("button", { name: "Remove picture 1" }));
  picture.come();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(state.calls).toEqual([{ name: "return", note: "", pictureKeys: [] }]);
});

it("a_sheet_that_is_opened_again_says_that_what_was_sent_before_has_failed", async () => {
  const { state, picture, sheet } = await openedAgain();
  state.fails = lost();
  picture.come();
  expect(await sheet.findByText("Failed to mark rental as returned. Please try again.")).toBeInTheDocument();
  expect(note()).toBeEnabled();
});

it("a_picture_that_fails_when_its_sheet_is_closed_is_a_failure_that_is_tried_again_as_a_whole", async () => {
  const state = showRental("ben", OUT);
  const { press } = await opened("Mark returned");
  await userEvent.type(note(), "All fine");
  const picture = later();
  uploads.waits = picture.waits;
  await take();
  await press("Mark returned");
  await closed();
  picture.fail();
  expect(await screen.findByText("Failed to mark rental as returned. Please try again.")).toBeInTheDocument();
  expect(state.calls).toEqual([]);
  uploads.waits = Promise.resolve();
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Marked as returned. We let the owner know.")).toBeInTheDocument();
  expect(state.calls).toEqual([{ name: "return", note: "All fine", pictureKeys: ["key2"] }]);
});

it("what_is_tried_again_from_where_its_sheet_is_closed_says_so_until_it_is_answered", async () => {
  const state = showRental("ben", OUT);
  const { press } = await opened("Mark returned");
  const [first, second] = [later(), later()];
  uploads.waits = first.waits;
  await take();
  await press("Mark returned");
  comeBack();
  first.fail();
  uploads.waits = second.waits;
  await userEvent.click(await screen.findByRole("button", { name: "Retry" }));
  expect(screen.getByText(SENDING)).toBeInTheDocument();
  second.fail();
  expect(await screen.findByText("Failed to mark rental as returned. Please try again.")).toBeInTheDocument();
  expect(screen.queryByText(SENDING)).toBeNull();
  uploads.waits = Promise.resolve();
  const answer = later();
  state.waits = answer.waits;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(screen.getByText(SENDING)).toBeInTheDocument();
  answer.come();
  expect(await screen.findByText("Marked as returned. We let the owner know.")).toBeInTheDocument();
  expect(screen.queryByText(SENDING)).toBeNull();
});

it("a_picture_that_cannot_be_read_when_its_sheet_is_closed_is_not_tried_again", async () => {
  showRental("ben", OUT);
  const { press } = await opened("Mark returned");
  uploads.fault = "unreadable";
  await take();
  await press("Mark returned");
  await screen.findByText("We couldn't read tent.png. Please choose another picture.");
  const other = later();
  Object.assign(uploads, { waits: other.waits, fault: undefined });
  await take();
  await press("Mark returned");
  await closed();
  other.come();
  const text = "We can't use one of your pictures, so nothing was saved. Please remove it and try again.";
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
});

it("words_that_are_changed_after_a_failure_are_not_followed_by_a_try_without_them", async () => {
  const state = showRental("ben", OUT);
  const { sheet, press } = await opened("Mark returned");
  await userEvent.type(note(), "AAA");
  state.fails = lost();
  await press("Mark returned");
  await sheet.findByRole("button", { name: "Retry" });
  state.fails = undefined;
  await userEvent.type(note(), " and BBB");
  await closed();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
  const again = await opened("Mark returned");
  await again.press("Mark returned");
  await waitFor(() => expect(state.calls).toEqual([{ name: "return", note: "AAA and BBB", pictureKeys: [] }]));
});

const star = (count: number) => screen.getByRole("radio", { name: count === 1 ? "1 star" : `${count} stars` });

it("stars_stay_as_they_are_while_they_are_given", async () => {
  const state = showRental("ben", OVER, { givenRating: 2 });
  const { press } = await opened("Rate");
  await userEvent.click(star(2));
  const answer = later();
  state.waits = answer.waits;
  await press("Rate");
  expect(star(5)).toBeDisabled();
  await userEvent.click(star(5));
  expect(star(2)).toBeChecked();
  answer.come();
  await waitFor(() => expect(state.calls).toEqual([{ name: "rate", rating: 2, note: "" }]));
});

it("stars_that_did_not_arrive_are_not_given_after_others_were_chosen", async () => {
  const state = showRental("ben", OVER);
  const { sheet, press } = await opened("Rate");
  await userEvent.click(star(1));
  state.fails = lost();
  await press("Rate");
  await sheet.findByRole("button", { name: "Retry" });
  await userEvent.click(star(5));
  await closed();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
});

it("stars_that_are_being_given_stand_in_the_sheet_that_is_opened_again_until_others_are_chosen", async () => {
  const state = showRental("ben", OVER);
  const { press } = await opened("Rate");
  await userEvent.click(star(2));
  const answer = later();
  Object.assign(state, { waits: answer.waits, fails: lost() });
  await press("Rate");
  comeBack();
  const { sheet } = await opened("Rate");
  expect(star(2)).toBeChecked();
  expect(star(2)).toBeDisabled();
  answer.come();
  // What its Retry would give stands there.
  await sheet.findByRole("button", { name: "Retry" });
  expect(star(2)).toBeChecked();
  await userEvent.click(star(5));
  await closed();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
  await opened("Rate");
  expect(screen.queryByRole("radio", { checked: true })).toBeNull();
});

it("other_days_stay_as_they_are_while_they_are_asked_for", async () => {
  const state = showRental("ben", { rentalStatus: RentalStatus.PENDING, allowedActions: [A.MOVE] });
  const { sheet, press } = await opened("Change dates");
  for (const day of ["26", "27"]) await press(`November ${day}, 2026`);
  const answer = later();
  state.waits = answer.waits;
  await press("Send Rental Request");
  await press("November 28, 2026");
  expect(sheet.getByRole("button", { name: "November 27, 2026, last day" })).toBeInTheDocument();
  answer.come();
  await waitFor(() => expect(state.calls).toEqual([{ name: "move", startDate: "2026-11-26", endDate: "2026-11-27" }]));
});

it("days_that_are_being_asked_for_stand_in_the_sheet_that_is_opened_again", async () => {
  const state = showRental("ben", { rentalStatus: RentalStatus.PENDING, allowedActions: [A.MOVE] });
  const { press } = await opened("Change dates");
  for (const day of ["26", "27"]) await press(`November ${day}, 2026`);
  const answer = later();
  Object.assign(state, { waits: answer.waits, fails: lost() });
  await press("Send Rental Request");
  comeBack();
  const { sheet } = await opened("Change dates");
  const last = () => sheet.getByRole("button", { name: "November 27, 2026, last day" });
  expect(last()).toHaveAttribute("aria-disabled", "true");
  answer.come();
  const retry = await sheet.findByRole("button", { name: "Retry" });
  expect(last()).toHaveAttribute("aria-disabled", "false");
  state.fails = undefined;
  await userEvent.click(retry);
  await waitFor(() => expect(state.calls).toEqual([{ name: "move", startDate: "2026-11-26", endDate: "2026-11-27" }]));
});

const NOT_FREE = "This item is not available for the selected dates.";

it("other_days_that_were_taken_meanwhile_are_said_once_and_are_not_chosen_any_more", async () => {
  const state = showRental("ben", { rentalStatus: RentalStatus.PENDING, allowedActions: [A.MOVE] });
  const { sheet, press } = await opened("Change dates");
  for (const day of ["26", "27"]) await press(`November ${day}, 2026`);
  expect(await sheet.findByText("$50.00 USD")).toBeInTheDocument();
  Object.assign(state, { fails: refusal("DAYS_TAKEN"), isFree: false });
  await press("Send Rental Request");
  expect(await sheet.findAllByText(NOT_FREE)).toHaveLength(1);
  for (const day of ["26", "27"])
    expect(sheet.getByRole("button", { name: `November ${day}, 2026` })).toHaveAttribute("aria-pressed", "false");
  expect(sheet.queryByText("$50.00 USD")).toBeNull();
  await press("Send Rental Request");
  expect(sheet.getByText("Selected dates are not available.")).toBeInTheDocument();
  Object.assign(state, { fails: undefined, isFree: true });
  for (const day of ["28", "29"]) await press(`November ${day}, 2026`);
  expect(sheet.queryByText(NOT_FREE)).toBeNull();
  await press("Send Rental Request");
  await waitFor(() => expect(state.calls).toEqual([{ name: "move", startDate: "2026-11-28", endDate: "2026-11-29" }]));
});

it("days_that_are_asked_for_in_another_request_are_said_to_be", async () => {
  const state = showRental("ben", { rentalStatus: RentalStatus.PENDING, allowedActions: [A.MOVE] });
  const { sheet, press } = await opened("Change dates");
  for (const day of ["26", "27"]) await press(`November ${day}, 2026`);
  state.fails = refusal("ALREADY_SENT");
  await press("Send Rental Request");
  const text = "You already asked for these dates. That request is waiting for an answer.";
  expect(await sheet.findByText(text)).toBeInTheDocument();
});

it("more_days_that_were_taken_meanwhile_are_said_and_are_not_chosen_any_more", async () => {
  const state = showRental("ben", { ...OUT, allowedActions: [A.RETURN, A.EXTEND] });
  const { sheet, press } = await opened("Ask for more days");
  await userEvent.click(await sheet.findByRole("button", { name: "November 24, 2026" }));
  state.fails = refusal("DAYS_TAKEN");
  await press("Ask for more days");
  expect(await sheet.findAllByText(NOT_FREE)).toHaveLength(1);
  expect(sheet.getByRole("button", { name: "November 24, 2026" })).toHaveAttribute("aria-pressed", "false");
});

it("days_that_somebody_else_has_by_now_do_not_stand_in_the_sheet_that_is_opened_again", async () => {
  const state = showRental("ben", { ...OUT, allowedActions: [A.RETURN, A.EXTEND] });
  const { press } = await opened("Ask for more days");
  await press("November 24, 2026");
  const answer = later();
  Object.assign(state, { waits: answer.waits, fails: refusal("DAYS_TAKEN") });
  await press("Ask for more days");
  await closed();
  answer.come();
  await screen.findByText(NOT_FREE);
  const { sheet } = await opened("Ask for more days");
  expect(await sheet.findByRole("button", { name: "November 24, 2026" })).toHaveAttribute("aria-pressed", "false");
});
