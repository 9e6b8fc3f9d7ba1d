// The pages that links in mails lead to: what a link is about, and that nothing is done before somebody presses.
import { Code, ConnectError } from "@connectrpc/connect";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { FriendsService, InvitationLink } from "../../gen/later/goodturn/friends/v1/friends_service_pb";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb";
import { useToken } from "../../lib/links";
import type { Member } from "../../lib/session";
import { renderWith } from "../../testing/render";
import { DeclinePage } from "./DeclinePage";
import { JoinPage } from "./JoinPage";

const ana: Member = {
  uid: "ana",
  email: "ana@example.com",
  displayName: "Ana Ruiz",
  givenName: "Ana",
  familyName: "Ruiz",
  profilePictureUrl: "",
};
const invalid = (): ConnectError =>
  new ConnectError("no", Code.InvalidArgument, undefined, [
    { desc: ErrorInfoSchema, value: { reason: "INVALID_ARGUMENT", domain: "goodturn" } },
  ]);
const down = (): ConnectError => new ConnectError("down", Code.Unavailable);

function serve(screenShown: React.ReactNode, { counts = true, declined = false, link = InvitationLink.JOIN } = {}) {
  const server = {
    error: undefined as ConnectError | undefined,
    declined: [] as string[],
    allowed: [] as string[],
    asked: [] as string[],
  };
  const refuse = (): void => {
    if (server.error !== undefined) throw server.error;
  };
  renderWith(
    ({ service }) =>
      service(FriendsService, {
        getInvitation({ token }) {
          server.asked.push(token);
          refuse();
          const known = counts ? { inviterName: "Ben Carter", email: "eve@example.com" } : {};
          return { link, counts, declined, ...known };
        },
        declineInvitations({ token }) {
          refuse();
          server.declined.push(token);
          return {};
        },
        allowInvitations({ token }) {
          refuse();
          server.allowed.push(token);
          return {};
        },
      }),
    screenShown,
  );
  return server;
}

function join(options: { member?: Member; token?: string; counts?: boolean } = {}) {
  const [onJoin, onSignUp] = [vi.fn(), vi.fn()];
  const page = (
    <JoinPage token={options.token ?? "t"} member={options.member ?? null} onJoin={onJoin} onSignUp={onSignUp} />
  );
  return { ...serve(page, options), onJoin, onSignUp };
}

it("an_invitation_leads_to_a_sign_up_with_its_address", async () => {
  const { onJoin } = join();
  expect(screen.getByRole("status", { name: "Checking the link..." })).toBeInTheDocument();
  await waitFor(() => expect(onJoin).toHaveBeenCalledOnce());
  expect(onJoin.mock.calls[0]?.[0]).toMatchObject({ inviterName: "Ben Carter", email: "eve@example.com" });
});

it("one_that_is_over_leads_to_a_sign_up_all_the_same", async () => {
  const { onJoin, onSignUp } = join({ counts: false });
  expect(await screen.findByText("This invitation no longer works")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Sign Up" }));
  expect(onSignUp).toHaveBeenCalledOnce();
  expect(onJoin).not.toHaveBeenCalled();
});

it("without_a_token_nobody_is_asked", async () => {
  const { asked } = join({ token: "" });
  expect(await screen.findByText("This invitation no longer works")).toBeInTheDocument();
  expect(asked).toEqual([]);
});

it("who_is_in_is_told_and_stays", async () => {
  const { onJoin } = join({ member: ana });
  expect(await screen.findByRole("heading", { name: /You're signed in as .*Ana Ruiz/ })).toBeInTheDocument();
  expect(screen.getByText(/Ben Carter.* sent this invitation to someone new/)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Friend requests" })).toHaveAttribute("href", "/friends/requests");
  expect(onJoin).not.toHaveBeenCalled();
});

it("invitations_end_only_by_a_press", async () => {
  const server = serve(<DeclinePage token="t" />, { link: InvitationLink.DECLINE });
  expect(await screen.findByRole("heading", { name: "Stop getting invitations?" })).toBeInTheDocument();
  expect(screen.getByText("eve@example.com", { exact: false })).toBeInTheDocument();
  expect(server.declined).toEqual([]);
  server.error = down();
  await userEvent.click(screen.getByRole("button", { name: "Stop invitations" }));
  expect(await screen.findByText("Not Saved")).toBeInTheDocument();
  server.error = undefined;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("heading", { name: "You won't get any more invitations." })).toHaveFocus();
  expect(server.declined).toEqual(["t"]);
});

it("what_was_ended_is_allowed_again_on_the_same_page", async () => {
  const server = serve(<DeclinePage token="t" />, { link: InvitationLink.DECLINE });
  await userEvent.click(await screen.findByRole("button", { name: "Stop invitations" }));
  await userEvent.click(await screen.findByRole("button", { name: "Allow invitations again" }));
  expect(await screen.findByRole("heading", { name: "You can get invitations again." })).toHaveFocus();
  expect([server.declined, server.allowed]).toEqual([["t"], ["t"]]);
});

it("who_comes_back_after_ending_them_finds_the_way_back_and_retry", async () => {
  const server = serve(<DeclinePage token="t" />, { link: InvitationLink.DECLINE, declined: true });
  expect(await screen.findByRole("heading", { name: "You won't get any more invitations." })).toBeInTheDocument();
  server.error = down();
  await userEvent.click(screen.getByRole("button", { name: "Allow invitations again" }));
  expect(await screen.findByText("Not Saved")).toBeInTheDocument();
  server.error = undefined;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("heading", { name: "You can get invitations again." })).toHaveFocus();
  expect([server.declined, server.allowed]).toEqual([[], ["t"]]);
});

it("a_link_of_another_page_does_not_count", async () => {
  serve(<DeclinePage token="t" />, { link: InvitationLink.JOIN });
  expect(await screen.findByText("This link no longer works")).toBeInTheDocument();
});

it("a_link_that_is_none_of_ours_says_so_and_leads_on", async () => {
  const server = serve(<DeclinePage token="t" />);
  server.error = invalid();
  expect(await screen.findByText("This link no longer works")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Go to Goodturn" })).toHaveAttribute("href", "/");
});

it("a_link_that_could_not_be_looked_at_offers_retry", async () => {
  const server = serve(<DeclinePage token="t" />, { link: InvitationLink.DECLINE });
  server.error = down();
  expect(await screen.findByText("We couldn't check this link. Please try again.")).toBeInTheDocument();
  server.error = undefined;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("button", { name: "Stop invitations" })).toBeInTheDocument();
});

function Token() {
  return <p>{useToken()}</p>;
}

it("another_link_in_the_same_tab_is_another", async () => {
  window.location.hash = "one";
  renderWith(() => undefined, <Token />);
  expect(screen.getByText("one")).toBeInTheDocument();
  act(() => {
    window.location.hash = "two";
  });
  expect(await screen.findByText("two")).toBeInTheDocument();
});
