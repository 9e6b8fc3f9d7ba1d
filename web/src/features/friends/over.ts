// What ends while it is shown. It comes with the sheet of a member.
import { useQuery } from "@connectrpc/connect-query";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { useFriends } from "./queries";

/** Whether a friend is one no more, or somebody's request is not open any more: by whatever way, also by one that is not told. */
export function useIsOver({ uid, isFriend }: { uid: string; isFriend: boolean }): boolean {
  const friends = useFriends(isFriend).data;
  const requests = useQuery(FriendsService.method.listFriendRequests, {}, { enabled: !isFriend }).data?.received;
  const isThere = isFriend ? friends?.some((friend) => friend.uid === uid) : requests?.some((r) => r.user?.uid === uid);
  return isThere === false;
}
