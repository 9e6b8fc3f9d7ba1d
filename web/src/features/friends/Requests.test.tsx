// Friend requests: every state of the list, and what answering does to it.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { FriendRequestAction, FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { refusal } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { Requests } from "./Requests";

const ben = { uid: "ben", displayName: "Ben Carter", email: "ben@example.com" };
const friendRequestDate = timestampFromDate(new Date(2026, 10, 20, 9, 30));

function show({ fails = false, answerFails = false } = {}) {
  const answers: FriendRequestAction[] = [];
  const server = { fails, received: [{ friendRequest: "r1", friendRequestDate, user: ben, message: "Hello" }] };
  renderWith(
    ({ service }) =>
      service(FriendsService, {
        listFriendRequests() {
          if (server.fails) throw new ConnectError("down", Code.Unavailable);
          return { received: server.received };
        },
        respondToFriendRequest({ action }) {
          answers.push(action);
          if (answerFails) throw new ConnectError("down", Code.Unavailable);
          server.received = [];
          return {};
        },
      }),
    <Requests me="ana" />,
  );
  return { answers, server };
}

it("a_request_shows_who_asks_and_their_words", async () => {
  show();
  expect(screen.getByRole("status", { name: "Loading friend requests..." })).toBeInTheDocument();
  expect(await screen.findByText("Ben Carter")).toBeInTheDocument();
  expect(screen.getByText("ben@example.com")).toBeInTheDocument();
  expect(screen.getByText("Requested on Nov 20, 2026")).toBeInTheDocument();
  expect(screen.getByText("Hello")).toBeInTheDocument();
});

it("of_whom_nothing_is_known_is_called_so", async () => {
  const { server } = show();
  server.received = [
    { friendRequest: "r1", friendRequestDate, user: { uid: "x", displayName: "", email: "" }, message: "" },
  ];
  const request = await screen.findByRole("listitem");
  expect(within(request).getByRole("heading", { name: "Unknown User" })).toBeInTheDocument();
  expect(within(request).getByText("No email available")).toBeInTheDocument();
  expect(within(request).getByText("?")).toBeInTheDocument();
});

it("accepting_says_so_and_empties_the_list", async () => {
  const { answers } = show();
  await userEvent.click(await screen.findByRole("button", { name: "Accept Ben Carter" }));
  expect(await screen.findByText("Friend Request Accepted!")).toBeInTheDocument();
  expect(await screen.findByText("All caught up!")).toBeInTheDocument();
  const next = "No pending friend requests. When people send you friend requests, they'll appear here.";
  expect(screen.getByText(next)).toBeInTheDocument();
  expect(answers).toEqual([FriendRequestAction.ACCEPT]);
});

it("declining_says_so_and_empties_the_list", async () => {
  const { answers } = show();
  await userEvent.click(await screen.findByRole("button", { name: "Decline Ben Carter" }));
  expect(await screen.findByText("Friend Request Declined")).toBeInTheDocument();
  expect(await screen.findByText("All caught up!")).toBeInTheDocument();
  expect(answers).toEqual([FriendRequestAction.DECLINE]);
});

it("a_request_that_could_not_be_accepted_stays", async () => {
  show({ answerFails: true });
  await userEvent.click(await screen.findByRole("button", { name: "Accept Ben Carter" }));
  expect(await screen.findByText("Failed to accept friend request. Please try again.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Accept Ben Carter" })).toBeInTheDocument();
});

it("a_failed_decline_brings_the_request_back", async () => {
  show({ answerFails: true });
  await userEvent.click(await screen.findByRole("button", { name: "Decline Ben Carter" }));
  expect(await screen.findByText("Failed to decline friend request. Please try again.")).toBeInTheDocument();
  expect(await screen.findByText("Ben Carter")).toBeInTheDocument();
});

it("a_list_that_could_not_be_loaded_offers_retry", async () => {
  const { server } = show({ fails: true });
  expect(await screen.findByText("Failed to load friend requests. Please try again.")).toBeInTheDocument();
  server.fails = false;
  await userEvent.click(within(screen.getByRole("alert")).getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Ben Carter")).toBeInTheDocument();
});

it.each([
  ["WRONG_STATE", /You and .*Ben Carter.* are friends now\./],
  ["NOT_FOUND", "This request is no longer open."],
])("a_request_that_is_over_cannot_be_taken_back: %s", async (reason, said) => {
  const server = { sent: [{ friendRequest: "r1", friendRequestDate, user: { ...ben, email: "" } }] };
  renderWith(
    ({ service }) =>
      service(FriendsService, {
        listFriendRequests: () => ({ sent: server.sent }),
        cancelFriendRequest() {
          server.sent = [];
          throw refusal(reason);
        },
      }),
    <Requests me="ana" />,
  );
  const takeBack = await screen.findByRole("button", { name: "Withdraw the request to Ben Carter" });
  // The address of a member whom one has only asked is not known, and no line stands for it.
  expect(screen.queryByText("No email available")).not.toBeInTheDocument();
  await userEvent.click(takeBack);
  expect(await screen.findByText(said)).toBeInTheDocument();
  await waitFor(() => expect(takeBack).not.toBeInTheDocument());
  expect(screen.queryByText(/Failed/)).not.toBeInTheDocument();
});
