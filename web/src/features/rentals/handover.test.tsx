// The sheet of a hand-over or a return when something goes wrong: it is seen where the member is, and nothing that was typed or taken is lost.
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { RentalAction, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { type PictureFault, PictureRefused } from "../../lib/pictureFile";
import { lost, refusal } from "../../testing/refusals";
import { showRental } from "../../testing/rentals";
import { dropPictures } from "./pictures";
import { lineOf } from "./sending";

const { uploads } = vi.hoisted(() => ({
  uploads: { fails: false, fault: undefined as PictureFault | undefined },
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
    if (uploads.fails) throw new Error("lost");
    return key;
  },
}));

beforeEach(() => {
  Object.assign(uploads, { fails: false, fault: undefined });
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:picture", revokeObjectURL: vi.fn() }));
});

const A = RentalAction;
const OUT = { rentalStatus: RentalStatus.ACTIVE, daysLeft: 1, allowedActions: [A.RETURN] };

async function choose(...files: File[]): Promise<void> {
  const field = document.querySelector<HTMLInputElement>("input[type=file]");
  if (field === null) throw new Error("no field");
  await userEvent.upload(field, files, { applyAccept: false });
}
const picture = (name = "tent.png"): File => new File(["x"], name, { type: "image/png" });

/** The sheet of a return, and how it is sent. */
async function returning() {
  await userEvent.click(await screen.findByRole("button", { name: "Mark returned" }));
  const sheet = within(await screen.findByRole("dialog", { name: "Mark as returned" }));
  await sheet.findByLabelText("Note (optional)");
  return { sheet, send: () => userEvent.click(sheet.getByRole("button", { name: "Mark returned" })) };
}

it("what_fails_is_brought_into_sight_each_time", async () => {
  const seen = vi.spyOn(Element.prototype, "scrollIntoView");
  const state = showRental("ben", OUT);
  const { sheet, send } = await returning();
  state.fails = lost();
  for (const times of [1, 2]) {
    await send();
    await waitFor(() => expect(seen).toHaveBeenCalledTimes(times));
    expect(seen.mock.contexts.at(-1)).toContainElement(sheet.getByText(/Failed to mark rental as returned/));
  }
  seen.mockClear();
  uploads.fails = true;
  await choose(picture());
  await send();
  await waitFor(() => expect(seen).toHaveBeenCalled());
  expect(seen.mock.contexts.at(-1)).toHaveTextContent("A picture wasn't uploaded. Try again or remove it.");
  seen.mockRestore();
});

const TOO_LATE = "This rental just changed. Here's the latest.";

