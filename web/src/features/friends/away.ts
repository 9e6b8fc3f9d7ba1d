// Whom a member wants less of: asked, and what is done about them. Nobody else can win such a change, so that a list shows it at once.
import { create } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useQuery, useTransport } from "@connectrpc/connect-query";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  FriendsService as Shown,
  type GetActiveResponse,
  type ListFriendRequestsResponse,
} from "../../gen/goodturn/friends/v1/friends_service_pb";
import type { Person } from "../../gen/goodturn/common/v1/person_pb";
import { FriendsService } from "../../gen/later/goodturn/friends/v1/friends_service_pb";
import {
  type ListMutedMembersResponse,
  type MutedMember,
  MutedMemberSchema,
  NotificationsService,
} from "../../gen/later/goodturn/notifications/v1/notifications_service_pb";
import { askedBy, freshen, type IsStale } from "../../lib/freshen";
import { byKey } from "../../lib/keys";
import type { Called } from "./names";
import { isOfFriends } from "./queries";

const { listBlockedMembers } = FriendsService.method;
const { listMutedMembers } = NotificationsService.method;

/** Somebody that something is done about, as a list shows them. */
export type Whom = Called & { uid: string; profilePictureUrl: string };

/** Somebody in one of the lists, and since when. */
export type Away = { user?: Person | undefined; since?: Timestamp | undefined };

export const useBlocked = () => useQuery(listBlockedMembers, {}, { select: ({ blocked }): readonly Away[] => blocked });
export const useMuted = () => useQuery(listMutedMembers, {}, { select: ({ muted }): readonly Away[] => muted });

const isOfMuted: IsStale = (query) => askedBy(query).methodName === listMutedMembers.name;

const without = <T extends Pick<Away, "user">>(list: readonly T[], uid: string): T[] =>
  list.filter(({ user }) => user?.uid !== uid);

/** What ends between the two goes out of the lists with the answer; the rest is asked again. */
function useEnding(end: (client: ReturnType<typeof useAwayClient>, uid: string) => Promise<unknown>) {
  const client = useAwayClient();
  const cache = useQueryClient();
  const circle = createConnectQueryKey({ schema: Shown.method.getActive, cardinality: "finite" });
  const requests = createConnectQueryKey({ schema: Shown.method.listFriendRequests, cardinality: "finite" });
  return useMutation({
    mutationFn: ({ uid }: Whom) => end(client, uid),
    onSuccess: (_answer, { uid }) => {
      cache.setQueriesData<GetActiveResponse>({ queryKey: circle }, (active) =>
        active?.friends === undefined
          ? active
          : { ...active, friends: { ...active.friends, list: active.friends.list.filter((f) => f.uid !== uid) } },
      );
      cache.setQueriesData<ListFriendRequestsResponse>({ queryKey: requests }, (list) => {
        return list && { ...list, received: without(list.received, uid), sent: without(list.sent, uid) };
      });
    },
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
  const become = (who: Whom, entry: MutedMember | undefined): void => {
    cache.setQueriesData<ListMutedMembersResponse>({ queryKey: key }, (list) => list && withEntry(list, who, entry));
  };
  return useMutation({
    mutationFn: ({ uid: memberId }: Whom): Promise<unknown> =>
      mutes ? client.muteMember({ memberId }) : client.unmuteMember({ memberId }),
    onMutate: async (who) => {
      await cache.cancelQueries({ predicate: isOfMuted });
      const [[, shown] = []] = cache.getQueriesData<ListMutedMembersResponse>({ queryKey: key });
      become(who, mutes ? create(MutedMemberSchema, { user: personOf(who) }) : undefined);
      return { entry: shown?.muted.find(({ user }) => user?.uid === who.uid) };
    },
    // Only what was turned here: the others may have been turned meanwhile.
    onError: (_error, who, before) => before && become(who, before.entry),
    onSettled: () => freshen(cache, isOfMuted),
  });
}

const personOf = ({ uid, displayName, firstName, lastName, profilePictureUrl }: Whom) => ({
  uid,
  displayName,
  firstName,
  lastName,
  profilePictureUrl,
});

/** The list with this entry of a member in place of what it has of them; without one they are not in it. */
function withEntry(
  list: ListMutedMembersResponse,
  { uid }: Whom,
  entry: MutedMember | undefined,
): ListMutedMembersResponse {
  const others = without(list.muted, uid);
  return { ...list, muted: entry === undefined ? others : [entry, ...others] };
}

export function useReport(memberId: string) {
  const client = useAwayClient();
  return (reason: string, key: string) => client.reportMember({ memberId, reason }, byKey(key));
}
