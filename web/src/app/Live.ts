// Joins the live stream to the screens: what changed is asked again, and what concerns me while I am elsewhere is said. With it comes what
// nobody waits for.
import { createClient } from "@connectrpc/connect";
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
import { mayEarn, touchedBy } from "../features/favors/deeds";
import { isOfFavors } from "../features/favors/queries";
import { isOfFriends } from "../features/friends/queries";
import { isOfCircle } from "../features/groups/queries";
import { isOfNotifications } from "../features/notifications/queries";
import { pathOf } from "../features/notifications/targets";
import { cleanProfiles } from "../features/profile/own";
import { isOfProfile } from "../features/profile/queries";
import { tellZone } from "../features/profile/zone";
import type { NotificationsService as Later } from "../gen/later/goodturn/notifications/v1/notifications_service_pb";
import { session } from "../lib/current";
import { askedBy, freshen, type IsStale } from "../lib/freshen";
import { follow } from "../lib/live";
import { onFound } from "../lib/reach";
import { transport } from "../lib/transport";
import { toast } from "../ui/toast";
import { watchFaces } from "./faces";
import { words } from "./homeWords";

const isProfile: IsStale = (query) =>
  isOfProfile(query) && askedBy(query).methodName === ProfileService.method.getProfile.name;
/** Whom the member has muted may be changed on another device too. Its service comes with those lists, and not before them. */
const MUTED = "listMutedMembers" satisfies keyof typeof Later.method;
const isOfMuted: IsStale = (query) => askedBy(query).methodName?.toLowerCase() === MUTED.toLowerCase();
/** Things of Share Stuff: their services come with its screens, and not before them. */
const isShared: IsStale = (query) => /^goodturn\.(items|rentals)\./.test(askedBy(query).serviceName ?? "");
/** What was loaded so shortly before the stream began has missed nothing: the server tells of the last 15 s again. */
const NEW_MS = 10_000;
/** The screen has what it asks for by then. */
const LATER_MS = 2000;

function isMe(uid: string): boolean {
  const state = session.get();
  return state.kind === "signedIn" && state.member.uid === uid;
}

/** Which queries a changed thing makes stale. */
function staleBy(cache: QueryClient, { kind, id }: Target): readonly IsStale[] {
  switch (kind) {
    case TargetKind.FAVOR:
      return mayEarn(cache, id) ? [touchedBy(cache, id), isOfProfile] : [touchedBy(cache, id)];
    case TargetKind.FRIEND_REQUEST:
      return [isOfFriends];
    case TargetKind.MEMBER:
      // One's own profile may be changed on another device. An unfriended recipient leaves a favor too.
      return isMe(id) ? [isProfile] : [isOfFriends, isOfFavors, isOfMuted, isShared];
    case TargetKind.GROUP:
      return [isOfCircle];
    case TargetKind.NOTIFICATIONS:
      return [isOfNotifications];
    case TargetKind.RENTAL:
      // What a completed one paid is told with the member's own numbers.
      return [isShared, isOfProfile];
    case TargetKind.ITEM:
      return [isShared];
    case TargetKind.UNSPECIFIED:
      return [];
    default:
      return kind satisfies never;
  }
}

/** The requests show what comes of each rental, and how many there are, as the inbox shows what is told. */
const isListed = ({ target }: Notification): boolean =>
  target?.kind === TargetKind.RENTAL && (location.pathname + location.search).startsWith("/share?tab=requests");

/** Says it in the tab that is looked at, unless its screen shows it anyway. */
function say(notification: Notification): void {
  const path = pathOf(notification);
  const here = window.location.pathname;
  if (
    document.visibilityState !== "visible" ||
    isListed(notification) ||
    here === "/inbox" ||
    (path !== "" && here === path)
  )
    return;
  const face = notification.actor === undefined ? {} : { face: notification.actor };
  toast({
    title: notification.title,
    text: notification.message,
    ...face,
    ...(path === "" ? {} : { to: { path, label: words.view } }),
  });
}

function take(cache: QueryClient, { notification, changed }: WatchNotificationsResponse): void {
  const stale = [changed, notification?.target].flatMap((target) =>
    target === undefined ? [] : staleBy(cache, target),
  );
  if (notification !== undefined) stale.push(isOfNotifications);
  if (stale.length > 0) freshen(cache, ...stale);
  if (notification !== undefined) say(notification);
}

/** Whether somebody was told something between what was loaded and the beginning of the stream. */
function hasMissed(cache: QueryClient, unread: number): boolean {
  const loaded = cache.getQueriesData<{ unreadCount?: number }>({ predicate: isOfNotifications });
  return loaded.some(([, page]) => page?.unreadCount !== undefined && page.unreadCount !== unread);
}

/** What came while nobody listened: everything after a break; at the beginning only what is not new, unless something was missed. */
function catchUp(cache: QueryClient, again: boolean, unread?: number): void {
  const old = Date.now() - NEW_MS;
  const isAll = again || (unread !== undefined && hasMissed(cache, unread));
  void cache.invalidateQueries(
    { predicate: ({ state }) => isAll || (state.dataUpdatedAt > 0 && state.dataUpdatedAt < old) },
    // What is being loaded at this moment is new enough.
    { cancelRefetch: false },
  );
}

/** What failed while the server was out of reach is asked again when it is back: lists, and the counts at the tabs. */
function heal(cache: QueryClient): void {
  void cache.invalidateQueries({ predicate: ({ state }) => state.status === "error" }, { cancelRefetch: false });
}

/** What nobody waits for: what this device has kept too long goes, and the server learns the member's zone. @returns what calls it off. */
function settleIn(cache: QueryClient): () => void {
  const state = session.get();
  if (state.kind !== "signedIn") return () => undefined;
  const { uid } = state.member;
  void cleanProfiles(uid);
  const timer = setTimeout(() => {
    void tellZone(
      uid,
      createClient(ProfileService, transport),
      () => isMe(uid),
      () => freshen(cache, isShared),
    );
  }, LATER_MS);
  return () => clearTimeout(timer);
}

/** Draws nothing. */
export function Live(): null {
  const cache = useQueryClient();
  useEffect(() => {
    const client = createClient(NotificationsService, transport);
    return follow(
      // 0 switches the deadline of ordinary calls off.
      (resumeToken, signal) => client.watchNotifications({ resumeToken }, { signal, timeoutMs: 0 }),
      {
        event: (event) => take(cache, event),
        connected: (again, unread) => catchUp(cache, again, unread),
      },
    );
  }, [cache]);
  useEffect(() => onFound(() => heal(cache)), [cache]);
  useEffect(() => watchFaces(cache), [cache]);
  useEffect(() => settleIn(cache), [cache]);
  return null;
}
