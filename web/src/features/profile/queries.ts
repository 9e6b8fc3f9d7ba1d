// What Edit Profile and the phone-number step ask the server.
import { useQuery } from "@connectrpc/connect-query";
import { ProfileService } from "../../gen/goodturn/profile/v1/profile_service_pb";
import { ofService } from "../../lib/freshen";

const { getProfile } = ProfileService.method;

export const isOfProfile = ofService(ProfileService);

/** One's own. Without one there is nothing to edit, which is a failure. It is brought up to date by the screen, as documented. */
export const useProfile = () =>
  useQuery(
    getProfile,
    {},
    {
      refetchOnWindowFocus: false,
      select: ({ profile }) => {
        if (profile === undefined) throw new Error("the answer holds no profile");
        return profile;
      },
    },
  );

/** Whether the phone-number step is pending. Asked once: who cannot know is not kept waiting. */
export const usePending = (enabled: boolean) =>
  useQuery(getProfile, {}, { enabled, retry: false, select: ({ profile }) => profile?.phoneStepPending === true });
