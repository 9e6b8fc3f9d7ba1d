// Whom a member wants less of: asked, and what is done about them. Nobody else can win such a change, so that a list shows it at once.
import { create } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useQuery, useTransport } from "@connectrpc/connect-query";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FriendsService as Shown, type GetActiveResponse } from "../../gen/goodturn/friends/v1/friends_service_pb";
import type { Person } from "../../gen/goodturn/common/v1/person_pb";
import { FriendsService } from "../../gen/later/goodturn/friends/v1/friends_service_pb";
import {
  type ListMutedMembersResponse,
  MutedMemberSchema,
  NotificationsService,
} from "../../gen/later/goodturn/notifications/v1/notifications_service_pb";
import { askedBy, freshen, type IsStale } from "../../lib/freshen";
import { byKey } from "../../lib/keys";
import { isOfFriends } from "./queries";

const { listBlockedMembers } = FriendsService.method;
const { listMutedMembers } = NotificationsService.method;

/** Somebody in one of the lists, and since when. */
export type Away = { user?: Person | undefined; since?: Timestamp | undefined };

export const useBlocked = () => useQuery(listBlockedMembers, {}, { select: ({ blocked }): readonly Away[] => blocked });
export const useMuted = () => useQuery(listMutedMembers, {}, { select: ({ muted }): readonly Away[] => muted });

const isOfMuted: IsStale = (query) => askedBy(query).methodName === listMutedMembers.name;

/** What ends between the two goes out of the lists with the answer; the rest is asked again. */
function useEnding(end: (client: ReturnType<typeof useAwayClient>, uid: string) => Promise<unknown>) {
  const client = useAwayClient();
  const cache = useQueryClient();
  const key = createConnectQueryKey({ schema: Shown.method.getActive, cardinality: "finite" });
  return useMutation({
    mutationFn: (uid: string) => end(client, uid),
    onSuccess: (_answer, uid) =>
      cache.setQueriesData<GetActiveResponse>({ queryKey: key }, (active) =>
        active?.friends === undefined
          ? active
          : { ...active, friends: { ...active.friends, list: active.friends.list.filter((f) => f.uid !== uid) } },
      ),
    onSettled: () => freshen(cache, isOfFriends),
  });
}

const useAwayClient = () => createClient(FriendsService, useTransport());

export const useRemove = () => useEnding((client, friendId) => client.removeFriend({ friendId }));
export const useBlock = () => useEnding((client, memberId) => client.blockMember({ memberId }));
export const useUnblock = () => useEnding((client, memberId) => client.unblockMember({ memberId }));

/** Mutes, or hears again. Shown at once, and put back when it failed: without the server nobody else brings it back. */
export function useMute(mutes: boolean) {
  const client = createClient(NotificationsService, useTransport());
  const cache = useQueryClient();
  const key = createConnectQueryKey({ schema: listMutedMembers, cardinality: "finite" });
  return useMutation({
    mutationFn: (memberId: string): Promise<unknown> =>
      mutes ? client.muteMember({ memberId }) : client.unmuteMember({ memberId }),
    onMutate: async (uid) => {
      await cache.cancelQueries({ predicate: isOfMuted });
      const before = cache.getQueriesData<ListMutedMembersResponse>({ queryKey: key });
      cache.setQueriesData<ListMutedMembersResponse>({ queryKey: key }, (list) => list && withMuted(list, uid, mutes));
      return before;
    },
    onError: (_error, _uid, before) => before?.forEach(([of, list]) => cache.setQueryData(of, list)),
    onSettled: () => freshen(cache, isOfMuted),
  });
}

function withMuted(list: ListMutedMembersResponse, uid: string, mutes: boolean): ListMutedMembersResponse {
  const others = list.muted.filter(({ user }) => user?.uid !== uid);
  return { ...list, muted: mutes ? [create(MutedMemberSchema, { user: { uid } }), ...others] : others };
}

export function useReport(memberId: string) {
  const client = useAwayClient();
  return (reason: string, key: string) => client.reportMember({ memberId, reason }, byKey(key));
}
