// The values of the form of a group: read from one or from what was kept, compared and checked.
import type { Friend } from "../../gen/goodturn/friends/v1/friends_service_pb";
import type { Group } from "../../gen/goodturn/groups/v1/groups_service_pb";
import type { Errors } from "../../lib/fields";
import { words } from "./words";

export type GroupValues = { name: string; friends: string[] };

export const NAME_LENGTH_MAX = 100;

export const blank = (): GroupValues => ({ name: "", friends: [] });

export const valuesOf = ({ groupName, members }: Group): GroupValues => ({ name: groupName, friends: [...members] });

/** Only those who are friends still: the others are in no group any more. */
export function amongFriends(values: GroupValues, friends: readonly Friend[]): GroupValues {
  const uids = new Set(friends.map(({ uid }) => uid));
  return { ...values, friends: values.friends.filter((uid) => uids.has(uid)) };
}

/** Whether two are the same to the server, whatever way they are written. */
export function isSame(one: GroupValues, other: GroupValues): boolean {
  const normal = ({ name, friends }: GroupValues): string => JSON.stringify([name.trim(), friends.toSorted()]);
  return normal(one) === normal(other);
}

export const isBlank = (values: GroupValues): boolean => isSame(values, blank());

export function check(values: GroupValues): Errors<GroupValues> {
  const errors: Errors<GroupValues> = {};
  if (values.name.trim() === "") errors.name = words.needName;
  if (values.friends.length === 0) errors.friends = words.needFriend;
  return errors;
}

export const nameOf = ({ displayName, firstName, lastName }: Friend): string =>
  displayName || [firstName, lastName].filter(Boolean).join(" ") || words.unknownUser;

export function readValues(value: unknown): GroupValues | null {
  if (typeof value !== "object" || value === null) return null;
  const { name, friends } = value as Partial<Record<keyof GroupValues, unknown>>;
  return typeof name === "string" && Array.isArray(friends) ? { name, friends: friends.map(String) } : null;
}
