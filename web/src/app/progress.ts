// How far a new member is on the way that FirstSteps shows.
import { favorsOf, useActiveFavors, useReceivedFavors } from "../features/favors/queries";
import { useFriendRequests, useFriends } from "../features/friends/queries";
import { useTookPart } from "./stats";

export type Progress = { hasFriend: boolean; asked: readonly string[] };

/** How far a new member is; null for who needs no leading, undefined while that is not known. */
export function useProgress(): Progress | null | undefined {
  const own = useActiveFavors().data;
  const received = useReceivedFavors().data;
  const requests = useFriendRequests();
  const tookPart = useTookPart().data;
  const isNew =
    own !== undefined &&
    received !== undefined &&
    favorsOf(own).length + favorsOf(received).length === 0 &&
    tookPart === false;
  const friends = useFriends(isNew);
  if (!isNew || friends.isError || requests.isError) return null;
  if (friends.data === undefined || requests.data === undefined) return undefined;
  const asked = requests.data.sent.flatMap(({ user }) => (user === undefined ? [] : [user.displayName]));
  return { hasFriend: friends.data.length > 0, asked };
}
