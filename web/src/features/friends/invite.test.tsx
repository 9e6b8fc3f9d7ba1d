// Finding somebody who is not a member, and inviting them: once, and said when they were invited before.
import { Code, ConnectError } from "@connectrpc/connect";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { FriendsService as Shown } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { FriendsService } from "../../gen/later/goodturn/friends/v1/friends_service_pb";
import { renderWith } from "../../testing/render";
import { FindFriends } from "./FindFriends";
import { refusal } from "../../testing/refusals";

function show() {
  const server = {
    error: undefined as ConnectError | undefined,
    invites: [] as { contact: string; message: string; key: string | null }[],
  };
  renderWith(
    ({ service }) => {
      service(Shown, { findFriend: ({ contact }) => ({ invitable: contact.includes("@") }) });
      service(FriendsService, {
        sendInvite({ contact, message }, { requestHeader }) {
          server.invites.push({ contact, message, key: requestHeader.get("idempotency-key") });
          if (server.error !== undefined) throw server.error;
          return {};
        },
      });
    },
    <FindFriends me="ana" />,
  );
  return server;
}

const contact = (): HTMLElement => screen.getByLabelText("Email or phone");
const message = (): Promise<HTMLElement> => screen.findByLabelText("Personal message (optional)");
const send = async (): Promise<void> => userEvent.click(await screen.findByRole("button", { name: "Send Invitation" }));

async function search(what: string): Promise<void> {
  await userEvent.clear(contact());
  await userEvent.type(contact(), `${what}{Enter}`);
}

it("a_number_that_nobody_has_cannot_be_invited", async () => {
  show();
  await search("+15550104477");
  expect(await screen.findByText("No user found")).toBeInTheDocument();
  expect(screen.getByText("We couldn't find a user with that contact info")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Send Invitation" })).toBeNull();
});

it("an_invitation_is_sent_and_all_is_cleared", async () => {
  const server = show();
  await search("lena@example.com");
  await userEvent.type(await message(), " Come over ");
  expect(screen.getByText("11/200")).toBeInTheDocument();
  expect(await message()).toHaveAttribute("maxlength", "200");
  await send();
  expect(await screen.findByText("Invitation Sent!")).toBeInTheDocument();
  expect(contact()).toHaveValue("");
  expect(screen.queryByText("Not on Goodturn yet")).toBeNull();
  expect(server.invites).toEqual([
    { contact: "lena@example.com", message: "Come over", key: expect.stringMatching(/\d/) as string },
  ]);
  await search("LENA@example.com");
  expect(await screen.findByText(/You already invited them/)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Send Invitation" })).toBeNull();
});

it("who_was_invited_before_is_said_and_ok_clears_the_form", async () => {
  const server = show();
  await search("lena@example.com");
  server.error = refusal("ALREADY_INVITED", Code.AlreadyExists);
  await send();
  expect(await screen.findByText("Already Invited!")).toBeInTheDocument();
  expect(screen.getByRole("alert")).toHaveTextContent(/already sent to .*lena@example\.com.*check their email/);
  await userEvent.click(screen.getByRole("button", { name: "OK" }));
  expect(contact()).toHaveValue("");
  await search("lena@example.com");
  expect(await screen.findByText(/You already invited them/)).toBeInTheDocument();
});

it.each([
  ["RATE_LIMITED", Code.ResourceExhausted, "You've sent a lot of invitations. Please try again later."],
  ["INVALID_ARGUMENT", Code.InvalidArgument, "Please enter a valid email address to send an invitation."],
  ["SELF_REQUEST", Code.InvalidArgument, "That's you."],
  ["INTERNAL", Code.Internal, "Unable to send invitation. Please try again."],
] as const)("a_refusal_is_said_by_its_reason_%s", async (reason, code, text) => {
  const server = show();
  await search("lena@example.com");
  server.error = refusal(reason, code);
  await send();
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.getByText(reason === "INVALID_ARGUMENT" ? "Invalid Email" : "Invitation Failed")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
});

it("what_was_not_heard_is_sent_again_by_the_same_key", async () => {
  const server = show();
  await search("lena@example.com");
  await userEvent.type(await message(), "Hello");
  server.error = new ConnectError("down", Code.Unavailable);
  await send();
  expect(await screen.findByText("Invitation Failed")).toBeInTheDocument();
  expect(await message()).toHaveValue("Hello");
  server.error = undefined;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  await waitFor(() => expect(server.invites).toHaveLength(2));
  expect(server.invites[1]).toEqual(server.invites[0]);
});
