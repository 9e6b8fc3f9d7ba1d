// What the live stream changes on the screen, without a reload.
import { createRouterTransport } from "@connectrpc/connect";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { Muted } from "../features/friends/Muted";
import { NotificationsScreen } from "../features/notifications/NotificationsScreen";
import { useUnread } from "../features/notifications/queries";
import { NotificationsService, TargetKind } from "../gen/goodturn/notifications/v1/notifications_service_pb";
import { NotificationsService as Later } from "../gen/later/goodturn/notifications/v1/notifications_service_pb";
import { renderWith } from "../testing/render";
import { Live } from "./Live";

const server = vi.hoisted(() => ({
  list: [{ id: "n1", title: "Ben asks", actionRequired: true }],
  happen: undefined as ((what: object) => void) | undefined,
  unread: 1,
  begin: Promise.resolve(),
}));

// The stream of the app goes its own way; here it leads to the same server as the screen's.
vi.mock("../lib/transport", () => ({
  transport: createRouterTransport(({ service }) =>
    service(NotificationsService, {
      async *watchNotifications() {
        await server.begin;
        yield { resumeToken: "0", unreadCount: server.unread };
        for (;;) yield await new Promise<object>((resolve) => (server.happen = resolve));
      },
    }),
  ),
}));

beforeEach(() => {
  server.happen = undefined;
});

it("what_is_settled_or_replaced_elsewhere_changes_in_the_open_list", async () => {
  renderWith(
    ({ service }) =>
      service(NotificationsService, {
        listNotifications: () => ({ notifications: server.list, unreadCount: 1 }),
      }),
    <>
      <Live />
      <NotificationsScreen unread={1} />
    </>,
  );
  expect(await screen.findByText("Action Required")).toBeInTheDocument();
  await waitFor(() => expect(server.happen).toBeDefined());
  server.list = [{ id: "n1", title: "Ben asks", actionRequired: false }];
  server.happen?.({ resumeToken: "0", changed: { kind: TargetKind.NOTIFICATIONS } });
  await waitFor(() => expect(screen.queryByText("Action Required")).not.toBeInTheDocument());

  server.list = [{ id: "n2", title: "Ben asks again", actionRequired: true }];
  server.happen?.({ resumeToken: "1", notification: { id: "n2", title: "Ben asks again" } });
  expect(await screen.findByText("Action Required")).toBeInTheDocument();
  const list = screen.getByRole("region", { name: "New" });
  expect(within(list).getAllByRole("listitem")).toHaveLength(1);
});

const Inbox = () => <NotificationsScreen unread={useUnread()} />;

it("what_came_between_the_list_and_the_beginning_of_the_stream_is_seen", async () => {
  const begins: (() => void)[] = [];
  server.begin = new Promise((resolve) => begins.push(resolve));
  server.list = [{ id: "n1", title: "Ben asks", actionRequired: true }];
  renderWith(
    ({ service }) =>
      service(NotificationsService, {
        listNotifications: () => ({ notifications: server.list, unreadCount: server.unread }),
      }),
    <>
      <Live />
      <Inbox />
    </>,
  );
  expect(await screen.findByText("Ben asks")).toBeInTheDocument();
  server.list = [{ id: "n2", title: "Priya asks", actionRequired: true }, ...server.list];
  server.unread = 2;
  for (const begin of begins) begin();
  expect(await screen.findByText("Priya asks")).toBeInTheDocument();
});

it("whom_the_member_mutes_on_another_device_is_in_the_open_list", async () => {
  const there = { muted: [] as { user: { uid: string; displayName: string } }[] };
  renderWith(
    ({ service }) => service(Later, { listMutedMembers: () => there }),
    <>
      <Live />
      <Muted />
    </>,
  );
  expect(await screen.findByText("You haven't muted anyone.")).toBeInTheDocument();
  await waitFor(() => expect(server.happen).toBeDefined());
  there.muted = [{ user: { uid: "ben", displayName: "Ben Carter" } }];
  server.happen?.({ resumeToken: "2", changed: { kind: TargetKind.MEMBER, id: "ben" } });
  expect(await screen.findByRole("button", { name: "Unmute Ben Carter" })).toBeInTheDocument();
});
