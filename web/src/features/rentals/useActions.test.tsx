// A sheet of a rental is closed by what was sent from it, and by nothing else.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import {
  type Rental,
  RentalAction,
  RentalSchema,
  RentalsService,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { renderWith } from "../../testing/render";
import { useActions } from "./useActions";

type Init = Exclude<MessageInitShape<typeof RentalSchema>, Rental>;
const rentalOf = (requestId: string): Init => ({
  requestId,
  itemId: "i",
  owner: { uid: "ana" },
  allowedActions: [RentalAction.START],
});

function Two() {
  const { act, sheet } = useActions("ana");
  return (
    <>
      {["r1", "r2"].map((id) => (
        <button key={id} onClick={() => act(create(RentalSchema, rentalOf(id)), RentalAction.START)}>
          {id}
        </button>
      ))}
      {sheet}
    </>
  );
}

/** Opens the sheet of one of them. */
async function opened(id: string) {
  // It stands behind the sheet that was there.
  await userEvent.click(screen.getByRole("button", { name: id, hidden: true }));
  const sheet = within(await screen.findByRole("dialog"));
  return { sheet, note: await sheet.findByLabelText("Note (optional)") };
}

function show() {
  const waiting = new Set<() => void>();
  renderWith(
    ({ service }) =>
      service(RentalsService, {
        async startRental({ requestId }) {
          await new Promise<void>((resolve) => void waiting.add(resolve));
          return { rental: rentalOf(requestId) };
        },
      }),
    <Two />,
  );
  return () => waiting.forEach((resolve) => resolve());
}

async function startAndLeave(): Promise<void> {
  const { sheet } = await opened("r1");
  await userEvent.click(sheet.getByRole("button", { name: "Mark handed over" }));
  await userEvent.click(sheet.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
}

it("a_late_answer_leaves_the_sheet_of_another_rental_open", async () => {
  const answer = show();
  await startAndLeave();
  const { note } = await opened("r2");
  await userEvent.type(note, "All there");
  answer();
  expect(await screen.findByText("Handed over. We let the borrower know.")).toBeInTheDocument();
  expect(screen.getByRole("dialog")).toBeInTheDocument();
  expect(note).toHaveValue("All there");
});

it("a_late_answer_closes_its_own_sheet_which_was_opened_again", async () => {
  const answer = show();
  await startAndLeave();
  const { sheet } = await opened("r1");
  expect(sheet.getByRole("button", { name: "Mark handed over" })).toHaveAttribute("data-loading", "true");
  answer();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
