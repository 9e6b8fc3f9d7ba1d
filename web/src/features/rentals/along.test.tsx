// Optional words: the reason for declining a request, and the note of a rating.
import { MantineProvider } from "@mantine/core";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { RentalAction as A, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { lost, refusal } from "../../testing/refusals";
import { showRental } from "../../testing/rentals";
import { ConfirmHost } from "../../ui/ConfirmHost";

// jsdom does not implement showModal. Like a browser, this focuses the first focusable element.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
  this.querySelector<HTMLElement>("button, textarea")?.focus();
};

const ASKED = { rentalStatus: RentalStatus.PENDING, allowedActions: [A.DECLINE] };
const DAYS = { startDate: "2026-11-20", endDate: "2026-11-22" };

function showAsked() {
  const state = showRental("ana", ASKED);
  render(
    <MantineProvider env="test">
      <ConfirmHost />
    </MantineProvider>,
  );
  return state;
}

async function question() {
  await userEvent.click(screen.getByRole("button", { name: "Decline" }));
  const asked = within(await screen.findByRole("dialog", { name: "Decline this request?" }));
  const reason = await asked.findByLabelText("Reason (optional)");
  return {
    reason,
    cancel: asked.getByRole("button", { name: "Cancel" }),
    yes: asked.getByRole("button", { name: "Decline" }),
  };
}

const stored = (): string => JSON.stringify({ ...sessionStorage });

it("who_declines_need_not_say_why", async () => {
  const state = showAsked();
  const { cancel } = await question();
  await userEvent.click(cancel);
  // By now the field is loaded, so it renders with the dialog.
  const { yes: again, cancel: wayOut } = await question();
  expect(wayOut).toHaveFocus();
  await userEvent.click(again);
  expect(await screen.findByText("Request declined")).toBeInTheDocument();
  expect(state.calls).toEqual([{ name: "decline", ...DAYS, note: "" }]);
});

it("why_a_request_is_declined_stays_until_it_is_sent", async () => {
  const state = showAsked();
  const first = await question();
  await userEvent.type(first.reason, " It is at the repair shop ");
  await userEvent.click(first.cancel);
  const second = await question();
  expect(second.reason).toHaveValue(" It is at the repair shop ");
  expect(stored()).toContain("repair shop");
  state.fails = lost();
  await userEvent.click(second.yes);
  const retry = await screen.findByRole("button", { name: "Retry" });
  state.fails = undefined;
  await userEvent.click(retry);
  expect(await screen.findByText("Request declined")).toBeInTheDocument();
  expect(state.calls).toEqual([{ name: "decline", ...DAYS, note: "It is at the repair shop" }]);
  expect(stored()).not.toContain("repair shop");
});

it("a_reason_that_comes_too_late_is_said_not_to_be_sent", async () => {
  const state = showAsked();
  state.refuses = refusal("WRONG_STATE");
  const { reason, yes } = await question();
  await userEvent.type(reason, "It broke");
  await userEvent.click(yes);
  expect(await screen.findByText("This rental just changed. Your note wasn't sent.")).toBeInTheDocument();
});

it.each(["ana", "ben"] as const)("%s_sees_why_it_was_declined", (me) => {
  showRental(me, { rentalStatus: RentalStatus.DECLINED, declineNote: "It broke" });
  expect(
    within(screen.getByRole("region", { name: "Reason for declining" })).getByText("It broke"),
  ).toBeInTheDocument();
});

it("nothing_is_said_of_a_reason_that_was_not_given", () => {
  showRental("ben", { rentalStatus: RentalStatus.DECLINED });
  expect(screen.queryByRole("region", { name: "Reason for declining" })).toBeNull();
});

it("a_rating_takes_words_along_which_stay_until_they_are_sent", async () => {
  const state = showRental("ben", { rentalStatus: RentalStatus.COMPLETED, allowedActions: [A.RATE] });
  await userEvent.click(screen.getByRole("button", { name: "Rate" }));
  const sheet = within(await screen.findByRole("dialog", { name: "How was it?" }));
  const note = await sheet.findByLabelText("Note (optional)");
  await userEvent.type(note, " Bright picture ");
  await userEvent.click(sheet.getByRole("radio", { name: "5 stars" }));
  state.fails = lost();
  await userEvent.click(sheet.getByRole("button", { name: "Rate" }));
  const retry = await sheet.findByRole("button", { name: "Retry" });
  expect(note).toHaveValue(" Bright picture ");
  state.fails = undefined;
  await userEvent.click(retry);
  await waitFor(() => expect(state.calls).toEqual([{ name: "rate", rating: 5, note: "Bright picture" }]));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("the_words_of_both_ratings_stand_in_the_rental", () => {
  const notes = { givenRating: 5, givenNote: "Bright picture", receivedNote: "Came back clean" };
  showRental("ben", { rentalStatus: RentalStatus.COMPLETED, ...notes });
  expect(within(screen.getByRole("region", { name: "Your note" })).getByText("Bright picture")).toBeInTheDocument();
  expect(
    within(screen.getByRole("region", { name: /^.?Ana.?'s note$/ })).getByText("Came back clean"),
  ).toBeInTheDocument();
});
