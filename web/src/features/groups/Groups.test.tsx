// The groups: what the form refuses, sends and keeps, what the list does, and what becomes of words when a group changes elsewhere.
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { FriendSchema, FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { type Group, GroupSchema } from "../../gen/goodturn/groups/v1/groups_service_pb";
import { BadRequestSchema, ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb";
import { GroupsService } from "../../gen/later/goodturn/groups/v1/groups_service_pb";
import { forgetAll } from "../../lib/kept";
import { renderWith } from "../../testing/render";
import { Groups } from "./Groups";
import { heldOf, hold, NOTHING } from "./kept";

const { questions } = vi.hoisted(() => ({ questions: { asked: [] as string[], answer: true } }));

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed({ title }: { title: string }): Promise<boolean> {
    questions.asked.push(title);
    return Promise.resolve(questions.answer);
  },
}));

beforeEach(() => {
  forgetAll();
  questions.asked = [];
  questions.answer = true;
  window.history.replaceState(null, "", "/friends/groups");
});

const lost = (): ConnectError => new ConnectError("gone", Code.Unavailable);
const taken = (): ConnectError =>
  new ConnectError("taken", Code.AlreadyExists, undefined, [
    { desc: ErrorInfoSchema, value: { reason: "NAME_TAKEN", domain: "goodturn" } },
    {
      desc: BadRequestSchema,
      value: { fieldViolations: [{ field: "group_name", description: "is already the name of another group" }] },
    },
  ]);
const gone = (): ConnectError =>
  new ConnectError("group not found", Code.NotFound, undefined, [
    { desc: ErrorInfoSchema, value: { reason: "NOT_FOUND", domain: "goodturn" } },
  ]);

const friend = (uid: string, displayName: string) =>
  create(FriendSchema, { uid, displayName, email: `${uid}@example.com` });
const group = (groupId: string, groupName: string, members: string[]): Group =>
  create(GroupSchema, { groupId, groupName, members });

type Sent = { name: string; friends: readonly string[]; key: string };

/** A server with one circle, which answers when a test lets it. */
function server(names = ["Ben Carter", "Priya Nair"]) {
  const state = {
    friends: names.map((name) => friend(name.split(" ")[0]?.toLowerCase() ?? "", name)),
    groups: [] as Group[],
    sent: [] as Sent[],
    removed: [] as string[],
    answers: Promise.resolve(),
    fails: undefined as ConnectError | undefined,
    failsToLoad: false,
  };
  async function answered(): Promise<void> {
    await state.answers;
    if (state.fails !== undefined) throw state.fails;
  }
  const show = () =>
    renderWith(
      ({ service }) => {
        service(FriendsService, {
          getActive() {
            if (state.failsToLoad) throw lost();
            return { friends: { list: state.friends }, groups: state.groups };
          },
        });
        service(GroupsService, {
          async createGroup({ groupName, friendIds }, { requestHeader }) {
            state.sent.push({ name: groupName, friends: friendIds, key: requestHeader.get("idempotency-key") ?? "" });
            await answered();
            const made = group(`g${state.groups.length + 1}`, groupName, friendIds);
            state.groups = [...state.groups, made];
            return { group: made };
          },
          async updateGroup({ groupId, groupName, friendIds }) {
            state.sent.push({ name: groupName, friends: friendIds, key: "" });
            await answered();
            const now = group(groupId, groupName, friendIds);
            state.groups = state.groups.map((g) => (g.groupId === groupId ? now : g));
            return { group: now };
          },
          async deleteGroup({ groupId }) {
            state.removed.push(groupId);
            await answered();
            state.groups = state.groups.filter((g) => g.groupId !== groupId);
            return {};
          },
        });
      },
      <Groups me="ana" />,
    );
  return { state, show };
}

async function opened(...groups: Group[]) {
  const all = server();
  all.state.groups = groups;
  const shown = all.show();
  if (groups.length === 0) await screen.findByLabelText("Group name");
  else await screen.findByRole("button", { name: "New group" });
  return { ...all, ...shown };
}

const name = (): HTMLInputElement => screen.getByLabelText<HTMLInputElement>("Group name");
const type = (text: string): unknown => fireEvent.change(name(), { target: { value: text } });
const pick = (who: string): HTMLInputElement => screen.getByRole("checkbox", { name: who });
const button = (label: string): HTMLElement => screen.getByRole("button", { name: label });
const press = (label: string): Promise<void> => userEvent.click(button(label));

