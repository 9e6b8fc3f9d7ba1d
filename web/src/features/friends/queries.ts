// What the friends area asks the server, and what each answer changes in the cache.
import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useQuery, useTransport } from "@connectrpc/connect-query";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  FriendRequestAction,
  FriendsService,
  type ListFriendRequestsResponse,
} from "../../gen/goodturn/friends/v1/friends_service_pb";
import { freshen, ofService } from "../../lib/freshen";

const { listFriendRequests, getActive } = FriendsService.method;

export const isOfFriends = ofService(FriendsService);

export const useFriendRequests = () => useQuery(listFriendRequests, {});
export const useFriends = (enabled = true) =>
  useQuery(getActive, {}, { enabled, select: (answer) => answer.friends?.list ?? [] });

const useFriendsClient = () => createClient(FriendsService, useTransport());

function useChange<In, Out>(mutationFn: (input: In) => Promise<Out>) {
  const cache = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => freshen(cache, isOfFriends) });
}

/** Declining is nobody else's business and shows at once; accepting may come too late, and waits for the server. */
export function useRespond() {
  const client = useFriendsClient();
  const cache = useQueryClient();
  const listKey = createConnectQueryKey({ schema: listFriendRequests, cardinality: "finite" });
  return useMutation({
    mutationFn: ({ requestId, accept }: { requestId: string; accept: boolean }) =>
      client.respondToFriendRequest({
        requestId,
        action: accept ? FriendRequestAction.ACCEPT : FriendRequestAction.DECLINE,
      }),
    onMutate: async ({ requestId, accept }) => {
      if (accept) return;
      await cache.cancelQueries({ predicate: isOfFriends });
      cache.setQueriesData<ListFriendRequestsResponse>({ queryKey: listKey }, (list) =>
        list === undefined ? list : { ...list, received: list.received.filter((r) => r.friendRequest !== requestId) },
      );
    },
    onSettled: () => freshen(cache, isOfFriends),
  });
}

export function useTakeBack() {
  const client = useFriendsClient();
  return useChange((requestId: string) => client.cancelFriendRequest({ requestId }));
}

export function useSendRequest() {
  const client = useFriendsClient();
  return useChange((request: { receiverUid: string; message: string }) => client.sendFriendRequest(request));
}

export function useSearch() {
  const client = useFriendsClient();
  return useMutation({ mutationFn: (contact: string) => client.findFriend({ contact }) });
}
