// What the phone-number step asks the server, and what is the profile's. What Edit Profile asks stands in own.ts: Home need not know it.
import { useQuery } from "@connectrpc/connect-query";
import { ProfileService } from "../../gen/goodturn/profile/v1/profile_service_pb";
import { ofService } from "../../lib/freshen";

const { getProfile } = ProfileService.method;

export const isOfProfile = ofService(ProfileService);

/** Whether the phone-number step is pending. Asked once: who cannot know is not kept waiting. */
export const usePending = (enabled: boolean) =>
  useQuery(getProfile, {}, { enabled, retry: false, select: ({ profile }) => profile?.phoneStepPending === true });