it("a_sheet_whose_action_is_not_allowed_any_more_is_closed_and_the_screen_says_so", async () => {
  const state = showRental("ben", { rentalStatus: RentalStatus.PENDING, allowedActions: [A.MOVE] });
  state.refuses = refusal("WRONG_STATE");
  await userEvent.click(screen.getByRole("button", { name: "Change dates" }));
  const sheet = within(await screen.findByRole("dialog"));
  await userEvent.click(await sheet.findByRole("button", { name: "November 26, 2026" }));
  await userEvent.click(sheet.getByRole("button", { name: "November 27, 2026" }));
  await userEvent.click(sheet.getByRole("button", { name: "Send Rental Request" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByText(TOO_LATE)).toBeInTheDocument();
});

it("a_sheet_whose_action_is_allowed_still_stays", async () => {
  const state = showRental("ben", OUT, { allowedActions: [A.RETURN] });
  state.refuses = refusal("WRONG_STATE");
  const { sheet, send } = await returning();
  await send();
  expect(await sheet.findByText(TOO_LATE)).toBeInTheDocument();
});

it("a_sheet_stays_for_the_words_and_pictures_that_were_not_added", async () => {
  const state = showRental("ben", OUT, { rentalStatus: RentalStatus.CANCELLED });
  state.refuses = refusal("WRONG_STATE");
  const { sheet, send } = await returning();
  await userEvent.type(sheet.getByLabelText("Note (optional)"), "All there");
  await send();
  const text = "This rental just changed. Your note and pictures weren't added.";
  expect(await sheet.findByText(text)).toBeInTheDocument();
});

it("a_sheet_from_which_nothing_was_lost_is_closed", async () => {
  const state = showRental("ben", OUT, { rentalStatus: RentalStatus.CANCELLED });
  state.refuses = refusal("WRONG_STATE");
  const { send } = await returning();
  await send();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByText(TOO_LATE)).toBeInTheDocument();
});

const UNSENT = "A picture wasn't uploaded. Try again or remove it.";

it("pictures_that_did_not_arrive_are_sent_again_before_anything_is_noted", async () => {
  const state = showRental("ben", OUT);
  const { sheet, send } = await returning();
  uploads.fails = true;
  await choose(picture());
  await sheet.findByRole("button", { name: "Upload picture 1 again" });
  await send();
  expect(await sheet.findByText(UNSENT)).toBeInTheDocument();
  expect(state.calls).toEqual([]);
  await userEvent.click(sheet.getByRole("button", { name: "Upload picture 1 again" }));
  expect(await sheet.findByText(UNSENT)).toBeInTheDocument();
  uploads.fails = false;
  await send();
  await waitFor(() => expect(state.calls).toEqual([{ name: "return", note: "", pictureKeys: ["key4"] }]));
});

it.each([
  ["unreadable", "We couldn't read tent.png. Please choose another picture."],
  ["kind", "We can't use tent.png. Please choose a JPEG, PNG or WebP picture."],
  ["size", "tent.png is larger than 5 MB even after we made it smaller. Please choose another picture."],
] as const)("a_picture_that_is_refused_for_%s_is_named_and_can_only_be_removed", async (fault, text) => {
  const state = showRental("ben", OUT);
  const { sheet, send } = await returning();
  uploads.fault = fault;
  await choose(picture());
  expect(await sheet.findByText(text)).toBeInTheDocument();
  expect(sheet.queryByRole("button", { name: "Upload picture 1 again" })).toBeNull();
  expect(document.querySelector(".thumb img")).toBeNull();
  await send();
  expect(await sheet.findByText(text)).toBeInTheDocument();
  expect(sheet.queryByText(UNSENT)).toBeNull();
  expect(state.calls).toEqual([]);
  await userEvent.click(sheet.getByRole("button", { name: "Remove picture 1" }));
  expect(sheet.queryByText(text)).toBeNull();
  await send();
  await waitFor(() => expect(state.calls).toEqual([{ name: "return", note: "", pictureKeys: [] }]));
});

it("all_that_are_not_taken_are_named", async () => {
  showRental("ben", OUT);
  const { sheet } = await returning();
  const heic = new File(["x"], "IMG_1.HEIC", { type: "image/heic" });
  await choose(heic, new File([], "none.jpg", { type: "image/jpeg" }), picture("a.png"));
  expect(await sheet.findByText(/^We can't use IMG_1\.HEIC\./)).toBeInTheDocument();
  expect(sheet.getByText(/^none\.jpg is an empty file\./)).toBeInTheDocument();
  expect(sheet.getAllByRole("button", { name: /^Remove picture/ })).toHaveLength(1);
  await choose(...["b", "c", "d", "e", "f"].map((name) => picture(`${name}.png`)));
  expect(sheet.getByText("You can add up to 5 pictures. We didn't add f.png.")).toBeInTheDocument();
  expect(sheet.queryByText(/IMG_1/)).toBeNull();
});

const GONE = "The page reloaded, so please add your pictures again.";

it("pictures_that_were_there_before_the_page_was_loaded_anew_are_said_to_be_gone", async () => {
  const { rental } = showRental("ben", OUT);
  const { sheet } = await returning();
  await choose(picture());
  await sheet.findByRole("button", { name: "Remove picture 1" });
  expect(sheet.queryByText(GONE)).toBeNull();
  // So a page begins.
  act(() => dropPictures(lineOf("ben", rental, A.RETURN)));
  expect(await sheet.findByText(GONE)).toBeInTheDocument();
  await choose(picture());
  await waitFor(() => expect(sheet.queryByText(GONE)).toBeNull());
  await userEvent.click(sheet.getByRole("button", { name: "Remove picture 1" }));
  expect(sheet.queryByText(GONE)).toBeNull();
});
