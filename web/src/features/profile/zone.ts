// The member's zone, in which the server says days and times, is that of the browser: told once for a sign-in and tab, where it is another one.
import type { Client } from "@connectrpc/connect";
import type { ProfileService } from "../../gen/goodturn/profile/v1/profile_service_pb";
import { isOtherDay } from "../../lib/days";
import { isUnreached } from "../../lib/errors";
import { keep, kept } from "../../lib/kept";
import { whenFound } from "../../lib/reach";
import { zoneHere } from "../../lib/zone";

const TOLD = "zone";

const read = (value: unknown): string | null => (typeof value === "string" ? value : null);

type Calls = Pick<Client<typeof ProfileService>, "getProfile" | "updateProfile">;

/** `isStill` tells whether the member is still there, `onTold` hears that it is another day for them now. A browser that has no zone changes none. */
export async function tellZone(me: string, calls: Calls, isStill: () => boolean, onTold: () => void): Promise<void> {
  const timeZone = zoneHere();
  if (timeZone === "" || kept(me, TOLD, read) === timeZone) return;
  try {
    const { profile } = await calls.getProfile({});
    if (!isStill()) return;
    const before = profile?.details?.timeZone;
    if (before !== undefined && before !== timeZone) {
      await calls.updateProfile({ details: { timeZone }, updateMask: { paths: ["details.time_zone"] } });
      if (isOtherDay(before, timeZone)) onTold();
    }
  } catch (error) {
    if (isUnreached(error)) return whenFound(() => isStill() && void tellZone(me, calls, isStill, onTold));
    // One that the server does not know stays unknown to it.
  }
  if (isStill()) keep(me, TOLD, timeZone);
  return undefined;
}
