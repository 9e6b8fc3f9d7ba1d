// Joins the live stream to the screens: what changed is asked again, and what concerns me while I am elsewhere is said.
import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ProfileService } from "../gen/goodturn/profile/v1/profile_service_pb";
import {
  NotificationsService,
  type Notification,
  type Target,
  TargetKind,
  type WatchNotificationsResponse,
} from "../gen/goodturn/notifications/v1/notifications_service_pb";
import { favorsKey } from "../features/favors/queries";
import { friendsKey } from "../features/friends/queries";
import { notificationsKey } from "../features/notifications/queries";
import { pathOf } from "../features/notifications/targets";
import { follow } from "../lib/live";
import { transport } from "../lib/transport";
import { toast } from "../ui/toast";

const profileKey = createConnectQueryKey({ schema: ProfileService, cardinality: undefined });

/** Which queries a changed thing makes stale. */
function keysOf(kind: TargetKind): readonly (readonly unknown[])[] {
  switch (kind) {
    case TargetKind.FAVOR:
      return [favorsKey, profileKey];
    case TargetKind.FRIEND_REQUEST:
    case TargetKind.MEMBER:
      // An unfriended recipient leaves a favor too.
      return [friendsKey, favorsKey];
    case TargetKind.NOTIFICATIONS:
      return [notificationsKey];
    case TargetKind.UNSPECIFIED:
    case TargetKind.RENTAL:
    case TargetKind.ITEM:
      return [];
    default:
      return kind satisfies never;
  }
}

async function invalidate(cache: QueryClient, queryKey: readonly unknown[]): Promise<void> {
  // A first load that is under way began before the change, and would swallow the invalidation.
  await cache.cancelQueries({ queryKey, predicate: (query) => query.state.data === undefined });
  await cache.invalidateQueries({ queryKey });
}

function freshen(cache: QueryClient, target: Target | undefined): void {
  for (const queryKey of keysOf(target?.kind ?? TargetKind.UNSPECIFIED)) void invalidate(cache, queryKey);
}

/** Says it in the tab that is looked at, unless its screen shows it anyway. */
function say(notification: Notification): void {
  const path = pathOf(notification);
  const here = window.location.pathname;
  if (document.visibilityState !== "visible" || here === "/inbox" || (path !== "" && here === path)) return;
  const face = notification.actor === undefined ? {} : { face: notification.actor };
  toast({
    title: notification.title,
    text: notification.message,
    ...face,
    ...(path === "" ? {} : { to: { path, label: "View" } }),
  });
}

function take(cache: QueryClient, { notification, changed }: WatchNotificationsResponse): void {
  freshen(cache, changed);
  if (notification === undefined) return;
  void invalidate(cache, notificationsKey);
  freshen(cache, notification.target);
  say(notification);
}

export function useLive(): void {
  const cache = useQueryClient();
  useEffect(() => {
    const client = createClient(NotificationsService, transport);
    return follow(
      // 0 switches the deadline of ordinary calls off.
      (resumeToken, signal) => client.watchNotifications({ resumeToken }, { signal, timeoutMs: 0 }),
      {
        event: (event) => take(cache, event),
        // What is being loaded at this moment is new enough.
        connected: () => void cache.invalidateQueries({}, { cancelRefetch: false }),
      },
    );
  }, [cache]);
}
