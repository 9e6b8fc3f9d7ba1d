// A report of a problem: asked for words, sent once however often it is tried, and kept until it is sent.
import { Code, ConnectError } from "@connectrpc/connect";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { ProfileService } from "../../gen/later/goodturn/profile/v1/profile_service_pb";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb";
import { renderWith } from "../../testing/render";
import { ReportSheet } from "./ReportSheet";

function show() {
  const state = {
    error: undefined as ConnectError | undefined,
    reports: [] as { key: string | null; message: string }[],
  };
  const onSent = vi.fn();
  const again = (): unknown =>
    renderWith(
      ({ service }) =>
        service(ProfileService, {
          reportProblem({ message }, { requestHeader }) {
            state.reports.push({ key: requestHeader.get("idempotency-key"), message });
            if (state.error !== undefined) throw state.error;
            return { reportId: "r" };
          },
        }),
      <ReportSheet me="ana" onSent={onSent} />,
    );
  again();
  return { state, onSent, again };
}

const words = (): HTMLElement => screen.getByLabelText("What happened?");
const send = (): Promise<void> => userEvent.click(screen.getByRole("button", { name: "Send report" }));
const type = (message: string): unknown => fireEvent.change(words(), { target: { value: message } });

it("without_words_nothing_is_sent", async () => {
  const { state } = show();
  type("  ");
  await send();
  expect(screen.getByText("Please say what happened")).toBeInTheDocument();
  expect(words()).toHaveFocus();
  expect(state.reports).toEqual([]);
});

it("what_could_not_be_sent_is_kept_and_tried_again_by_the_same_key", async () => {
  const { state, onSent, again } = show();
  state.error = new ConnectError("gone", Code.Unavailable);
  type("The list stays empty.");
  await send();
  expect(await screen.findByText("Report Not Sent")).toBeInTheDocument();
  cleanup();
  again();
  expect(words()).toHaveValue("The list stays empty.");
  state.error = undefined;
  await send();
  await waitFor(() => expect(onSent).toHaveBeenCalledOnce());
  expect(state.reports).toHaveLength(2);
  expect(state.reports[0]?.key).toMatch(/\d/);
  expect(state.reports[1]).toEqual(state.reports[0]);
  cleanup();
  again();
  expect(words()).toHaveValue("");
});

it("other_words_are_another_report", async () => {
  const { state } = show();
  const detail = { desc: ErrorInfoSchema, value: { reason: "RATE_LIMITED", domain: "goodturn" } };
  state.error = new ConnectError("no", Code.ResourceExhausted, undefined, [detail]);
  type("One");
  await send();
  expect(await screen.findByText("You've sent a lot of reports. Please try again later.")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
  type("Two");
  expect(screen.queryByText(/a lot of reports/)).toBeNull();
  await send();
  await waitFor(() => expect(state.reports.map(({ message }) => message)).toEqual(["One", "Two"]));
  expect(state.reports[0]?.key).not.toBe(state.reports[1]?.key);
});
