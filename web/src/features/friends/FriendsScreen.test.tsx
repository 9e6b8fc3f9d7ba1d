// The friends area: its four tabs, and the list of friends in each of its states.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { renderWith } from "../../testing/render";
import { FriendsScreen } from "./FriendsScreen";
import type { FriendsTab } from "./tabs";

const acceptedAt = timestampFromDate(new Date(2026, 0, 9, 12));
const ben = { uid: "ben", displayName: "Ben Carter", email: "ben@example.com", acceptedAt };

beforeEach(() => window.history.replaceState(null, "", "/friends/mine"));

function show(tab: FriendsTab, friends: object[] = []) {
  const server = { friends, fails: false };
  renderWith(
    ({ service }) =>
      service(FriendsService, {
        getActive() {
          if (server.fails) throw new ConnectError("down", Code.Unavailable);
          return { friends: { list: server.friends } };
        },
        findFriend: () => ({ found: true, user: { uid: "zoe", displayName: "Zoe Arndt" } }),
        sendFriendRequest: () => ({}),
        listFriendRequests: () => ({ received: [{ friendRequest: "r1", user: ben }] }),
      }),
    <FriendsScreen tab={tab} me="ana" groups={<p>the groups</p>} />,
  );
  return server;
}

it("it_has_four_tabs_and_counts_who_waits", async () => {
  show("groups");
  expect(screen.getByRole("heading", { level: 1, name: "Friends" })).toBeInTheDocument();
  expect(screen.getByText("Manage your friend network")).toBeInTheDocument();
  const tabs = screen.getAllByRole("tab");
  expect(tabs.map((tab) => tab.textContent)).toEqual(["Requests", "Find Friends", "My Friends", "Groups"]);
  expect(screen.getByText("the groups")).toBeInTheDocument();
  expect(await within(screen.getByRole("tab", { name: /Requests/ })).findByText("1")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("tab", { name: "Find Friends" }));
  expect(window.location.pathname).toBe("/friends/find");
});

it("a_friend_has_a_name_an_address_and_a_day", async () => {
  const found = { uid: "eve", firstName: "Eve", lastName: "Lang" };
  show("mine", [ben, found, { uid: "x" }]);
  expect(screen.getByRole("status", { name: "Loading friends..." })).toBeInTheDocument();
  const [first, second, third] = await screen.findAllByRole("listitem");
  expect(first).toHaveTextContent(/Ben Carter.*ben@example\.com.*Friends since Jan 9, 2026/);
  expect(second).toHaveTextContent(/Eve Lang.*No email available.*Friends since recently/);
  expect(third).toHaveTextContent("Unknown User");
});

it("a_friend_is_added_in_a_sheet_that_closes_when_the_request_is_sent", async () => {
  show("mine", [ben]);
  await userEvent.click(await screen.findByRole("button", { name: "Add Friend" }));
  const sheet = await screen.findByRole("dialog", { name: "Add Friend" });
  expect(within(sheet).getByRole("button", { name: "Close" })).toBeInTheDocument();
  await userEvent.type(await within(sheet).findByLabelText("Email or phone"), "zoe@example.com{Enter}");
  await userEvent.click(await within(sheet).findByRole("button", { name: "Send Friend Request" }));
  expect(await screen.findByText("Friend Request Sent!")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByText("Ben Carter")).toBeInTheDocument();
});

it("who_has_no_friends_yet_is_told_what_to_do", async () => {
  show("mine");
  expect(await screen.findByText("No friends yet.")).toBeInTheDocument();
  expect(screen.getByText("Start connecting with people by sending friend requests!")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Find Friends" })).toHaveAttribute("href", "/friends/find");
});

it("friends_that_could_not_be_loaded_offer_retry", async () => {
  const server = show("mine", [ben]);
  server.fails = true;
  expect(await screen.findByText("Failed to load friends. Please try again.")).toBeInTheDocument();
  server.fails = false;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Ben Carter")).toBeInTheDocument();
});
