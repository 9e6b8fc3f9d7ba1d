// What the friends area asks the server. What is done there: deeds.ts.
import { useQuery } from "@connectrpc/connect-query";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { ofService } from "../../lib/freshen";

const { listFriendRequests, getActive } = FriendsService.method;

export const isOfFriends = ofService(FriendsService);

export const useFriendRequests = () => useQuery(listFriendRequests, {});
export const useFriends = (enabled = true) =>
  useQuery(getActive, {}, { enabled, select: (answer) => answer.friends?.list ?? [] });
