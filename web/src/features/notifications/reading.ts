// Tells the server what was read, and what that changes in the cache.
import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { type InfiniteData, useMutation, useQueryClient } from "@tanstack/react-query";
import {
  type ListNotificationsResponse,
  NotificationsService,
} from "../../gen/goodturn/notifications/v1/notifications_service_pb";
import { NotificationsService as Later } from "../../gen/later/goodturn/notifications/v1/notifications_service_pb";
import { freshen } from "../../lib/freshen";
import { isOfNotifications } from "./queries";

const { listNotifications } = NotificationsService.method;

type Page = ListNotificationsResponse;

/** A page in which those that `isIt` picks are read. */
function withRead(page: Page, isIt: (id: string) => boolean): Page {
  const read = page.notifications.filter((n) => !n.read && isIt(n.id)).length;
  return {
    ...page,
    unreadCount: Math.max(0, page.unreadCount - read),
    notifications: page.notifications.map((n) => (isIt(n.id) ? { ...n, read: true } : n)),
  };
}

const listKey = createConnectQueryKey({ schema: listNotifications, cardinality: "infinite" });

/** Nobody else reads my notifications: shown as read at once, put back when it failed, and as the server has it afterwards. */
function useReading<In>(
  read: (client: ReturnType<typeof useNotificationsClient>, input: In) => Promise<unknown>,
  isIt: (id: string, input: In) => boolean,
) {
  const client = useNotificationsClient();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: In) => read(client, input),
    onMutate: async (input: In) => {
      await cache.cancelQueries({ predicate: isOfNotifications });
      const before = cache.getQueriesData<InfiniteData<Page>>({ queryKey: listKey });
      cache.setQueriesData<InfiniteData<Page>>({ queryKey: listKey }, (list) =>
        list === undefined
          ? list
          : { ...list, pages: list.pages.map((page) => withRead(page, (id) => isIt(id, input))) },
      );
      return before;
    },
    // Without the server nobody else brings it back.
    onError: (_error, _input, before) => before?.forEach(([key, list]) => cache.setQueryData(key, list)),
    onSettled: () => freshen(cache, isOfNotifications),
  });
}

const useNotificationsClient = () => createClient(Later, useTransport());

export const useMarkRead = () =>
  useReading(
    (client, id: string) => client.markNotificationRead({ id }),
    (id, marked) => id === marked,
  );
/** `shown` are the ids on the screen, the newest first: what came meanwhile stays unread. */
export const useMarkAllRead = () =>
  useReading(
    (client, [newest = ""]: readonly string[]) => client.markAllNotificationsRead({ upToId: newest }),
    (id, shown) => shown.includes(id),
  );
