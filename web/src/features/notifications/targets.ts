// Where a notification leads. Things of a later release lead nowhere yet.
import { type Notification, TargetKind } from "../../gen/goodturn/notifications/v1/notifications_service_pb";

/** The path, or empty when there is no screen for it. */
export function pathOf({ target }: Pick<Notification, "target">): string {
  if (target === undefined) return "";
  switch (target.kind) {
    case TargetKind.FAVOR:
      return target.id === "" ? "" : `/favors/${target.id}`;
    case TargetKind.FRIEND_REQUEST:
      return "/friends/requests";
    case TargetKind.MEMBER:
      return "/friends/mine";
    case TargetKind.UNSPECIFIED:
    case TargetKind.NOTIFICATIONS:
    case TargetKind.RENTAL:
    case TargetKind.ITEM:
      return "";
    default:
      return target.kind satisfies never;
  }
}
