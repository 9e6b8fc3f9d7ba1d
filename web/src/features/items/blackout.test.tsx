// The days in which an item is not lent: each change is made to what the server has then, and one whose answer was lost is looked at.
import { Code } from "@connectrpc/connect";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { useLocation } from "wouter";
import { manageItemPath } from "../../lib/sharing";
import { unsay } from "../../ui/said";
import { anItem, itemServer } from "../../testing/items";
import { lost, refusal } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { Blackout } from "./Blackout";

const { MAY, AUGUST } = vi.hoisted(() => ({
  MAY: { start: "2027-05-01", end: "2027-05-03" },
  AUGUST: { start: "2027-08-01", end: "2027-08-03" },
}));

// The calendar has tests of its own: here only May and August can be chosen.
vi.mock("../../ui/RangeCalendar", () => ({
  default: ({ onChange, busy = false }: { onChange: (range: typeof MAY) => void; busy?: boolean }) => (
    <>
      <button type="button" disabled={busy} onClick={() => onChange(MAY)}>
        May
      </button>
      <button type="button" disabled={busy} onClick={() => onChange(AUGUST)}>
        August
      </button>
    </>
  ),
}));

const JUNE = { startDate: "2027-06-01", endDate: "2027-06-03" };
const JULY = { startDate: "2027-07-01", endDate: "2027-07-03" };
const FAILED = /Failed to save the unavailable days\. Please try again\./;
const SAVED = "Unavailable days saved";

beforeEach(() => {
  unsay();
  window.history.replaceState(null, "", manageItemPath("i1"));
});

function Place() {
  const [path] = useLocation();
  return path === manageItemPath("i1") ? <Blackout item={anItem("i1", "Ladder")} /> : <p>Elsewhere</p>;
}

function open() {
  const server = itemServer([anItem("i1", "Ladder")]);
  server.state.closed = [JUNE];
  renderWith(server.routes, <Place />);
  return server;
}

const press = (name: string | RegExp): Promise<void> =>
  screen.findByRole("button", { name }).then((button) => userEvent.click(button));
const firstDays = ({ closed }: { closed: { startDate: string }[] }): string[] => closed.map((one) => one.startDate);

const save = (): Promise<void> => press("Mark unavailable");
async function adding(): Promise<void> {
  await press("Choose days");
  await press("May");
}
const isClosed = (): Promise<void> => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

/** The sheet was closed while it sends, which comes to an end with what is returned. */
async function closedWhileSending({ hold }: ReturnType<typeof itemServer>): Promise<() => Promise<void>> {
  const release = hold("setBlackoutDays");
  await adding();
  await save();
  await userEvent.keyboard("{Escape}");
  await isClosed();
  return () => act(async () => release());
}

it("lifting_days_again_keeps_what_was_set_elsewhere_meanwhile", async () => {
  const { state } = open();
  state.fails["setBlackoutDays"] = lost();
  await press(/^Make Jun/);
  expect(await screen.findByText(FAILED)).toBeInTheDocument();
  state.closed = [JUNE, JULY];
  await press("Retry");
  expect(await screen.findByText("These days are available again")).toBeInTheDocument();
  expect(state.closed).toEqual([JULY]);
});

it("adding_days_again_keeps_what_was_set_elsewhere_meanwhile", async () => {
  const { state } = open();
  await adding();
  state.fails["setBlackoutDays"] = lost();
  await save();
  expect(await screen.findByText(FAILED)).toBeInTheDocument();
  state.closed = [JUNE, JULY];
  await press("Retry");
  expect(await screen.findByText(SAVED)).toBeInTheDocument();
  expect(firstDays(state)).toEqual(["2027-05-01", "2027-06-01", "2027-07-01"]);
});

it("days_that_another_device_sets_in_the_same_moment_stay", async () => {
  const { state, callsOf } = open();
  await adding();
  state.closedElsewhere = [JULY];
  await save();
  expect(await screen.findByText(SAVED)).toBeInTheDocument();
  expect(firstDays(state)).toEqual(["2027-05-01", "2027-06-01", "2027-07-01"]);
  expect(callsOf("setBlackoutDays")).toHaveLength(2);
});

it("days_that_other_devices_never_leave_alone_are_a_failure_in_the_end", async () => {
  const { state, callsOf } = open();
  await adding();
  state.closedElsewhere = Array.from({ length: 9 }, () => JULY);
  await save();
  expect(await screen.findByText(FAILED)).toBeInTheDocument();
  expect(callsOf("setBlackoutDays")).toHaveLength(3);
});

