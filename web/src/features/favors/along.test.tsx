// Optional words with an answer or a status: the reason for declining, and a thank-you note.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { type Favor, FavorAction, FavorSchema, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import {
  FavorEventKind,
  FavorResponse,
  FavorsService,
  type GetFavorStoryResponse,
  type GetFavorStoryResponseSchema,
} from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { lost } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { ConfirmHost } from "../../ui/ConfirmHost";
import { FavorDetails } from "./FavorDetails";

// jsdom does not implement showModal.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};

type Init = Exclude<MessageInitShape<typeof FavorSchema>, Favor>;
type Story = Exclude<MessageInitShape<typeof GetFavorStoryResponseSchema>, GetFavorStoryResponse>;
const BEN = { uid: "ben", displayName: "Ben Okafor" };

/** Shows one of Ana's favors. Ben is its helper, or is asked. */
function show(me: string, part: Init, events: Story["events"] = []) {
  const state = { calls: [] as object[], fails: undefined as ConnectError | undefined };
  const favor: Init = { title: "Walk Biscuit", createdBy: "ana", helper: BEN, ...part };
  function answer(call: object): { favor: Init } {
    if (state.fails !== undefined) throw state.fails;
    state.calls.push(call);
    return { favor: { ...favor, allowedActions: [] } };
  }
  renderWith(
    ({ service }) =>
      service(FavorsService, {
        getFavorStory: () => ({ events }),
        completeFavor: ({ message }) => answer({ name: "complete", message }),
        settleFavor: ({ message }) => answer({ name: "settle", message }),
        respondToFavor: ({ response, message }) => answer({ name: "respond", response, message }),
      }),
    <>
      <FavorDetails favor={create(FavorSchema, favor)} me={me} onEdit={vi.fn()} onGone={vi.fn()} />
      <ConfirmHost />
    </>,
  );
  return state;
}

async function asks(label: string) {
  await userEvent.click(await screen.findByRole("button", { name: label }));
  return within(await screen.findByRole("dialog"));
}

it.each([
  [FavorAction.COMPLETE, FavorStatus.ACCEPTED, "Mark completed", "complete"],
  [FavorAction.SETTLE, FavorStatus.COMPLETED, "Mark settled", "settle"],
])("thanks_may_go_along_with_action_%d", async (action, status, label, name) => {
  const state = show("ana", { id: `thanked-${action}`, status, allowedActions: [action] });
  const question = await asks(label);
  await userEvent.type(await question.findByLabelText("Thank-you note (optional)"), " You saved my day ");
  await userEvent.click(question.getByRole("button", { name: "Confirm" }));
  expect(await screen.findByText(/^Favor marked as/)).toBeInTheDocument();
  expect(state.calls).toEqual([{ name, message: "You saved my day" }]);
});

it("who_marks_it_without_a_word_sends_none", async () => {
  const allowedActions = [FavorAction.COMPLETE];
  const state = show("ana", { id: "plain", status: FavorStatus.ACCEPTED, allowedActions });
  const question = await asks("Mark completed");
  await userEvent.click(question.getByRole("button", { name: "Confirm" }));
  expect(await screen.findByText("Favor marked as completed!")).toBeInTheDocument();
  expect(state.calls).toEqual([{ name: "complete", message: "" }]);
});

it.each([
  ["ana", "You saved my day", false],
  ["ana", "", true],
  ["ben", "It was a pleasure", true],
])("after_%s_said_%j_at_completion_thanks_are_asked_for_at_the_end_%s", async (uid, message, isAskedFor) => {
  const part = { id: "thanked", status: FavorStatus.COMPLETED, allowedActions: [FavorAction.SETTLE] };
  const state = show("ana", part, [{ kind: FavorEventKind.COMPLETED, actor: { uid, displayName: uid }, message }]);
  expect(await screen.findByText(/marked it completed/)).toBeInTheDocument();
  const question = await asks("Mark settled");
  expect(question.queryByLabelText("Thank-you note (optional)") !== null).toBe(isAskedFor);
  await userEvent.click(question.getByRole("button", { name: "Confirm" }));
  expect(await screen.findByText("Favor marked as settled!")).toBeInTheDocument();
  expect(state.calls).toEqual([{ name: "settle", message: "" }]);
});

it("a_helper_thanks_nobody", async () => {
  const allowedActions = [FavorAction.COMPLETE];
  show("ben", { id: "helped", status: FavorStatus.ACCEPTED, allowedActions });
  const question = await asks("Mark completed");
  expect(question.queryByRole("textbox")).toBeNull();
});

it("why_somebody_cannot_help_stays_until_it_is_sent", async () => {
  const part: Init = { id: "asked", status: FavorStatus.PENDING, allowedActions: [FavorAction.DECLINE] };
  const state = show("ben", part);
  const first = await asks("I can't");
  await userEvent.type(await first.findByLabelText("Reason (optional)"), "I'm away");
  state.fails = lost();
  await userEvent.click(first.getByRole("button", { name: "Decline" }));
  expect(await screen.findByText(/Failed to send your answer/)).toBeInTheDocument();
  state.fails = undefined;
  const second = await asks("I can't");
  expect(await second.findByLabelText("Reason (optional)")).toHaveValue("I'm away");
  await userEvent.click(second.getByRole("button", { name: "Decline" }));
  expect(await screen.findByText("You declined this favor")).toBeInTheDocument();
  expect(state.calls).toEqual([{ name: "respond", response: FavorResponse.DECLINE, message: "I'm away" }]);
});
