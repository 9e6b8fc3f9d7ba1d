// What the friends area asks the server. What is done there: deeds.ts.
import { useQuery } from "@connectrpc/connect-query";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { ofService } from "../../lib/freshen";

const { listFriendRequests, getActive } = FriendsService.method;

export const isOfFriends = ofService(FriendsService);

export const useFriendRequests = () => useQuery(listFriendRequests, {});
export const useFriends = (enabled = true) =>
  useQuery(getActive, {}, { enabled, select: (answer) => answer.friends?.list ?? [] });

/** Whether a friend is one no more, or somebody's request is not open any more: by whatever way, also by one that is not told. */
export function useIsOver({ uid, isFriend }: { uid: string; isFriend: boolean }): boolean {
  const friends = useFriends(isFriend).data;
  const requests = useQuery(listFriendRequests, {}, { enabled: !isFriend }).data?.received;
  const isThere = isFriend ? friends?.some((friend) => friend.uid === uid) : requests?.some((r) => r.user?.uid === uid);
  return isThere === false;
}