it("a_group_is_made_of_a_name_and_friends_and_stands_in_the_list", async () => {
  const { state } = await opened();
  expect(screen.getByText("No groups created yet")).toBeInTheDocument();
  expect(screen.getByText("Create your first group by selecting friends above")).toBeInTheDocument();
  expect(button("Create Group")).toHaveAttribute("aria-disabled", "true");
  type("  Our street ");
  expect(button("Create Group")).toHaveAttribute("aria-disabled", "true");
  await userEvent.click(pick("Ben Carter"));
  expect(pick("Ben Carter").checked).toBe(true);
  expect(screen.getByText("1 selected")).toBeInTheDocument();
  expect(button("Create Group")).not.toHaveAttribute("aria-disabled");
  await press("Create Group");
  expect(await screen.findByText("Group created successfully!")).toBeInTheDocument();
  expect(state.sent).toMatchObject([{ name: "Our street", friends: ["ben"] }]);
  const list = screen.getByRole("region", { name: "Your Groups" });
  expect(within(list).getByText("Our street")).toBeInTheDocument();
  expect(within(list).getByText("1 member")).toBeInTheDocument();
  expect(screen.queryByLabelText("Group name")).toBeNull();
  expect(button("New group")).toBeInTheDocument();
  expect(heldOf("ana")).toEqual(NOTHING);
});

it("what_is_missing_is_said_at_its_field_and_nothing_is_sent", async () => {
  const { state } = await opened();
  await press("Create Group");
  expect(screen.getByText("Please enter a group name")).toBeInTheDocument();
  expect(screen.getByText("Please select at least one friend")).toBeInTheDocument();
  expect(name()).toHaveFocus();
  type("Street");
  expect(screen.queryByText("Please enter a group name")).toBeNull();
  await press("Create Group");
  expect(screen.getByRole("group", { name: /^Friends/ })).toHaveFocus();
  expect(state.sent).toEqual([]);
});

it("a_second_press_makes_no_second_group", async () => {
  const { state } = await opened();
  let release: (() => void) | undefined;
  state.answers = new Promise((resolve) => (release = resolve));
  type("Street");
  await userEvent.click(pick("Ben Carter"));
  await press("Create Group");
  fireEvent.submit(screen.getByRole("form", { name: "New group" }));
  expect(button("Create Group")).toHaveAttribute("data-loading", "true");
  act(() => release?.());
  expect(await screen.findByText("Group created successfully!")).toBeInTheDocument();
  expect(state.sent).toHaveLength(1);
});

it("a_name_that_is_taken_is_said_at_its_field_and_what_is_typed_stays", async () => {
  const { state } = await opened();
  state.fails = taken();
  type("Street");
  await userEvent.click(pick("Ben Carter"));
  await press("Create Group");
  expect(
    await screen.findByText("Failed to create group. You already have a group with this name."),
  ).toBeInTheDocument();
  expect(screen.getByText("You already have a group with this name.")).toBeInTheDocument();
  expect([name().value, pick("Ben Carter").checked]).toEqual(["Street", true]);
  type("Street 2");
  expect(screen.queryByText(/You already have a group with this name/)).toBeNull();
});

it("what_could_not_be_sent_is_kept_and_sent_again_by_the_same_key", async () => {
  const { state } = await opened();
  state.fails = lost();
  type("Street");
  await userEvent.click(pick("Priya Nair"));
  await press("Create Group");
  expect(await screen.findByText(/Failed to create group\. Please try again\./)).toBeInTheDocument();
  state.fails = undefined;
  await press("Retry");
  expect(await screen.findByText("Group created successfully!")).toBeInTheDocument();
  expect(state.sent.map(({ key }) => key)).toEqual([state.sent[0]?.key, state.sent[0]?.key]);
  expect(state.sent[0]?.key).not.toBe("");
});

it("what_is_typed_is_there_again_after_the_page_was_loaded_anew", async () => {
  const { show } = await opened();
  type("Street");
  await userEvent.click(pick("Ben Carter"));
  cleanup();
  show();
  await screen.findByLabelText("Group name");
  expect([name().value, pick("Ben Carter").checked, pick("Priya Nair").checked]).toEqual(["Street", true, false]);
});

