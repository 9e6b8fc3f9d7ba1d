// What one can do about a friend: asked before it is done, shown when it is, and put back when it failed.
import { Code, ConnectError } from "@connectrpc/connect";
import { focusManager } from "@tanstack/react-query";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { FriendsService as Shown } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { FriendsService } from "../../gen/later/goodturn/friends/v1/friends_service_pb";
import { NotificationsService } from "../../gen/later/goodturn/notifications/v1/notifications_service_pb";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb";
import { renderWith } from "../../testing/render";
import { BlockedScreen } from "./BlockedScreen";
import { Muted } from "./Muted";
import { MyFriends } from "./MyFriends";
import { Requests } from "./Requests";

type Question = { title: string; about?: string; text: string };
const { questions } = vi.hoisted(() => ({ questions: { asked: [] as unknown[], text: "", answer: true } }));

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed({ title, about, text }: Question): Promise<boolean> {
    questions.asked.push([title, about]);
    questions.text = text;
    return Promise.resolve(questions.answer);
  },
}));

beforeEach(() => {
  questions.asked.length = 0;
  questions.answer = true;
});

const ben = { uid: "ben", displayName: "Ben Carter", email: "ben@example.com" };
const eve = { uid: "eve", displayName: "Eve Lang", email: "eve@example.com" };
const gone = (): ConnectError => new ConnectError("down", Code.Unavailable);

function show(screenShown: React.ReactNode) {
  const server = {
    friends: [ben],
    asking: [] as { friendRequest: string; user: typeof ben }[],
    muted: [] as { user: typeof ben }[],
    blocked: [] as { user: typeof ben }[],
    done: [] as string[],
    reports: [] as (string | null)[][],
    error: undefined as ConnectError | undefined,
    /** Until then nobody is answered who is muted or heard again. */
    answers: Promise.resolve(),
  };
  function does(what: string): object {
    server.done.push(what);
    if (server.error !== undefined) throw server.error;
    return {};
  }
  renderWith(({ service }) => {
    service(Shown, {
      getActive: () => ({ friends: { list: server.friends } }),
      listFriendRequests: () => ({ received: server.asking }),
    });
    service(FriendsService, {
      removeFriend({ friendId }) {
        const answer = does(`remove ${friendId}`);
        server.friends = [];
        return answer;
      },
      blockMember({ memberId }) {
        const answer = does(`block ${memberId}`);
        server.friends = [];
        return answer;
      },
      unblockMember({ memberId }) {
        const answer = does(`unblock ${memberId}`);
        server.blocked = [];
        return answer;
      },
      reportMember({ memberId, reason }, { requestHeader }) {
        server.reports.push([memberId, reason, requestHeader.get("idempotency-key")]);
        return does("report");
      },
      listBlockedMembers: () => ({ blocked: server.blocked }),
    });
    service(NotificationsService, {
      listMutedMembers: () => ({ muted: server.muted }),
      async muteMember({ memberId }) {
        await server.answers;
        const answer = does(`mute ${memberId}`);
        server.muted = [{ user: ben }];
        return answer;
      },
      async unmuteMember({ memberId }) {
        await server.answers;
        const answer = does(`unmute ${memberId}`);
        server.muted = server.muted.filter(({ user }) => user.uid !== memberId);
        return answer;
      },
    });
  }, screenShown);
  return server;
}

/** As the live stream has it when something changed elsewhere. */
const asksAnew = (): void =>
  act(() => {
    focusManager.setFocused(false);
    focusManager.setFocused(true);
  });

const button = (name: string | RegExp): Promise<HTMLElement> => screen.findByRole("button", { name });
const press = async (name: string | RegExp): Promise<void> => userEvent.click(await button(name));

async function open(): Promise<ReturnType<typeof show>> {
  const server = show(<MyFriends me="ana" />);
  await press("More about Ben Carter");
  expect(await screen.findByRole("heading", { name: "Ben Carter", level: 3 })).toBeInTheDocument();
  expect(screen.getByRole("dialog")).toHaveTextContent("ben@example.com");
  return server;
}

