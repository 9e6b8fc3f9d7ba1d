// Notifications: what a card tells and where it leads; tapping marks one as read, and all can be marked.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import {
  NotificationsService,
  NotificationType,
  TargetKind,
} from "../../gen/goodturn/notifications/v1/notifications_service_pb";
import { NotificationsService as Later } from "../../gen/later/goodturn/notifications/v1/notifications_service_pb";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb";
import { renderWith } from "../../testing/render";
import { exactTime } from "../../lib/times";
import { NotificationsScreen } from "./NotificationsScreen";

const down = (): ConnectError => new ConnectError("down", Code.Unavailable);

/** A list that holds this one, which changes nothing when it is read. */
function showOne(notification: object, unread = 0): void {
  renderWith(
    ({ service }) => {
      service(NotificationsService, { listNotifications: () => ({ notifications: [{ id: "n1", ...notification }] }) });
      service(Later, { markNotificationRead: () => ({}) });
    },
    <NotificationsScreen unread={unread} />,
  );
}

function show(unread: number) {
  const server = { read: unread === 0, marked: [] as string[], upTo: "" };
  const one = { id: "n1", type: NotificationType.SYSTEM, title: "Welcome", message: "Your account is ready." };
  renderWith(
    ({ service }) => {
      service(NotificationsService, {
        listNotifications: () => ({ notifications: [{ ...one, read: server.read }], unreadCount: server.read ? 0 : 1 }),
      });
      service(Later, {
        markNotificationRead({ id }) {
          server.marked.push(id);
          server.read = true;
          return {};
        },
        markAllNotificationsRead({ upToId }) {
          server.upTo = upToId;
          server.read = true;
          return {};
        },
      });
    },
    <NotificationsScreen unread={unread} />,
  );
  return server;
}

it("a_tap_marks_as_read", async () => {
  const server = show(1);
  await userEvent.click(await screen.findByRole("button", { name: /Welcome/ }));
  await waitFor(() => expect(screen.queryByText("Unread")).not.toBeInTheDocument());
  expect(server.marked).toEqual(["n1"]);
});