it("days_that_were_lifted_and_not_answered_are_no_failure", async () => {
  const { state, callsOf } = open();
  state.unanswered = ["setBlackoutDays"];
  await press(/^Make Jun/);
  expect(await screen.findByText("These days are available again")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Make .* available again$/ })).toBeNull());
  expect(callsOf("setBlackoutDays")).toHaveLength(1);
});

it("days_that_were_added_and_not_answered_are_no_failure", async () => {
  const { state } = open();
  await adding();
  state.unanswered = ["setBlackoutDays"];
  await save();
  expect(await screen.findByText(SAVED)).toBeInTheDocument();
  expect(firstDays(state)).toEqual(["2027-05-01", "2027-06-01"]);
});

it("days_that_are_lost_once_their_sheet_is_closed_are_told_and_can_be_sent_again", async () => {
  const server = open();
  const { state } = server;
  state.fails["setBlackoutDays"] = lost();
  const end = await closedWhileSending(server);
  await end();
  expect(await screen.findByText(FAILED)).toBeInTheDocument();
  await press("Retry");
  expect(await screen.findByText(SAVED)).toBeInTheDocument();
  expect(firstDays(state)).toEqual(["2027-05-01", "2027-06-01"]);
});

it("days_that_somebody_has_booked_are_told_also_where_the_screen_was_left_with_the_name_of_the_item", async () => {
  const server = open();
  server.state.fails["setBlackoutDays"] = refusal("DAYS_TAKEN", Code.FailedPrecondition);
  const end = await closedWhileSending(server);
  act(() => window.history.pushState(null, "", "/share?tab=mine"));
  await end();
  expect(await screen.findByText(/May.*: .*Someone has booked some of these days\./)).toBeInTheDocument();
  expect(screen.getByText("Ladder")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
});

it("days_that_are_saved_once_the_screen_is_left_are_told_with_the_name_of_the_item", async () => {
  const end = await closedWhileSending(open());
  act(() => window.history.pushState(null, "", "/share?tab=mine"));
  await end();
  expect(await screen.findByText(SAVED)).toBeInTheDocument();
  expect(screen.getByText("Ladder")).toBeInTheDocument();
});

it("an_answer_closes_the_sheet_that_asked_and_not_one_that_was_opened_since", async () => {
  const server = open();
  const end = await closedWhileSending(server);
  await adding();
  await end();
  expect(await screen.findByText(SAVED)).toBeInTheDocument();
  expect(screen.getByRole("dialog")).toBeInTheDocument();
  await save();
  await isClosed();
});

it("days_that_fail_while_the_sheet_is_open_anew_are_told_once_it_is_closed", async () => {
  const server = open();
  server.state.fails["setBlackoutDays"] = lost();
  const end = await closedWhileSending(server);
  await press("Choose days");
  await end();
  await press("May");
  await userEvent.keyboard("{Escape}");
  expect(await screen.findByText(FAILED)).toBeInTheDocument();
  await isClosed();
  await press("Retry");
  expect(await screen.findByText(SAVED)).toBeInTheDocument();
});

it("all_days_that_fail_while_the_sheet_is_open_are_told_and_sent_again", async () => {
  const server = open();
  server.state.fails["setBlackoutDays"] = [lost(), lost()];
  const end = await closedWhileSending(server);
  await press("Choose days");
  await press("August");
  await save();
  await userEvent.keyboard("{Escape}");
  await isClosed();
  await press("Choose days");
  await end();
  await waitFor(() => expect(server.callsOf("setBlackoutDays")).toHaveLength(2));
  await waitFor(() => expect(server.callsOf("listBlackoutDays").length).toBeGreaterThan(4));
  await userEvent.keyboard("{Escape}");
  expect((await screen.findByText(FAILED)).textContent).toMatch(/May.+Aug/);
  await press("Retry");
  expect(await screen.findByText(SAVED)).toBeInTheDocument();
  expect(firstDays(server.state)).toEqual(["2027-05-01", "2027-06-01", "2027-08-01"]);
});

it("while_days_are_sent_no_others_can_be_chosen", async () => {
  const { hold } = open();
  const release = hold("setBlackoutDays");
  await adding();
  await save();
  expect(screen.getByRole("button", { name: "May" })).toBeDisabled();
  await act(async () => release());
  await isClosed();
});
