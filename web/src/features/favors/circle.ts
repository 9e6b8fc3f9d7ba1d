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

/** The choice with a friend more, or without them: a group that asks them gives way to the others who are in it. */
export function withFriend(circle: Circle, chosen: Chosen, uid: string): Chosen {
  const through = circle.groups.filter((g) => chosen.groups.includes(g.groupId) && g.members.includes(uid));
  if (through.length === 0 && !chosen.recipients.includes(uid))
    return { ...chosen, recipients: [...chosen.recipients, uid] };
  const ids = through.map(({ groupId }) => groupId);
  const others = askedOf(circle, { recipients: [], groups: ids }).map((friend) => friend.uid);
  return {
    recipients: [...new Set([...chosen.recipients, ...others])].filter((other) => other !== uid),
    groups: chosen.groups.filter((id) => !ids.includes(id)),
  };
}

/** The choice with a group more, or without it. */
export const withGroup = (chosen: Chosen, id: string): Chosen => ({
  ...chosen,
  groups: chosen.groups.includes(id) ? chosen.groups.filter((other) => other !== id) : [...chosen.groups, id],
});

/** What is there still of a choice, in the order in which it stands. */
export const knownOf = ({ friends, groups }: Circle, chosen: Chosen): Chosen => ({
  recipients: friends.map(({ uid }) => uid).filter((uid) => chosen.recipients.includes(uid)),
  groups: groups.map(({ groupId }) => groupId).filter((id) => chosen.groups.includes(id)),
});

/** The names of those chosen, the groups first, each in the order in which they stand. */
export function namesIn(circle: Circle, chosen: Chosen, nameOf: (friend: Friend) => string): string[] {
  const { recipients, groups } = knownOf(circle, chosen);
  return [
    ...circle.groups.filter((g) => groups.includes(g.groupId)).map((g) => g.groupName),
    ...circle.friends.filter((f) => recipients.includes(f.uid)).map(nameOf),
  ];
}
