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
import { session } from "../../lib/current";
import { freshen } from "../../lib/freshen";
import { isOfProfile } from "./queries";
import { e164Of, type Typed } from "./phone";

/** The server answered, and told nothing. */
export class NoAnswer extends Error {}

/** Names stand in the tokens too, and the frame has them from there. Where it fails they are renewed within the hour. */
async function renewTokens(): Promise<void> {
  try {
    await session.refresh(await session.accessToken());
  } catch {
    // Nobody waits for it.
  }
}

export function useProfileApi() {
  const [transport, cache] = [useTransport(), useQueryClient()];
  return useMemo(() => {
    const client = createClient(ProfileService, transport);
    const key = createConnectQueryKey({
      schema: ProfileService.method.getProfile,
      input: {},
      transport,
      cardinality: "finite",
    });

    function took({ profile }: UpdateProfileResponse): Profile {
      if (profile === undefined) throw new NoAnswer();
      cache.setQueryData(key, create(GetProfileResponseSchema, { profile }));
      return profile;
    }

    return {
      async update(change: Parameters<typeof client.updateProfile>[0]): Promise<Profile> {
        const profile = took(await client.updateProfile(change));
        if (change.updateMask?.paths?.some((path) => path.endsWith("_name")) === true) void renewTokens();
        return profile;
      },
      async saveNumber(number: Typed): Promise<void> {
        const details = { phoneNumber: e164Of(number), countryCode: number.country };
        const updateMask = { paths: ["details.country_code", "details.phone_number"] };
        await client.updateProfile({ details, updateMask });
      },
      skip: () => client.skipPhoneStep({}),
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
