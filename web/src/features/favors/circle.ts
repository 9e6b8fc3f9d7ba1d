// Who can be asked: friends, and groups of them.
import { useQuery } from "@connectrpc/connect-query";
import { type Friend, FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import type { Group } from "../../gen/goodturn/groups/v1/groups_service_pb";

export type Circle = { friends: readonly Friend[]; groups: readonly Group[] };
/** Those chosen of it, by their ids. */
export type Chosen = { recipients: readonly string[]; groups: readonly string[] };

export const useCircle = () =>
  useQuery(
    FriendsService.method.getActive,
    {},
    { select: ({ friends, groups }): Circle => ({ friends: friends?.list ?? [], groups }) },
  );

/** The friends who are asked: those chosen one by one, and all who are in the groups that are chosen, each once. */
export function askedOf({ friends, groups }: Circle, chosen: Chosen): Friend[] {
  const inGroups = groups.filter((g) => chosen.groups.includes(g.groupId)).flatMap((g) => g.members);
  const uids = new Set([...chosen.recipients, ...inGroups]);
  return friends.filter((friend) => uids.has(friend.uid));
}
