// Finding a member: what is asked for, who is found, and the request to them.
import { Code, ConnectError } from "@connectrpc/connect";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { FriendRequestStatus, FriendsService, Relation } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { renderWith } from "../../testing/render";
import { FindFriends } from "./FindFriends";
import { refusal } from "../../testing/refusals";

const down = (): ConnectError => new ConnectError("down", Code.Unavailable);

const ben = { uid: "ben", displayName: "Ben Carter", email: "ben@example.com" };

function show(relation = Relation.NONE) {
  const server = {
    user: ben as object | undefined,
    status: FriendRequestStatus.PENDING,
    failsToFind: undefined as ConnectError | undefined,
    failsToSend: undefined as ConnectError | undefined,
    searched: [] as string[],
    sent: [] as object[],
  };
  renderWith(
    ({ service }) =>
      service(FriendsService, {
        findFriend({ contact }) {
          server.searched.push(contact);
          if (server.failsToFind !== undefined) throw server.failsToFind;
          return server.user === undefined ? {} : { found: true, exists: true, user: server.user, relation };
        },
        sendFriendRequest({ receiverUid, message }) {
          server.sent.push({ receiverUid, message });
          if (server.failsToSend !== undefined) throw server.failsToSend;
          return { status: server.status };
        },
      }),
    <FindFriends me="ana" />,
  );
  return server;
}

const contact = (): HTMLElement => screen.getByLabelText("Email or phone");
const search = (): HTMLElement => screen.getByRole("button", { name: "Search" });
const words = (): Promise<HTMLElement> => screen.findByLabelText("Personal message (optional)");
const send = async (): Promise<void> =>
  userEvent.click(await screen.findByRole("button", { name: "Send Friend Request" }));

async function find(what = "ben@example.com"): Promise<void> {
  await userEvent.type(contact(), what);
  await userEvent.click(search());
}

it("it_says_what_it_takes_and_searches_for_nothing_else", async () => {
  const server = show();
  expect(screen.getByText("Search for friends by their email address or phone number")).toBeInTheDocument();
  expect(search()).toBeDisabled();
  await userEvent.type(contact(), "  ");
  expect(search()).toBeDisabled();
  // The key that sends a form is not held up by a button.
  fireEvent.submit(screen.getByRole("search"));
  expect(await screen.findByText("Please enter an email or phone number")).toBeInTheDocument();
  await userEvent.type(contact(), "ben{Enter}");
  expect(await screen.findByText("Please enter a valid email address or phone number")).toBeInTheDocument();
  expect(contact()).toHaveFocus();
  expect(server.searched).toEqual([]);
});

it("who_is_found_is_asked_with_some_words_and_all_is_cleared", async () => {
  const server = show();
  await find(" ben@example.com ");
  expect(await screen.findByRole("heading", { name: "Ben Carter" })).toBeInTheDocument();
  expect(screen.getByText("ben@example.com")).toBeInTheDocument();
  expect(screen.getByText("BC")).toBeInTheDocument();
  await userEvent.type(await words(), " From the choir ");
  expect(screen.getByText("16/200")).toBeInTheDocument();
  expect(await words()).toHaveAttribute("maxlength", "200");
  await send();
  expect(await screen.findByText("Friend Request Sent!")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Ben Carter" })).toBeNull());
  expect(contact()).toHaveValue("");
  expect([server.searched, server.sent]).toEqual([
    ["ben@example.com"],
    [{ receiverUid: "ben", message: "From the choir" }],
  ]);
});

it("who_has_asked_already_becomes_a_friend_at_once", async () => {
  const server = show(Relation.RECEIVED);
  server.status = FriendRequestStatus.ACCEPTED;
  await find();
  expect(await screen.findByText(/Ben Carter.* already sent you a request\./)).toBeInTheDocument();
  await send();
  expect(await screen.findByText(/You and .*Ben Carter.* are friends now\./)).toBeInTheDocument();
});

it.each([
  [Relation.SELF, "That's you."],
  [Relation.FRIEND, "You're already friends."],
  [Relation.REQUESTED, "Already Sent! They'll see your friend request when they sign in."],
])("whom_no_request_can_be_sent_to_is_said %#", async (relation, text) => {
  show(relation);
  await find();
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Send Friend Request" })).toBeNull();
});

it("a_second_request_is_said_and_they_are_marked_as_asked", async () => {
  const server = show();
  await find();
  server.failsToSend = refusal("ALREADY_SENT", Code.AlreadyExists);
  await send();
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Already Sent! They'll see your friend request when they sign in.",
  );
  expect(screen.queryByRole("button", { name: "Send Friend Request" })).toBeNull();
});

it("a_request_that_was_not_sent_keeps_its_words", async () => {
  const server = show();
  await find();
  await userEvent.type(await words(), "Hello");
  server.failsToSend = down();
  await send();
  expect(await screen.findByText("Request Failed")).toBeInTheDocument();
  expect(screen.getByText(/Unable to send friend request\. Please try again\./)).toBeInTheDocument();
  expect(await words()).toHaveValue("Hello");
  server.failsToSend = undefined;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Friend Request Sent!")).toBeInTheDocument();
});

it("a_search_that_failed_says_so_and_can_be_tried_again", async () => {
  const server = show();
  server.failsToFind = down();
  await find();
  expect(await screen.findByText("Search Failed")).toBeInTheDocument();
  expect(screen.getByText(/Unable to search for user\. Please try again\./)).toBeInTheDocument();
  server.failsToFind = undefined;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("heading", { name: "Ben Carter" })).toBeInTheDocument();
});

it("nobody_by_that_contact_is_said", async () => {
  const server = show();
  server.user = undefined;
  await find("+15550104477");
  expect(await screen.findByText("No user found")).toBeInTheDocument();
  expect(screen.getByText("We couldn't find a user with that contact info")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Try another" }));
  expect(contact()).toHaveValue("");
  expect(contact()).toHaveFocus();
});

it("that_nobody_was_found_goes_when_another_contact_is_typed", async () => {
  const server = show();
  server.user = undefined;
  await find("+15550100000");
  expect(await screen.findByText("No user found")).toBeInTheDocument();
  await userEvent.type(contact(), "{Backspace}1");
  expect(screen.queryByText("No user found")).not.toBeInTheDocument();
});
