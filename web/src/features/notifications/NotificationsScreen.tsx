// What the member was told: new ones first, each leading to what it is about.
import { Button } from "@mantine/core";
import {
  IconBell,
  IconCalendarExclamation,
  IconCash,
  IconCheck,
  IconChecks,
  IconHeartHandshake,
  IconMessageCircle,
  IconPackage,
  IconUserCheck,
  IconUserPlus,
  IconX,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import {
  type ListNotificationsResponse,
  type Notification,
  NotificationType,
} from "../../gen/goodturn/notifications/v1/notifications_service_pb";
import { hasReason } from "../../lib/errors";
import { ageOf, exactTime, toDate, useNow } from "../../lib/times";
import { useTitle } from "../../lib/title";
import { Face } from "../../ui/Face";
import { NoNotifications } from "../../ui/illustrations";
import { Loaded, ShowMore } from "../../ui/Loaded";
import { Count, EmptyState } from "../../ui/Pieces";
import { GroupSkeletons } from "../../ui/Skeletons";
import type { Tint } from "../../ui/theme";
import { sayFailure } from "../../ui/failure";
import { useNotifications } from "./queries";
import { useMarkAllRead, useMarkRead } from "./reading";
import { pathOf } from "./targets";
import { words } from "./words";
import { Words } from "../../ui/Words";

type Look = { Icon: typeof IconBell; tint: Tint };
const rental: Look = { Icon: IconPackage, tint: "ochre" };
const looks: Record<NotificationType, Look> = {
  [NotificationType.UNSPECIFIED]: { Icon: IconBell, tint: "stone" },
  [NotificationType.SYSTEM]: { Icon: IconBell, tint: "stone" },
  [NotificationType.FRIEND_REQUEST]: { Icon: IconUserPlus, tint: "sky" },
  [NotificationType.FRIEND_ACCEPTED]: { Icon: IconUserCheck, tint: "sky" },
  [NotificationType.FAVOR_REQUEST]: { Icon: IconHeartHandshake, tint: "violet" },
  [NotificationType.FAVOR_SHARED]: { Icon: IconHeartHandshake, tint: "violet" },
  // An answer may be any: a sign that is neither a yes nor a no.
  [NotificationType.FAVOR_RESPONSE]: { Icon: IconMessageCircle, tint: "violet" },
  [NotificationType.FAVOR_COMPLETED]: { Icon: IconCheck, tint: "teal" },
  [NotificationType.FAVOR_SETTLED]: { Icon: IconChecks, tint: "teal" },
  [NotificationType.FAVOR_CANCELLED]: { Icon: IconX, tint: "rose" },
  [NotificationType.FAVOR_REMINDER]: { Icon: IconCalendarExclamation, tint: "ochre" },
  [NotificationType.RENTAL_REQUEST]: rental,
  [NotificationType.RENTAL_RESPONSE]: rental,
  [NotificationType.RENTAL_STARTED]: rental,
  [NotificationType.RENTAL_RETURNED]: rental,
  [NotificationType.RENTAL_COMPLETED]: rental,
  [NotificationType.RENTAL_REMINDER]: rental,
  [NotificationType.RENTAL_CANCELLED]: rental,
  [NotificationType.RENTAL_MOVED]: rental,
  [NotificationType.RENTAL_PAYMENT]: { Icon: IconCash, tint: "teal" },
};

/** Marks as read, and again with Retry. On the way elsewhere nobody asked for it: it stays unread, and the next tap tries again. */
async function reading(mark: () => Promise<unknown>, isOnTheWay = false): Promise<void> {
  try {
    await mark();
  } catch (error) {
    // A newer one took its place at this moment, and shows in the list that is asked again now.
    if (isOnTheWay || hasReason(error, "NOT_FOUND")) return;
    sayFailure(error, words.readFailed, () => void reading(mark));
  }
}

function Sign({ notification }: { notification: Notification }) {
  const { Icon, tint } = looks[notification.type] ?? looks[NotificationType.SYSTEM];
  if (notification.actor === undefined)
    return (
      <span className="tile face" data-tint={tint} aria-hidden="true">
        <Icon size={24} stroke={1.75} />
      </span>
    );
  return (
    <span className="ntf-i" aria-hidden="true">
      <Face person={notification.actor} size={44} />
      <span className="ntf-m" data-tint={tint}>
        <Icon size={16} />
      </span>
    </span>
  );
}

function Card({ notification, now }: { notification: Notification; now: Date }) {
  const [, navigate] = useLocation();
  const markRead = useMarkRead();
  const at = toDate(notification.timestamp);

  function tap(): void {
    const path = pathOf(notification);
    if (!notification.read) void reading(() => markRead.mutateAsync(notification.id), path !== "");
    if (path !== "") navigate(path);
  }

  return (
    <li>
      <button type="button" className={notification.read ? "ntf" : "ntf on"} onClick={tap}>
        <Sign notification={notification} />
        <span className="grow">
          <span className="row s start">
            <span className="grow b6">
              <Words ours>{notification.title}</Words>
            </span>
            {at !== undefined && (
              <time
                className="dim t14"
                style={{ lineHeight: "1.5rem", flex: "none" }}
                dateTime={at.toISOString()}
                title={exactTime(at, now)}
              >
                {ageOf(at, now)}
              </time>
            )}
            {!notification.read && (
              <span className="unread" style={{ marginTop: "0.4375rem" }}>
                <span className="sronly">{words.unread}</span>
              </span>
            )}
          </span>
          <span className="dim t14 breakable" style={{ display: "block" }}>
            <Words ours>{notification.message}</Words>
          </span>
          {notification.actionRequired && (
            <span className="badge soft" data-tone="wait" style={{ marginTop: "0.5rem" }}>
              {words.actionRequired}
            </span>
          )}
        </span>
      </button>
    </li>
  );
}

function Group({
  title,
  aside,
  notifications,
  now,
}: {
  title: string;
  aside?: ReactNode;
  notifications: readonly Notification[];
  now: Date;
}) {
  if (notifications.length === 0) return null;
  return (
    <section aria-label={title}>
      <div className="row between" style={{ minHeight: "2.75rem", marginBottom: "0.5rem" }}>
        <h2 className="dim t14 b6">{title}</h2>
        {aside}
      </div>
      <ul className="card flush plainlist">
        {notifications.map((n) => (
          <Card key={n.id} notification={n} now={now} />
        ))}
      </ul>
    </section>
  );
}

function MarkAll({ shown }: { shown: readonly Notification[] }) {
  const markAll = useMarkAllRead();
  // Once more with Retry it is still what was shown when it was tapped.
  const mark = (): void => {
    const ids = shown.map(({ id }) => id);
    void reading(() => markAll.mutateAsync(ids));
  };
  return (
    <button type="button" className="link" onClick={mark}>
      <IconChecks size={20} aria-hidden="true" />
      {words.markAll}
    </button>
  );
}

function Nothing() {
  return (
    <EmptyState
      drawing={<NoNotifications size={200} />}
      title={words.empty}
      action={
        <Button component={Link} href="/friends/find" variant="light">
          {words.findFriends}
        </Button>
      }
    >
      {words.emptyText}
    </EmptyState>
  );
}

function Groups({ pages }: { pages: readonly ListNotificationsResponse[] }) {
  const now = useNow();
  const shown = pages.flatMap((page) => page.notifications);
  const fresh = shown.filter((n) => !n.read);
  const [first] = pages;
  return (
    <>
      <Group title={words.fresh} aside={<MarkAll shown={shown} />} notifications={fresh} now={now} />
      {/* Unread ones may all be on later pages; the button belongs to all of them. */}
      {fresh.length === 0 && first !== undefined && first.unreadCount > 0 && <MarkAll shown={shown} />}
      <Group title={words.earlier} notifications={shown.filter((n) => n.read)} now={now} />
    </>
  );
}

function List() {
  const query = useNotifications();
  return (
    <Loaded
      query={query}
      skeleton={<GroupSkeletons label={words.loading} />}
      failed={words.failed}
      isEmpty={({ pages }) => pages.every((page) => page.notifications.length === 0)}
      empty={<Nothing />}
    >
      {({ pages }) => (
        <div className="stack l narrow">
          <Groups pages={pages} />
          <ShowMore query={query} />
        </div>
      )}
    </Loaded>
  );
}

export function NotificationsScreen({ unread }: { unread: number }) {
  useTitle(words.title);
  return (
    <>
      <div className="row between narrow">
        <h1 className="big" tabIndex={-1}>
          {words.title}
        </h1>
        {unread > 0 && (
          <span role="status" aria-label={words.unreadCount(unread)}>
            <Count value={unread} waits />
          </span>
        )}
      </div>
      <List />
    </>
  );
}
