// The invitations that a member sent: listed, resent when that is possible, and withdrawn after a question.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, type ConnectError } from "@connectrpc/connect";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { FriendsService as Shown } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { FriendsService } from "../../gen/later/goodturn/friends/v1/friends_service_pb";
import { forgetAll } from "../../lib/kept";
import { DAY_MS, weekdayOf } from "../../lib/times";
import { lost, refusal } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { FriendsScreen } from "./FriendsScreen";

const { questions } = vi.hoisted(() => ({ questions: { asked: [] as string[], answer: true } }));

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed({ title, about }: { title: string; about: string }): Promise<boolean> {
    questions.asked.push(`${title} ${about}`);
    return Promise.resolve(questions.answer);
  },
}));

beforeEach(() => {
  forgetAll();
  questions.asked = [];
  questions.answer = true;
  window.history.replaceState(null, "", "/friends/find");
});

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

/** Lena was invited so long ago, and can be invited again after seven days. */
const toLena = (daysAgo: number) => ({
  id: "i1",
  email: "lena@example.com",
  message: "Come over",
  sentAt: timestampFromDate(inDays(-daysAgo)),
  resendAt: timestampFromDate(inDays(7 - daysAgo)),
});

type Sent = { contact: string; message: string; key: string | null };

function show(invitations: ReturnType<typeof toLena>[]) {
  const server = {
    invitations,
    fails: undefined as ConnectError | undefined,
    lists: 0,
    invites: [] as Sent[],
    withdrawn: [] as string[],
  };
  function answered(): void {
    if (server.fails !== undefined) throw server.fails;
  }
  renderWith(
    ({ service }) => {
      service(Shown, { findFriend: () => ({ invitable: true }), listFriendRequests: () => ({}) });
      service(FriendsService, {
        listInvitations() {
          server.lists += 1;
          return { invitations: server.invitations };
        },
        sendInvite({ contact, message }, { requestHeader }) {
          server.invites.push({ contact, message, key: requestHeader.get("idempotency-key") });
          answered();
          server.invitations = [{ ...toLena(0), email: contact, message }];
          return {};
        },
        cancelInvitation({ invitationId }) {
          server.withdrawn.push(invitationId);
          answered();
          server.invitations = server.invitations.filter(({ id }) => id !== invitationId);
          return {};
        },
      });
    },
    <FriendsScreen tab="find" me="ana" groups={null} />,
  );
  return server;
}

const section = (): Promise<HTMLElement> => screen.findByRole("region", { name: "Invitations you sent" });
const RESEND = "Resend the invitation to lena@example.com";
const WITHDRAW = "Withdraw the invitation to lena@example.com";
const press = async (name: string): Promise<void> => userEvent.click(await screen.findByRole("button", { name }));

it("an_invitation_tells_its_words_and_when_it_can_be_resent", async () => {
  show([toLena(1)]);
  const sent = within(await section());
  expect(sent.getByRole("heading", { name: "lena@example.com" })).toBeInTheDocument();
  expect(sent.getByText("Come over")).toBeInTheDocument();
  expect(sent.getByText(/^Sent on /)).toBeInTheDocument();
  expect(sent.getByText(`You can resend it on ${weekdayOf(inDays(6))}`)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: RESEND })).toBeNull();
});

it("an_invitation_that_can_be_resent_today_says_after_which_time", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(2026, 5, 1, 9) });
  onTestFinished(() => void vi.useRealTimers());
  show([{ ...toLena(7), resendAt: timestampFromDate(new Date(2026, 5, 1, 15, 30)) }]);
  const sent = within(await section());
  expect(sent.getByText(/^You can resend it today after .*3:30 PM/)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: RESEND })).toBeNull();
});

it("nothing_stands_there_where_nobody_was_invited", async () => {
  const server = show([]);
  await waitFor(() => expect(server.lists).toBe(1));
  expect(screen.queryByText("Invitations you sent")).toBeNull();
});

it("it_is_resent_with_its_words_and_has_to_wait_again", async () => {
  const server = show([toLena(8)]);
  await press(RESEND);
  expect(await screen.findByText("Invitation Sent!")).toBeInTheDocument();
  const key = expect.stringMatching(/\d/) as string;
  expect(server.invites).toEqual([{ contact: "lena@example.com", message: "Come over", key }]);
  expect(await screen.findByText(/^You can resend it on/)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: RESEND })).toBeNull();
  expect(screen.getByRole("button", { name: WITHDRAW })).toBeEnabled();
});

it("what_was_not_heard_is_resent_once_by_the_same_key", async () => {
  const server = show([toLena(8)]);
  server.fails = lost();
  await press(RESEND);
  expect(await screen.findByText("Unable to send invitation. Please try again.")).toBeInTheDocument();
  server.fails = undefined;
  await press("Retry");
  await waitFor(() => expect(server.invites).toHaveLength(2));
  expect(server.invites[1]).toEqual(server.invites[0]);
});

it.each([
  ["ALREADY_INVITED", Code.AlreadyExists, "You already invited them. They should check their email."],
  ["RATE_LIMITED", Code.ResourceExhausted, "You've sent a lot of invitations. Please try again later."],
] as const)("a_refusal_to_resend_is_said_by_its_reason_%s", async (reason, code, text) => {
  const server = show([toLena(8)]);
  server.fails = refusal(reason, code);
  await press(RESEND);
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
});

it("it_is_withdrawn_after_a_question_and_can_be_sent_anew", async () => {
  const server = show([]);
  const contact = screen.getByLabelText("Email or phone");
  await userEvent.type(contact, "lena@example.com{Enter}");
  await press("Send Invitation");
  // The list is asked again after each invitation.
  await section();
  questions.answer = false;
  await press(WITHDRAW);
  expect([questions.asked, server.withdrawn]).toEqual([["Withdraw this invitation? lena@example.com"], []]);
  questions.answer = true;
  await press(WITHDRAW);
  expect(await screen.findByText("Invitation withdrawn")).toBeInTheDocument();
  expect(server.withdrawn).toEqual(["i1"]);
  await waitFor(() => expect(screen.queryByText("Invitations you sent")).toBeNull());
  await userEvent.type(contact, "lena@example.com{Enter}");
  expect(await screen.findByRole("button", { name: "Send Invitation" })).toBeInTheDocument();
});

it("what_could_not_be_withdrawn_stays_and_says_so", async () => {
  const server = show([toLena(1)]);
  server.fails = lost();
  await press(WITHDRAW);
  expect(await screen.findByText("Failed to withdraw invitation. Please try again.")).toBeInTheDocument();
  expect(await section()).toBeInTheDocument();
  server.fails = undefined;
  await press("Retry");
  await waitFor(() => expect(screen.queryByText("Invitations you sent")).toBeNull());
});
