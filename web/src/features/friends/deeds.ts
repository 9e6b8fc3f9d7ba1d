// What is done in the friends area, and what each answer changes in the cache.
import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  FriendRequestAction,
  FriendsService,
  type ListFriendRequestsResponse,
} from "../../gen/goodturn/friends/v1/friends_service_pb";
import { ContactType, FriendsService as Later } from "../../gen/later/goodturn/friends/v1/friends_service_pb";
import { freshen } from "../../lib/freshen";
import { byKey } from "../../lib/keys";
import { isOfFriends } from "./queries";

const FOUND = "found";
const { listFriendRequests } = FriendsService.method;

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
      if (accept) return [];
      await cache.cancelQueries({ predicate: isOfFriends });
      const before = cache.getQueriesData<ListFriendRequestsResponse>({ queryKey: listKey });
      cache.setQueriesData<ListFriendRequestsResponse>({ queryKey: listKey }, (list) =>
        list === undefined ? list : { ...list, received: list.received.filter((r) => r.friendRequest !== requestId) },
      );
      return before;
    },
    // Without the server nobody else brings it back.
    onError: (_error, _answer, before) => before?.forEach(([key, list]) => cache.setQueryData(key, list)),
    onSettled: () => freshen(cache, isOfFriends),
  });
}

export function useTakeBack() {
  const client = useFriendsClient();
  return useChange((requestId: string) => client.cancelFriendRequest({ requestId }));
}

export function useSendRequest() {
  const client = useFriendsClient();
  const cache = useQueryClient();
  return useChange(async ({ key, ...request }: { receiverUid: string; message: string; key: string }) => {
    const answer = await client.sendFriendRequest(request, byKey(key));
    // Whoever looks for them again finds them asked.
    cache.removeQueries({ queryKey: [FOUND] });
    return answer;
  });
}

/** `contact` is an address: whoever has it and is a member is asked to be friends, with the same answer. */
export function useSendInvite() {
  const client = createClient(Later, useTransport());
  return useChange(({ key, ...invite }: { contact: string; message: string; key: string }) =>
    client.sendInvite({ ...invite, method: ContactType.EMAIL }, byKey(key)),
  );
}

/** Who is found by a contact; nobody is looked for while it is empty. It is asked once, and again when somebody comes back to it later. */
export function useFound(contact: string) {
  const client = useFriendsClient();
  return useQuery({
    queryKey: [FOUND, contact],
    queryFn: () => client.findFriend({ contact }),
    enabled: contact !== "",
    // Whoever waits for an answer is told at once that there is none.
    retry: false,
    refetchOnWindowFocus: false,
  });
}
