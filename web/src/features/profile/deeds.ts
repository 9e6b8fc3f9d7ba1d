// What is done with one's own profile, and what each answer changes in the cache.
import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  GetProfileResponseSchema,
  type Profile,
  ProfileService,
  type UpdateProfileResponse,
} from "../../gen/goodturn/profile/v1/profile_service_pb";
import { ProfileService as PictureService } from "../../gen/later/goodturn/profile/v1/profile_service_pb";
import { freshen } from "../../lib/freshen";
import { renewTokens } from "../../lib/renew";
import { persistedProfile } from "./own";
import { e164Of, type Typed } from "./phone";
import { isOfProfile } from "./queries";
import { loadedSoon, upload } from "./upload";

/** The server answered, and told nothing. */
export class NoAnswer extends Error {}

export function useProfileApi() {
  const [transport, cache] = [useTransport(), useQueryClient()];
  return useMemo(() => {
    const client = createClient(ProfileService, transport);
    const pictures = createClient(PictureService, transport);
    const key = createConnectQueryKey({
      schema: ProfileService.method.getProfile,
      input: {},
      transport,
      cardinality: "finite",
    });

    async function take(me: string, profile: Profile): Promise<Profile> {
      // What was asked before the change is older than its answer.
      await cache.cancelQueries({ queryKey: key });
      cache.setQueryData(key, create(GetProfileResponseSchema, { profile }));
      void persistedProfile(me).keep(key, cache);
      return profile;
    }

    async function took(me: string, { profile }: UpdateProfileResponse): Promise<Profile> {
      if (profile === undefined) throw new NoAnswer();
      return take(me, profile);
    }

    /** The answer to a change of the picture says nothing of the rest. */
    async function tookPicture(me: string, profilePictureUrl: string): Promise<void> {
      const profile = cache.getQueryData(key)?.profile;
      if (profile?.details !== undefined)
        await take(me, { ...profile, details: { ...profile.details, profilePictureUrl } });
      void renewTokens();
    }

    return {
      async update(me: string, change: Parameters<typeof client.updateProfile>[0]): Promise<Profile> {
        const profile = await took(me, await client.updateProfile(change));
        if (change.updateMask?.paths?.some((path) => path.endsWith("_name")) === true) void renewTokens();
        return profile;
      },
      /** @throws UploadFailed or Stopped, or what the calls throw. */
      async setPicture(me: string, picture: string): Promise<void> {
        const at = await upload(pictures, picture);
        const { profilePictureUrl } = await pictures.setPicture({ key: at });
        // The one that was chosen stands there until then.
        await loadedSoon(profilePictureUrl);
        await tookPicture(me, profilePictureUrl);
      },
      async deletePicture(me: string): Promise<void> {
        await pictures.deletePicture({});
        await tookPicture(me, "");
      },
      async saveNumber(me: string, number: Typed): Promise<void> {
        const details = { phoneNumber: e164Of(number), countryCode: number.country };
        const updateMask = { paths: ["details.country_code", "details.phone_number"] };
        await took(me, await client.updateProfile({ details, updateMask }));
      },
      async skip(me: string): Promise<void> {
        await client.skipPhoneStep({});
        const profile = cache.getQueryData(key)?.profile;
        if (profile !== undefined) await take(me, { ...profile, phoneStepPending: false });
      },
      /** @returns where the code went, masked. */
      sendCode: async (): Promise<string> => (await client.startPhoneVerification({})).destination,
      async verify(code: string): Promise<void> {
        await client.verifyPhone({ code });
        await cache.cancelQueries({ predicate: isOfProfile });
        freshen(cache, isOfProfile);
      },
    };
  }, [transport, cache]);
}
