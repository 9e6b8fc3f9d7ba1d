// The sheet of a hand-over or a return when something goes wrong: it is seen where the member is, and nothing that was typed or taken is lost.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { RentalAction, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { lost } from "../../testing/refusals";
import { showRental } from "../../testing/rentals";

const { uploads } = vi.hoisted(() => ({ uploads: { fails: false } }));

// No browser draws here, and no network is there.
vi.mock("../../lib/smaller", async (original) => ({
  ...(await original<object>()),
  smaller: (file: Blob) => Promise.resolve(file),
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
  uploads.fails = false;
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
  expect(seen.mock.contexts.at(-1)).toHaveTextContent("A picture could not be sent. Send it again, or remove it.");
  seen.mockRestore();
});
