// What the friends area asks the server, and what each answer changes in the cache.
import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useQuery, useTransport } from "@connectrpc/connect-query";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FriendRequestAction, FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";

const { listFriendRequests, getActive } = FriendsService.method;

export const friendsKey = createConnectQueryKey({ schema: FriendsService, cardinality: undefined });

export const useFriendRequests = () => useQuery(listFriendRequests, {});
export const useFriends = () => useQuery(getActive, {}, { select: (answer) => answer.friends?.list ?? [] });

const useFriendsClient = () => createClient(FriendsService, useTransport());

function useChange<In, Out>(mutationFn: (input: In) => Promise<Out>) {
  const cache = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => cache.invalidateQueries({ queryKey: friendsKey }) });
}

export function useRespond() {
  const client = useFriendsClient();
  return useChange(({ requestId, accept }: { requestId: string; accept: boolean }) =>
    client.respondToFriendRequest({
      requestId,
      action: accept ? FriendRequestAction.ACCEPT : FriendRequestAction.DECLINE,
    }),
  );
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
