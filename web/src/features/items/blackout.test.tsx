// The days in which an item is not lent: each change is made to what the server has then, and one whose answer was lost is looked at.
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { Range } from "../../ui/range";
import { anItem, itemServer } from "../../testing/items";
import { lost } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { Blackout } from "./Blackout";
import type { Saved } from "./BlackoutSheet";

const { sheet } = vi.hoisted(() => ({
  sheet: { save: undefined as unknown as (range: Range) => Promise<Saved> },
}));

// The calendar has tests of its own.
vi.mock("./BlackoutSheet", () => ({
  BlackoutSheet({ onSave }: { onSave: typeof sheet.save }) {
    sheet.save = onSave;
    return <p>Which days?</p>;
  },
}));

const JUNE = { startDate: "2027-06-01", endDate: "2027-06-03" };
const JULY = { startDate: "2027-07-01", endDate: "2027-07-03" };
const MAY: Range = { start: "2027-05-01", end: "2027-05-03" };
const FAILED = /Failed to save the black-out days\. Please try again\./;

function open() {
  const ladder = anItem("i1", "Ladder");
  const server = itemServer([ladder]);
  server.state.closed = [JUNE];
  renderWith(server.routes, <Blackout item={ladder} />);
  return server;
}

const press = (name: string | RegExp): Promise<void> =>
  screen.findByRole("button", { name }).then((button) => userEvent.click(button));
const firstDays = ({ closed }: { closed: { startDate: string }[] }): string[] => closed.map((one) => one.startDate);

async function adding(): Promise<void> {
  await press("Choose days");
  await screen.findByText("Which days?");
}

it("lifting_days_again_keeps_what_was_set_elsewhere_meanwhile", async () => {
  const { state } = open();
  state.fails["setBlackoutDays"] = lost();
  await press(/^Lend it again Jun/);
  expect(await screen.findByText(FAILED)).toBeInTheDocument();
  state.closed = [JUNE, JULY];
  await press("Retry");
  expect(await screen.findByText("It is lent in these days again")).toBeInTheDocument();
  expect(state.closed).toEqual([JULY]);
});

it("adding_days_again_keeps_what_was_set_elsewhere_meanwhile", async () => {
  const { state } = open();
  await adding();
  state.fails["setBlackoutDays"] = lost();
  expect(await act(() => sheet.save(MAY))).toMatchObject({ ok: false, isLost: true });
  state.closed = [JUNE, JULY];
  expect(await act(() => sheet.save(MAY))).toEqual({ ok: true });
  expect(firstDays(state)).toEqual(["2027-05-01", "2027-06-01", "2027-07-01"]);
});

it("days_that_another_device_sets_in_the_same_moment_stay", async () => {
  const { state, callsOf } = open();
  await adding();
  state.closedElsewhere = [JULY];
  expect(await act(() => sheet.save(MAY))).toEqual({ ok: true });
  expect(firstDays(state)).toEqual(["2027-05-01", "2027-06-01", "2027-07-01"]);
  expect(callsOf("setBlackoutDays")).toHaveLength(2);
});

it("days_that_other_devices_never_leave_alone_are_a_failure_in_the_end", async () => {
  const { state, callsOf } = open();
  await adding();
  state.closedElsewhere = Array.from({ length: 9 }, () => JULY);
  expect(await act(() => sheet.save(MAY))).toMatchObject({ ok: false });
  expect(callsOf("setBlackoutDays")).toHaveLength(3);
});

it("days_that_were_lifted_and_not_answered_are_no_failure", async () => {
  const { state, callsOf } = open();
  state.unanswered = ["setBlackoutDays"];
  await press(/^Lend it again Jun/);
  expect(await screen.findByText("It is lent in these days again")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Lend it again/ })).toBeNull());
  expect(callsOf("setBlackoutDays")).toHaveLength(1);
});

it("days_that_were_added_and_not_answered_are_no_failure", async () => {
  const { state } = open();
  await adding();
  state.unanswered = ["setBlackoutDays"];
  expect(await act(() => sheet.save(MAY))).toEqual({ ok: true });
  expect(firstDays(state)).toEqual(["2027-05-01", "2027-06-01"]);
});