it("a_page_that_was_loaded_anew_finds_out_what_became_of_what_was_under_way", async () => {
  const { state, show } = await opened();
  let release: (() => void) | undefined;
  state.answers = new Promise((resolve) => (release = resolve));
  type("Street");
  await userEvent.click(pick("Ben Carter"));
  await press("Create Group");
  expect(heldOf("ana").isSending).toBe(true);
  cleanup();
  show();
  await screen.findByLabelText("Group name");
  expect(button("Create Group")).toHaveAttribute("data-loading", "true");
  release?.();
  expect(await screen.findByText("Group created successfully!")).toBeInTheDocument();
});

it("editing_fills_the_form_names_the_group_and_ends_with_update", async () => {
  const { state } = await opened(group("g1", "Street", ["ben"]), group("g2", "Club", ["ben", "priya"]));
  await press("Edit Club");
  expect(screen.getByText("Editing Club")).toBeInTheDocument();
  expect([name().value, pick("Ben Carter").checked, pick("Priya Nair").checked]).toEqual(["Club", true, true]);
  await waitFor(() => expect(name()).toHaveFocus());
  await userEvent.click(pick("Ben Carter"));
  type("Book club");
  await press("Update Group");
  expect(await screen.findByText("Group updated successfully!")).toBeInTheDocument();
  expect(state.sent).toMatchObject([{ name: "Book club", friends: ["priya"] }]);
  expect(screen.queryByText(/^Editing/)).toBeNull();
  expect(screen.queryByLabelText("Group name")).toBeNull();
  expect(screen.getByRole("heading", { level: 3, name: "Book club" })).toBeInTheDocument();
});

it("both_ways_out_of_an_edit_close_the_form_and_ask_before_words_are_lost", async () => {
  await opened(group("g1", "Street", ["ben"]));
  for (const label of ["Cancel", "Cancel edit"]) {
    await press("Edit Street");
    await press(label);
    expect(screen.queryByLabelText("Group name")).toBeNull();
  }
  expect(questions.asked).toEqual([]);
  await press("Edit Street");
  type("Road");
  questions.answer = false;
  await press("Cancel");
  expect([name().value, questions.asked]).toEqual(["Road", ["Discard Changes"]]);
  questions.answer = true;
  await press("Cancel edit");
  expect(screen.queryByLabelText("Group name")).toBeNull();
  expect(heldOf("ana")).toEqual(NOTHING);
});

it("who_has_groups_opens_the_form_by_a_button_and_leaves_it_by_cancel", async () => {
  await opened(group("g1", "Street", ["ben"]));
  expect(screen.queryByLabelText("Group name")).toBeNull();
  await press("New group");
  await waitFor(() => expect(name()).toHaveFocus());
  await press("Cancel");
  expect(screen.queryByLabelText("Group name")).toBeNull();
  expect(questions.asked).toEqual([]);
});

/** As the browser's own way back. */
async function goBack(): Promise<void> {
  act(() => window.history.back());
  await waitFor(() => expect(screen.queryByLabelText("Group name")).toBeNull());
}

it("back_closes_the_form_and_what_was_typed_is_there_when_it_opens_again", async () => {
  await opened(group("g1", "Street", ["ben"]));
  await press("New group");
  type("Club");
  await goBack();
  expect(window.location.pathname).toBe("/friends/groups");
  await press("New group");
  expect(name().value).toBe("Club");
});

it("back_ends_an_edit_that_changed_nothing_and_keeps_one_that_did", async () => {
  await opened(group("g1", "Street", ["ben"]));
  await press("Edit Street");
  await goBack();
  expect(heldOf("ana")).toEqual(NOTHING);
  await press("Edit Street");
  type("Road");
  await goBack();
  await press("Continue editing");
  expect(screen.getByText("Editing Street")).toBeInTheDocument();
  expect(name().value).toBe("Road");
});

it("a_failure_opens_the_form_that_was_left_by_back", async () => {
  const { state } = await opened(group("g1", "Street", ["ben"]));
  let release: (() => void) | undefined;
  state.answers = new Promise((resolve) => (release = resolve));
  state.fails = lost();
  await press("New group");
  type("Club");
  await userEvent.click(pick("Ben Carter"));
  await press("Create Group");
  await goBack();
  act(() => release?.());
  expect(await screen.findByText(/Failed to create group\. Please try again\./)).toBeInTheDocument();
  expect(name().value).toBe("Club");
});