it("the_sheet_of_a_friend_begins_with_asking_them_and_ends_with_blocking_them", async () => {
  await open();
  const sheet = within(await screen.findByRole("dialog"));
  expect(await sheet.findByRole("button", { name: "Mute" })).toBeInTheDocument();
  expect(sheet.getByRole("link", { name: "Request a favor" })).toHaveAttribute("href", "/favors?tab=create&ask=ben");
  expect(sheet.getByRole("link", { name: "Their things" })).toHaveAttribute("href", "/share?owner=ben");
  const ways = [...sheet.getAllByRole("link"), ...sheet.getAllByRole("button")].map(({ textContent }) => textContent);
  expect(ways.filter(Boolean)).toEqual(["Request a favor", "Their things", "Mute", "Report", "Remove friend", "Block"]);
});

it("a_friend_is_removed_after_a_question", async () => {
  const server = await open();
  questions.answer = false;
  await press("Remove friend");
  expect(server.done).toEqual([]);
  questions.answer = true;
  await press("Remove friend");
  expect(await screen.findByText(/Ben Carter.* is no longer your friend\./)).toBeInTheDocument();
  expect(await screen.findByText("No friends yet.")).toBeInTheDocument();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(server.done).toEqual(["remove ben"]);
  expect(questions.asked).toEqual([
    ["Remove friend", "Ben Carter"],
    ["Remove friend", "Ben Carter"],
  ]);
  expect(questions.text).toContain("so are requests for friends-only items");
});

it("who_could_not_be_blocked_stays_and_is_tried_again", async () => {
  const server = await open();
  server.error = gone();
  await press("Block");
  expect(await screen.findByText("Failed to block. Please try again.")).toBeInTheDocument();
  expect(screen.getAllByText("Ben Carter")).not.toEqual([]);
  server.error = undefined;
  await press("Retry");
  expect(await screen.findByText("No friends yet.")).toBeInTheDocument();
  expect(server.done).toEqual(["block ben", "block ben"]);
});

it("a_member_who_is_gone_is_not_tried_again", async () => {
  const server = await open();
  const detail = { desc: ErrorInfoSchema, value: { reason: "NOT_FOUND", domain: "goodturn" } };
  server.error = new ConnectError("no", Code.NotFound, undefined, [detail]);
  await press("Block");
  expect(await screen.findByText("This member is no longer here.")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
});

it("muting_shows_at_once_and_is_put_back_when_it_failed", async () => {
  const server = await open();
  server.error = gone();
  await press("Mute");
  expect(await screen.findByText("Failed to mute. Please try again.")).toBeInTheDocument();
  expect(await button("Mute")).toBeInTheDocument();
  server.error = undefined;
  await press("Retry");
  expect(await button("Unmute")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText("Failed to mute. Please try again.")).toBeNull());
  await press("Unmute");
  expect(await button("Mute")).toBeInTheDocument();
  expect(server.done).toEqual(["mute ben", "mute ben", "unmute ben"]);
});

it("a_report_is_sent_once_however_often_it_is_tried", async () => {
  const server = await open();
  await press("Report");
  await userEvent.type(await screen.findByLabelText("What happened?"), "Rude.");
  server.error = gone();
  await press("Send report");
  expect(await screen.findByText("Report Not Sent")).toBeInTheDocument();
  server.error = undefined;
  await press("Retry");
  expect(await screen.findByText(/Thank you\. We sent your report/)).toBeInTheDocument();
  expect(server.reports).toHaveLength(2);
  expect(server.reports[0]?.slice(0, 2)).toEqual(["ben", "Rude."]);
  expect(server.reports[0]?.[2]).toMatch(/\d/);
  expect(server.reports[1]).toEqual(server.reports[0]);
});

