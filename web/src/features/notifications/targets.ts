// Where a notification leads.
import {
  type Notification,
  NotificationType,
  TargetKind,
} from "../../gen/goodturn/notifications/v1/notifications_service_pb";
import { itemPath, rentalPath } from "../../lib/sharing";

/** The path, or empty when there is no screen for it. */
export function pathOf({ target, type }: Pick<Notification, "target" | "type">): string {
  if (target === undefined) return "";
  switch (target.kind) {
    case TargetKind.FAVOR:
      return target.id === "" ? "" : `/favors/${target.id}`;
    case TargetKind.FRIEND_REQUEST:
      return "/friends/requests";
    case TargetKind.MEMBER:
      // News of a favor that is gone name who asked for it: there is nothing of it to be seen among the friends.
      return type === NotificationType.FRIEND_ACCEPTED ? "/friends/mine" : "";
    case TargetKind.GROUP:
      return "/friends/groups";
    case TargetKind.RENTAL:
      return target.id === "" ? "" : rentalPath(target.id);
    case TargetKind.ITEM:
      return target.id === "" ? "" : itemPath(target.id);
    case TargetKind.UNSPECIFIED:
    case TargetKind.NOTIFICATIONS:
      return "";
    default:
      return target.kind satisfies never;
  }
}