it("a_group_that_was_deleted_elsewhere_closes_its_form", async () => {
  const { state } = await opened(group("g1", "Street", ["ben"]), group("g2", "Club", ["ben"]));
  await press("Edit Street");
  state.groups = state.groups.slice(1);
  act(() => void window.dispatchEvent(new Event("visibilitychange")));
  expect(await screen.findByText("This group was deleted.")).toBeInTheDocument();
  expect(screen.queryByLabelText("Group name")).toBeNull();
});

it("words_that_were_kept_open_the_form", async () => {
  hold("ana", { ...NOTHING, values: { name: "Club", friends: [] } });
  const { state, show } = server();
  state.groups = [group("g1", "Street", ["ben"])];
  show();
  expect(await screen.findByLabelText("Group name")).toHaveValue("Club");
});

it("a_first_group_that_another_tab_makes_closes_no_form_in_which_somebody_types", async () => {
  const { state } = await opened();
  type("Club");
  state.groups = [group("g1", "Street", ["ben"])];
  act(() => void window.dispatchEvent(new Event("visibilitychange")));
  expect(await screen.findByRole("heading", { level: 3, name: "Street" })).toBeInTheDocument();
  expect(name().value).toBe("Club");
});

it("an_update_that_failed_says_so", async () => {
  const { state } = await opened(group("g1", "Street", ["ben"]));
  state.fails = lost();
  await press("Edit Street");
  type("Road");
  await press("Update Group");
  expect(await screen.findByText(/Failed to update group\. Please try again\./)).toBeInTheDocument();
  expect(screen.getByText("Editing Street")).toBeInTheDocument();
});

it("deleting_asks_first_and_takes_the_group_away", async () => {
  const { state } = await opened(group("g1", "Street", ["ben"]));
  questions.answer = false;
  await press("Delete Street");
  expect([questions.asked, state.removed]).toEqual([["Delete Group"], []]);
  questions.answer = true;
  await press("Edit Street");
  await press("Delete Street");
  expect(await screen.findByText("Group deleted")).toBeInTheDocument();
  expect(state.removed).toEqual(["g1"]);
  expect(await screen.findByText("No groups created yet")).toBeInTheDocument();
  expect(screen.queryByText(/^Editing/)).toBeNull();
});

it("a_group_that_could_not_be_deleted_stays_and_one_that_is_gone_is_deleted", async () => {
  const { state } = await opened(group("g1", "Street", ["ben"]));
  state.fails = lost();
  await press("Delete Street");
  expect(await screen.findByText(/Failed to delete group\. Please try again\./)).toBeInTheDocument();
  expect(screen.getByText("Street")).toBeInTheDocument();
  state.fails = gone();
  await press("Retry");
  expect(await screen.findByText("Group deleted")).toBeInTheDocument();
});

it("a_group_that_changed_elsewhere_is_followed_unless_something_is_typed", async () => {
  const { state, show } = await opened(group("g1", "Street", ["ben"]));
  await press("Edit Street");
  state.groups = [group("g1", "Road", ["ben", "priya"])];
  cleanup();
  show();
  await waitFor(() => expect([name().value, pick("Priya Nair").checked]).toEqual(["Road", true]));
  type("Lane");
  state.groups = [group("g1", "Alley", ["ben"])];
  cleanup();
  show();
  expect(await screen.findByText("This group was changed elsewhere.")).toBeInTheDocument();
  expect(name().value).toBe("Lane");
  await press("Keep my changes");
  await press("Update Group");
  expect(await screen.findByText("Group updated successfully!")).toBeInTheDocument();
  expect(state.sent).toMatchObject([{ name: "Lane", friends: ["ben", "priya"] }]);
});

it("an_own_change_whose_answer_was_lost_is_not_called_one_of_elsewhere", async () => {
  const { state } = await opened(group("g1", "Street", ["ben"]));
  await press("Edit Street");
  type("Road");
  state.fails = lost();
  state.groups = [group("g1", "Road", ["ben"])];
  await press("Update Group");
  expect(await screen.findByText("Editing Road")).toBeInTheDocument();
  expect(screen.queryByText("This group was changed elsewhere.")).toBeNull();
  state.fails = undefined;
  await press("Retry");
  expect(await screen.findByText("Group updated successfully!")).toBeInTheDocument();
  expect(state.sent).toMatchObject([{ name: "Road" }, { name: "Road" }]);
});

