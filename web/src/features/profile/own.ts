// One's own profile, as Edit Profile has it: kept for a day on this device, and 10 minutes in memory, as documented.
import { useQuery } from "@connectrpc/connect-query";
import { useMemo } from "react";
import { GetProfileResponseSchema, ProfileService } from "../../gen/goodturn/profile/v1/profile_service_pb";
import { cleanPersisted, persisted } from "../../lib/persisted";

const KEPT_MS = 10 * 60_000;

export const persistedProfile = (me: string) => persisted(me, GetProfileResponseSchema);

export const cleanProfiles = (me: string): Promise<void> => cleanPersisted(me, GetProfileResponseSchema);

/** Without one there is nothing to edit, which is a failure. It is brought up to date by the screen, as documented. */
export function useProfile(me: string) {
  const { persister } = useMemo(() => persistedProfile(me), [me]);
  return useQuery(
    ProfileService.method.getProfile,
    {},
    {
      refetchOnWindowFocus: false,
      gcTime: KEPT_MS,
      persister,
      select: ({ profile }) => {
        if (profile === undefined) throw new Error("the answer holds no profile");
        return profile;
      },
    },
  );
}
