// What the notifications screen asks the server. What is read is told by reading.ts.
import { useInfiniteQuery, useQuery } from "@connectrpc/connect-query";
import {
  type ListNotificationsResponse,
  NotificationsService,
} from "../../gen/goodturn/notifications/v1/notifications_service_pb";
import { ofService } from "../../lib/freshen";

const { listNotifications } = NotificationsService.method;
const PAGE = 20;

export const isOfNotifications = ofService(NotificationsService);

export const useNotifications = () =>
  useInfiniteQuery(
    listNotifications,
    { limit: PAGE, cursor: "" },
    {
      pageParamKey: "cursor",
      getNextPageParam: (page: ListNotificationsResponse) => (page.hasMore ? page.cursor : undefined),
    },
  );

/** How many are unread: the smallest page tells it too. */
export const useUnread = (): number =>
  useQuery(listNotifications, { limit: 1 }, { select: (page) => page.unreadCount }).data ?? 0;