it("nobody_is_blocked", async () => {
  show(<BlockedScreen />);
  expect(screen.getByRole("status", { name: "Loading blocked members..." })).toBeInTheDocument();
  expect(await screen.findByText("You haven't blocked anyone")).toBeInTheDocument();
});

it("who_is_unblocked_stays_in_the_list_to_be_blocked_again", async () => {
  const server = show(<BlockedScreen />);
  server.blocked = [{ user: ben }];
  await press("Unblock Ben Carter");
  expect(await screen.findByText(/is no longer blocked/)).toBeInTheDocument();
  await press("Block Ben Carter");
  expect(await screen.findByText(/is blocked again/)).toBeInTheDocument();
  expect(await button("Unblock Ben Carter")).toBeInTheDocument();
  expect(server.done).toEqual(["unblock ben", "block ben"]);
});

it("who_could_not_be_unmuted_is_muted_still", async () => {
  const server = show(<Muted />);
  server.muted = [{ user: ben }];
  server.error = gone();
  await press("Unmute Ben Carter");
  expect(await screen.findByText(/Failed to unmute\. Please try again\./)).toBeInTheDocument();
  expect(await button("Unmute Ben Carter")).toBeInTheDocument();
  server.error = undefined;
  await press("Retry");
  expect(await button("Mute Ben Carter")).toBeInTheDocument();
  expect(server.done).toEqual(["unmute ben", "unmute ben"]);
});

it("two_who_are_unmuted_at_once_are_put_back_both", async () => {
  const server = show(<Muted />);
  server.muted = [{ user: ben }, { user: eve }];
  let release: (() => void) | undefined;
  server.answers = new Promise((resolve) => (release = resolve));
  server.error = gone();
  await press("Unmute Ben Carter");
  await press("Unmute Eve Lang");
  release?.();
  expect(await button("Unmute Ben Carter")).toBeInTheDocument();
  expect(await button("Unmute Eve Lang")).toBeInTheDocument();
  expect(server.done).toEqual(["unmute ben", "unmute eve"]);
});

it("what_failed_after_the_sheet_was_left_is_said_all_the_same", async () => {
  const server = await open();
  let release: (() => void) | undefined;
  server.answers = new Promise((resolve) => (release = resolve));
  server.error = gone();
  await press("Mute");
  await press("Report");
  await screen.findByLabelText("What happened?");
  release?.();
  expect(await screen.findByText(/Failed to mute\. Please try again\./)).toBeInTheDocument();
});

it("the_sheet_of_a_friend_who_is_one_no_more_says_so_and_has_no_actions", async () => {
  const server = await open();
  server.friends = [];
  asksAnew();
  expect(await screen.findByText(/Ben Carter.* is no longer your friend\./)).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "Ben Carter", level: 3 })).toBeInTheDocument();
  expect(screen.getByRole("dialog")).not.toHaveTextContent("ben@example.com");
  for (const name of ["Mute", "Report", "Remove friend", "Block"])
    expect(screen.queryByRole("button", { name })).toBeNull();
});

it("words_of_a_report_stay_when_its_friendship_ends", async () => {
  const server = await open();
  await press("Report");
  await userEvent.type(await screen.findByLabelText("What happened?"), "Rude.");
  server.friends = [];
  asksAnew();
  // The list under the sheet knows it.
  expect(await screen.findByText("No friends yet.")).toBeInTheDocument();
  expect(screen.getByLabelText("What happened?")).toHaveValue("Rude.");
});

it("the_sheet_of_who_asked_says_when_the_request_is_not_open_any_more", async () => {
  const server = show(<Requests me="ana" />);
  server.asking = [{ friendRequest: "r1", user: ben }];
  await press("More about Ben Carter");
  expect(await button("Block")).toBeInTheDocument();
  server.asking = [];
  asksAnew();
  expect(await screen.findByText("This request is no longer open.")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Block" })).toBeNull();
});
