// Notifications: tapping marks one as read, and all can be marked.
import { Code, ConnectError } from "@connectrpc/connect";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { NotificationsService, NotificationType } from "../../gen/goodturn/notifications/v1/notifications_service_pb";
import { NotificationsService as Later } from "../../gen/later/goodturn/notifications/v1/notifications_service_pb";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb";
import { renderWith } from "../../testing/render";
import { NotificationsScreen } from "./NotificationsScreen";

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

it("an_answer_has_a_sign_that_is_no_yes", async () => {
  const type = NotificationType.FAVOR_RESPONSE;
  renderWith(
    ({ service }) =>
      service(NotificationsService, {
        listNotifications: () => ({ notifications: [{ id: "n1", type, title: "Your favor was declined" }] }),
      }),
    <NotificationsScreen unread={0} />,
  );
  const row = await screen.findByRole("button", { name: /declined/ });
  expect(row.querySelector(".tabler-icon")).not.toHaveClass("tabler-icon-check");
  expect(row.querySelector("[data-tint]")).not.toHaveAttribute("data-tint", "teal");
});
