// What the notifications screen asks the server, and what each answer changes in the cache.
import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useInfiniteQuery, useQuery, useTransport } from "@connectrpc/connect-query";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  type ListNotificationsResponse,
  NotificationsService,
} from "../../gen/goodturn/notifications/v1/notifications_service_pb";

const { listNotifications } = NotificationsService.method;
const PAGE = 20;

export const notificationsKey = createConnectQueryKey({ schema: NotificationsService, cardinality: undefined });

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

function useReading<In>(read: (client: ReturnType<typeof useNotificationsClient>, input: In) => Promise<unknown>) {
  const client = useNotificationsClient();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: In) => read(client, input),
    onSettled: () => cache.invalidateQueries({ queryKey: notificationsKey }),
  });
}

const useNotificationsClient = () => createClient(NotificationsService, useTransport());

export const useMarkRead = () => useReading((client, id: string) => client.markNotificationRead({ id }));
export const useMarkAllRead = () => useReading<void>((client) => client.markAllNotificationsRead({}));