it.each([
  ["Street", 1],
  ["Road", 1],
  ["Alley", 0],
])("what_was_under_way_long_ago_goes_over_%s_%d_times", async (called, times) => {
  const { state, show } = server();
  const [base, values] = [
    { name: "Street", friends: ["ben"] },
    { name: "Road", friends: ["ben"] },
  ];
  hold("ana", { ...NOTHING, id: "g1", base, values, isSending: true });
  state.groups = [group("g1", called, ["ben"])];
  show();
  const said = times === 0 ? "This group was changed elsewhere." : "Group updated successfully!";
  expect(await screen.findByText(said)).toBeInTheDocument();
  expect(state.sent).toHaveLength(times);
});

it("a_field_that_the_server_found_wrong_has_the_focus", async () => {
  const { state } = await opened();
  type("Street");
  await userEvent.click(pick("Ben Carter"));
  state.fails = taken();
  await press("Create Group");
  await waitFor(() => expect(name()).toHaveFocus());
});

it("words_typed_over_a_group_that_is_gone_can_become_a_new_one", async () => {
  const { state, show } = await opened(group("g1", "Street", ["ben"]));
  await press("Edit Street");
  type("Lane");
  state.groups = [];
  cleanup();
  show();
  expect(await screen.findByText("This group was deleted. We kept what you typed.")).toBeInTheDocument();
  await press("Use for a new group");
  await press("Create Group");
  expect(await screen.findByText("Group created successfully!")).toBeInTheDocument();
  expect(state.sent).toMatchObject([{ name: "Lane", friends: ["ben"] }]);
});

it("who_is_no_friend_any_more_is_not_sent", async () => {
  const { state, show } = await opened();
  type("Street");
  await userEvent.click(pick("Ben Carter"));
  await userEvent.click(pick("Priya Nair"));
  state.friends = state.friends.slice(1);
  cleanup();
  show();
  await screen.findByText("1 selected");
  await press("Create Group");
  expect(await screen.findByText("Group created successfully!")).toBeInTheDocument();
  expect(state.sent).toMatchObject([{ friends: ["priya"] }]);
});

const search = (): HTMLInputElement => screen.getByRole<HTMLInputElement>("searchbox", { name: "Search friends" });

it("many_friends_can_be_searched_and_stay_chosen", async () => {
  const { state, show } = server(Array.from({ length: 9 }, (_, n) => `Friend${n} Test`));
  show();
  await screen.findByLabelText("Group name");
  await userEvent.click(pick("Friend3 Test"));
  fireEvent.change(search(), { target: { value: "friend7@" } });
  expect(screen.getAllByRole("checkbox")).toHaveLength(1);
  // As whoever comes back to the form finds it.
  cleanup();
  show();
  await screen.findByLabelText("Group name");
  expect([search().value, screen.getAllByRole("checkbox").length]).toEqual(["friend7@", 1]);
  await userEvent.click(pick("Friend7 Test"));
  fireEvent.change(search(), { target: { value: "nobody" } });
  expect(screen.getByText("No friends found")).toBeInTheDocument();
  type("Two");
  await press("Create Group");
  expect(await screen.findByText("Group created successfully!")).toBeInTheDocument();
  expect(state.sent).toMatchObject([{ friends: ["friend3", "friend7"] }]);
  await press("New group");
  expect(search().value).toBe("");
});

it("a_circle_that_could_not_be_loaded_offers_retry_and_one_of_nobody_leads_to_friends", async () => {
  const { state, show } = server([]);
  state.failsToLoad = true;
  show();
  expect(screen.getByRole("status", { name: "Loading groups..." })).toBeInTheDocument();
  expect(await screen.findByText("Failed to load friends and groups")).toBeInTheDocument();
  state.failsToLoad = false;
  await press("Retry");
  expect(await screen.findByText("No groups created yet")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Find Friends" })).toHaveAttribute("href", "/friends/find");
  expect(screen.queryByLabelText("Group name")).toBeNull();
});
