// Every text of the notifications screen, as documented.
import { plural, spoken } from "../../lib/tongue";

export const words = spoken({
  title: "Notifications",
  markAll: "Mark all as read",
  actionRequired: "Action Required",
  empty: "No notifications yet",
  emptyText: "When someone sends you a request or answers yours, you'll see it here.",
  findFriends: "Find Friends",
  loading: "Loading notifications...",
  failed: "Failed to load notifications. Please try again.",
  readFailed: "Failed to mark as read. Please try again.",
  fresh: "New",
  earlier: "Earlier",
  unread: "Unread",
  unreadCount: (count: number) => plural(count, (n) => ({ other: `${n} unread` })),
});