it("mark_all_goes_up_to_the_newest_that_is_shown_and_then_away", async () => {
  const server = show(1);
  await userEvent.click(await screen.findByRole("button", { name: "Mark all as read" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Mark all as read" })).not.toBeInTheDocument());
  expect(server.upTo).toBe("n1");
});

it("one_that_a_newer_one_replaced_is_no_failure", async () => {
  const server = { title: "First", marked: 0 };
  const gone = new ConnectError("notification not found", Code.NotFound, undefined, [
    { desc: ErrorInfoSchema, value: { reason: "NOT_FOUND", domain: "goodturn" } },
  ]);
  renderWith(
    ({ service }) => {
      service(NotificationsService, {
        listNotifications: () => ({ notifications: [{ id: server.title, title: server.title }], unreadCount: 1 }),
      });
      service(Later, {
        markNotificationRead() {
          server.marked += 1;
          server.title = "Second";
          throw gone;
        },
      });
    },
    <NotificationsScreen unread={1} />,
  );
  await userEvent.click(await screen.findByRole("button", { name: /First/ }));
  expect(await screen.findByRole("button", { name: /Second/ })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /First/ })).not.toBeInTheDocument();
  expect(screen.queryByText("Failed to mark as read. Please try again.")).not.toBeInTheDocument();
  expect(server.marked).toBe(1);
});

it("nothing_yet_is_said", async () => {
  renderWith(
    ({ service }) => service(NotificationsService, { listNotifications: () => ({}) }),
    <NotificationsScreen unread={0} />,
  );
  expect(await screen.findByText("No notifications yet")).toBeInTheDocument();
});

it("a_card_tells_what_when_and_whether_something_waits_and_leads_there", async () => {
  const at = new Date(Date.now() - 3 * 3_600_000);
  const target = { kind: TargetKind.FAVOR, id: "f1" };
  const [title, message] = ["New favor request", "Ben asks: Water my roses"];
  showOne({ title, message, timestamp: timestampFromDate(at), actionRequired: true, read: true, target });
  const card = await screen.findByRole("button", { name: /New favor request/ });
  expect(within(card).getByText(message)).toBeInTheDocument();
  expect(within(card).getByText("Action Required")).toBeInTheDocument();
  expect(within(card).queryByText("Unread")).toBeNull();
  const age = within(card).getByText("3h ago");
  expect(age).toHaveAttribute("title", exactTime(at, new Date()));
  expect(age).toHaveAttribute("datetime", at.toISOString());
  await userEvent.click(card);
  expect(window.location.pathname).toBe("/favors/f1");
});

it("how_many_are_unread_stands_beside_the_title_and_nothing_where_none_is", async () => {
  showOne({ title: "Welcome", read: true }, 3);
  expect(screen.getByRole("status", { name: "3 unread" })).toHaveTextContent("3");
  expect(screen.getByRole("status", { name: "Loading notifications..." })).toBeInTheDocument();
  expect(await screen.findByRole("button", { name: /Welcome/ })).not.toHaveTextContent("Action Required");
  expect(screen.queryByRole("button", { name: "Mark all as read" })).toBeNull();
});

it("what_could_not_be_loaded_or_marked_says_so_and_can_be_tried_again", async () => {
  const server = { loads: false, marks: false };
  renderWith(
    ({ service }) => {
      service(NotificationsService, {
        listNotifications() {
          if (!server.loads) throw down();
          return { notifications: [{ id: "n1", title: "Welcome", read: server.marks }], unreadCount: 1 };
        },
      });
      service(Later, {
        markAllNotificationsRead() {
          if (!server.marks) throw down();
          return {};
        },
      });
    },
    <NotificationsScreen unread={1} />,
  );
  expect(await screen.findByText("Failed to load notifications. Please try again.")).toBeInTheDocument();
  server.loads = true;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  await userEvent.click(await screen.findByRole("button", { name: "Mark all as read" }));
  expect(await screen.findByText(/Failed to mark as read\. Please try again\./)).toBeInTheDocument();
  expect(screen.getByText("Unread")).toBeInTheDocument();
  server.marks = true;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  await waitFor(() => expect(screen.queryByText("Unread")).toBeNull());
});

it.each([
  ["FRIEND_REQUEST", "user-plus"],
  ["FRIEND_ACCEPTED", "user-check"],
  ["FAVOR_REQUEST", "heart-handshake"],
  ["FAVOR_SHARED", "heart-handshake"],
  ["FAVOR_RESPONSE", "message-circle"],
  ["FAVOR_COMPLETED", "check"],
  ["FAVOR_SETTLED", "checks"],
  ["FAVOR_CANCELLED", "x"],
  ["FAVOR_REMINDER", "calendar-exclamation"],
  ["RENTAL_REQUEST", "package"],
  ["SYSTEM", "bell"],
] as const)("%s_has_the_sign_%s", async (type, sign) => {
  showOne({ type: NotificationType[type], title: "News" });
  const card = await screen.findByRole("button", { name: /News/ });
  expect(card.querySelector(".tabler-icon")).toHaveClass(`tabler-icon-${sign}`);
});

it("a_card_that_leads_elsewhere_says_nothing_when_it_could_not_be_marked", async () => {
  const server = { marked: 0 };
  const target = { kind: TargetKind.FAVOR, id: "f1" };
  renderWith(
    ({ service }) => {
      service(NotificationsService, {
        listNotifications: () => ({
          notifications: [{ id: "n1", title: "New favor request", target }],
          unreadCount: 1,
        }),
      });
      service(Later, {
        markNotificationRead() {
          server.marked += 1;
          throw down();
        },
      });
    },
    <NotificationsScreen unread={1} />,
  );
  await userEvent.click(await screen.findByRole("button", { name: /New favor request/ }));
  expect(window.location.pathname).toBe("/favors/f1");
  await waitFor(() => expect(server.marked).toBe(1));
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(screen.queryByText(/Failed to mark as read/)).not.toBeInTheDocument();
  expect(screen.getByText("Unread")).toBeInTheDocument();
});

it("an_answer_has_a_sign_that_is_no_yes", async () => {
  showOne({ type: NotificationType.FAVOR_RESPONSE, title: "A friend can't help" });
  const row = await screen.findByRole("button", { name: /can't help/ });
  expect(row.querySelector(".tabler-icon")).not.toHaveClass("tabler-icon-check");
  expect(row.querySelector("[data-tint]")).not.toHaveAttribute("data-tint", "teal");
});
