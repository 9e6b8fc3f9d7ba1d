// What is said beside the actions of a favor.
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { FavorAction, FavorSchema, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { FavorEventKind, FavorResponse, FavorsService } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { renderWith } from "../../testing/render";
import { FavorDetails } from "./FavorDetails";

const TOO_OFTEN = "You've changed your answer 20 times. You can still accept.";
const { ACCEPT, DECLINE, ANOTHER_TIME, PUBLISH, EDIT, COMPLETE, SETTLE, CANCEL, DELETE } = FavorAction;

/** Shows a favor of Ana's to Ben, who was asked, with its story. */
async function show(
  status: FavorStatus,
  response: FavorResponse,
  allowedActions: FavorAction[],
  helper?: { uid: string },
): Promise<void> {
  const given = helper === undefined ? {} : { helper };
  const favor = create(FavorSchema, {
    id: "f",
    title: "Walk the dog",
    status,
    createdBy: "ana",
    allowedActions,
    ...given,
  });
  const events = [{ kind: FavorEventKind.POSTED, actor: { uid: "ana", displayName: "Ana Silva" } }];
  const recipients = [{ person: { uid: "ben", displayName: "Ben Okafor" }, response }];
  renderWith(
    ({ service }) => service(FavorsService, { getFavorStory: () => ({ events, recipients }) }),
    <FavorDetails favor={favor} me="ben" onEdit={vi.fn()} onGone={vi.fn()} />,
  );
  expect(await screen.findByText(/posted this favor/)).toBeInTheDocument();
}

it.each([
  [FavorStatus.PENDING, FavorResponse.ANOTHER_TIME],
  [FavorStatus.DECLINED, FavorResponse.DECLINE],
])("status_%d_says_why_only_accepting_is_left_of_answer_%d", async (status, response) => {
  await show(status, response, [ACCEPT]);
  expect(screen.getByRole("button", { name: "I can help" })).toBeInTheDocument();
  expect(screen.getByText(TOO_OFTEN)).toBeInTheDocument();
});

it.each<[FavorResponse, FavorAction[]]>([
  [FavorResponse.UNSPECIFIED, [ACCEPT, DECLINE, ANOTHER_TIME]],
  [FavorResponse.ANOTHER_TIME, [ACCEPT, DECLINE, ANOTHER_TIME]],
  [FavorResponse.DECLINE, [ACCEPT, ANOTHER_TIME]],
  [FavorResponse.DECLINE, []],
  [FavorResponse.UNSPECIFIED, [ACCEPT]],
])("answer_%d_that_leaves_%j_says_nothing_of_changes", async (response, allowed) => {
  await show(FavorStatus.PENDING, response, allowed);
  expect(screen.queryByText(TOO_OFTEN)).not.toBeInTheDocument();
});

it.each([
  [FavorStatus.ACCEPTED, "Someone else is helping. You don't need to do anything."],
  [FavorStatus.COMPLETED, "Someone else helped."],
  [FavorStatus.SETTLED, "Someone else helped."],
])("status_%d_says_that_somebody_else_helps_to_all_but_the_helper", async (status, said) => {
  await show(status, FavorResponse.UNSPECIFIED, []);
  expect(screen.getByText(said)).toBeInTheDocument();
  cleanup();
  await show(status, FavorResponse.ACCEPT, [], { uid: "ben" });
  expect(screen.queryByText(said)).not.toBeInTheDocument();
});

it("a_story_that_could_not_be_loaded_does_not_say_that_nobody_answered", async () => {
  const server = { fails: true };
  const favor = create(FavorSchema, {
    id: "f",
    title: "Water the basil",
    status: FavorStatus.ACTIVE,
    createdBy: "ana",
    allowedActions: [FavorAction.CANCEL],
  });
  const response = FavorResponse.UNSPECIFIED;
  const recipients = [{ person: { uid: "ben", displayName: "Ben Okafor" }, response }];
  renderWith(
    ({ service }) =>
      service(FavorsService, {
        getFavorStory() {
          if (server.fails) throw new ConnectError("down", Code.Internal);
          return { events: [], recipients };
        },
      }),
    <FavorDetails favor={favor} me="ana" onEdit={vi.fn()} onGone={vi.fn()} />,
  );
  expect(await screen.findByText("Failed to load the story")).toBeInTheDocument();
  expect(screen.queryByText("No answer yet")).not.toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Cancel favor" })).toBeInTheDocument();
  server.fails = false;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("No answer yet")).toBeInTheDocument();
});

const barOf = (): (string | null)[] =>
  [...document.querySelectorAll(".stick .acts > button")].map(({ textContent }) => textContent);

it.each<[FavorStatus, FavorAction[], string[], string[]]>([
  [FavorStatus.DRAFT, [PUBLISH, EDIT, CANCEL, DELETE], ["Post", "Edit favor", "More"], ["Cancel favor", "Delete"]],
  [FavorStatus.ACTIVE, [EDIT, CANCEL, DELETE], ["Edit favor", "More"], ["Cancel favor", "Delete"]],
  [FavorStatus.ACCEPTED, [COMPLETE, SETTLE, CANCEL], ["Mark completed", "More"], ["Mark settled", "Mark cancelled"]],
  [FavorStatus.ACCEPTED, [COMPLETE, CANCEL], ["Mark completed", "Mark cancelled"], []],
  [FavorStatus.PENDING, [ACCEPT, DECLINE, ANOTHER_TIME], ["I can help", "Another time", "I can't"], []],
])("of_status_%d_the_main_action_stands_in_the_bar_and_others_behind_more_%j", async (status, allowed, bar, rest) => {
  await show(status, FavorResponse.UNSPECIFIED, allowed);
  expect(barOf()).toEqual(bar);
  if (rest.length === 0) return;
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  const sheet = within(await screen.findByRole("dialog", { name: "More" }));
  const ways = sheet.getAllByRole("button").map(({ textContent }) => textContent);
  expect(ways.filter(Boolean)).toEqual(rest);
});
