// The sheet of a hand-over or a return, when the other side or the member elsewhere is faster: it becomes what can be done now, or says that nothing can
// be, and what was typed and taken is there still.
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { RentalAction, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { lost, refusal } from "../../testing/refusals";
import { showRental } from "../../testing/rentals";

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
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:picture", revokeObjectURL: vi.fn() }));
});

const A = RentalAction;
const AGREED = { rentalStatus: RentalStatus.ACCEPTED, allowedActions: [A.START] };
const OUT = { rentalStatus: RentalStatus.ACTIVE, daysLeft: 1, allowedActions: [A.RETURN] };
const RETURNED = {
  rentalStatus: RentalStatus.RETURNED,
  returned: { notedBy: "ben", note: "Dusted", pictureUrls: [] },
  allowedActions: [A.COMPLETE],
};
const handedOver = (note: string) => ({ ...OUT, started: { notedBy: "ana", note, pictureUrls: [] } });

const note = () => screen.getByLabelText("Note (optional)");

async function opened(label: string) {
  await userEvent.click(await screen.findByRole("button", { name: label }));
  const sheet = within(await screen.findByRole("dialog"));
  await sheet.findByLabelText("Note (optional)");
  return { sheet, press: (name: string) => userEvent.click(sheet.getByRole("button", { name })) };
}

async function take(): Promise<void> {
  const field = document.querySelector<HTMLInputElement>("input[type=file]");
  if (field === null) throw new Error("no field");
  await userEvent.upload(field, new File(["x"], "tent.png", { type: "image/png" }));
  await screen.findByRole("button", { name: "Remove picture 1" });
}

const isClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
const MOVED = "Ben Okafor just marked it returned. Sending this now confirms the return.";

/** The sheet asks for the confirmation, and says why. */
async function asksToConfirm(): Promise<void> {
  const sheet = within(await screen.findByRole("dialog", { name: "Confirm the return" }));
  const told = sheet.getByText(/just marked it returned/);
  expect(told.textContent.replaceAll(/[\u2068\u2069]/g, "")).toBe(MOVED);
  expect(sheet.queryByRole("button", { name: "I have it back" })).toBeNull();
}

it("a_return_that_the_other_side_notes_meanwhile_is_confirmed_with_what_was_typed_and_taken", async () => {
  const state = showRental("ana", OUT, { rentalStatus: RentalStatus.COMPLETED });
  const { press } = await opened("I have it back");
  await userEvent.type(note(), "A step is loose");
  await take();
  state.becomes(RETURNED);
  await asksToConfirm();
  expect(note()).toHaveValue("A step is loose");
  await press("Confirm return");
  await isClosed();
  expect(screen.getByText("Rental completed. Thank you for sharing!")).toBeInTheDocument();
  expect(state.calls).toEqual([{ name: "complete", note: "A step is loose", pictureKeys: ["key1"] }]);
});

it.each(["A step is loose", ""])("a_return_that_is_refused_for_that_can_be_confirmed_at_once: %s", async (text) => {
  const state = showRental("ana", OUT, RETURNED);
  state.refuses = refusal("WRONG_STATE");
  const { sheet, press } = await opened("I have it back");
  if (text !== "") await userEvent.type(note(), text);
  await press("I have it back");
  await asksToConfirm();
  expect(sheet.queryByText(/weren't added|Here's the latest/)).toBeNull();
  expect(note()).toHaveValue(text);
  state.refuses = undefined;
  await press("Confirm return");
  await isClosed();
  expect(state.calls.map(({ name, note: sent }) => [name, sent])).toEqual([
    ["return", text],
    ["complete", text],
  ]);
});

it("a_return_that_is_refused_when_its_sheet_is_closed_says_that_it_can_be_confirmed", async () => {
  const state = showRental("ana", OUT, RETURNED);
  state.refuses = refusal("WRONG_STATE");
  const { press } = await opened("I have it back");
  await press("I have it back");
  await userEvent.keyboard("{Escape}");
  const text = "It was just marked returned, so you can confirm it now. We kept what you typed.";
  expect(await screen.findByText(text)).toBeInTheDocument();
});

it("what_was_typed_and_taken_for_a_return_stands_in_its_confirmation_too", async () => {
  const { rental } = showRental("ana", OUT);
  const { press } = await opened("I have it back");
  await userEvent.type(note(), "A step is loose");
  await take();
  await press("Cancel");
  cleanup();
  const state = showRental("ana", { ...RETURNED, requestId: rental.requestId });
  const confirming = await opened("Confirm return");
  expect(note()).toHaveValue("A step is loose");
  await confirming.press("Confirm return");
  await isClosed();
  expect(state.calls).toEqual([{ name: "complete", note: "A step is loose", pictureKeys: ["key1"] }]);
});

it("what_is_noted_already_cannot_be_sent_and_what_was_typed_and_taken_can_be_copied", async () => {
  const state = showRental("ana", AGREED);
  const { sheet } = await opened("Mark handed over");
  await userEvent.type(note(), "All there");
  await take();
  state.becomes(handedOver("Clean"));
  await sheet.findByText("This was already marked. Your note and pictures weren't added.");
  expect(sheet.getByText("All there")).toBeInTheDocument();
  expect(sheet.getByRole("img", { name: "Picture 1 of 1" })).toBeInTheDocument();
  expect(sheet.queryByRole("textbox")).toBeNull();
  expect(sheet.getAllByRole("button").map((one) => one.textContent || one.ariaLabel)).toEqual(["Close", "Close"]);
  await userEvent.click(sheet.getAllByRole("button", { name: "Close" })[1] ?? document.body);
  await isClosed();
});

it("what_is_noted_already_says_no_more_where_nothing_was_lost", async () => {
  const state = showRental("ana", AGREED);
  const { sheet, press } = await opened("Mark handed over");
  await userEvent.type(note(), "All there");
  state.fails = lost();
  await press("Mark handed over");
  await sheet.findByRole("button", { name: "Retry" });
  // It had arrived all the same.
  state.fails = undefined;
  state.becomes(handedOver("All there"));
  expect(await sheet.findByText("This was already marked.")).toBeInTheDocument();
});

it("what_was_called_off_cannot_be_handed_over_any_more", async () => {
  const state = showRental("ana", AGREED);
  const { sheet } = await opened("Mark handed over");
  state.becomes({ rentalStatus: RentalStatus.CANCELLED, allowedActions: [] });
  expect(await sheet.findByText("This rental just changed.")).toBeInTheDocument();
  expect(sheet.queryByRole("button", { name: "Mark handed over" })).toBeNull();
});
