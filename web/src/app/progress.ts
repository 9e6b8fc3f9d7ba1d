// How far a new member is on the way that FirstSteps shows.
import { useState } from "react";
import { favorsOf, useActiveFavors } from "../features/favors/queries";
import { useFriendRequests, useFriends } from "../features/friends/queries";
import { FavorStatus } from "../gen/goodturn/favors/v1/favors_service_pb";
import { useFirstDeeds } from "./stats";

/** `asked` names those who have a friend request of the member. */
export type Progress = { hasFriend: boolean; asked: readonly string[]; hasPosted: boolean; lends: boolean };

const keyOf = (uid: string): string => `goodturn.first_steps.${uid}`;

/** Whether the member has hidden the steps on this device, and what hides them. */
export function useHidden(me: string): [boolean, () => void] {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(keyOf(me)) !== null);
  function hide(): void {
    localStorage.setItem(keyOf(me), "over");
    setHidden(true);
  }
  return [isHidden, hide];
}

/** How far a new member is; null for who needs no leading, undefined while that is not known. */
export function useProgress(isHidden: boolean): Progress | null | undefined {
  const own = useActiveFavors().data;
  const requests = useFriendRequests();
  const deeds = useFirstDeeds().data;
  const isNew = !isHidden && own !== undefined && deeds?.hasExchanged === false;
  const friends = useFriends(isNew);
  if (!isNew || friends.isError || requests.isError) return null;
  if (friends.data === undefined || requests.data === undefined) return undefined;
  const asked = requests.data.sent.flatMap(({ user }) => (user === undefined ? [] : [user.displayName]));
  const hasFriend = friends.data.length > 0;
  const hasPosted = deeds.hasPosted || favorsOf(own).some(({ status }) => status !== FavorStatus.DRAFT);
  return hasFriend && hasPosted && deeds.lends ? null : { hasFriend, asked, hasPosted, lends: deeds.lends };
}
