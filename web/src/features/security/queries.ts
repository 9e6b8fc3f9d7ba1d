// What sign-in and security asks the server.
import { useInfiniteQuery, useQuery } from "@connectrpc/connect-query";
import {
  type Device,
  type GetUserResponse,
  IdentityService,
  type ListDevicesResponse,
  type ListSessionsResponse,
  MfaType,
} from "../../gen/goodturn/identity/v1/identity_service_pb";
import { ofService } from "../../lib/freshen";

const { getUser, listDevices, listSessions } = IdentityService.method;
const PAGE = 60;

export const isOfIdentity = ofService(IdentityService);

export type Factor = "authenticator" | "sms";
/** An account at a provider, and what the provider calls it. */
export type Link = { provider: string; userId: string };
/** Empty texts: there is none. */
export type Account = {
  email: string;
  phone: string;
  phoneVerified: boolean;
  factors: readonly Factor[];
  /** Which is asked first; nothing where the member chooses each time. */
  first: Factor | null;
  links: readonly Link[];
};

/** As the attribute `identities` tells them; empty where there are none. */
function linksOf(text: string): readonly Link[] {
  if (text === "") return [];
  const told = JSON.parse(text) as { providerName: string; userId: string }[];
  return told.map(({ providerName: provider, userId }) => ({ provider, userId }));
}

function factorOf(type: MfaType | undefined): Factor | null {
  if (type === MfaType.SOFTWARE_TOKEN) return "authenticator";
  return type === MfaType.SMS ? "sms" : null;
}

function accountOf({ userAttributes, userMfaSettingList, preferredMfaSetting }: GetUserResponse): Account {
  const valueOf = (name: string): string => userAttributes.find((attribute) => attribute.name === name)?.value ?? "";
  return {
    email: valueOf("email"),
    phone: valueOf("phone_number"),
    phoneVerified: valueOf("phone_number_verified") === "true",
    factors: userMfaSettingList.map(factorOf).filter((factor) => factor !== null),
    first: factorOf(preferredMfaSetting),
    links: linksOf(valueOf("identities")),
  };
}

export const useAccount = () => useQuery(getUser, {}, { select: accountOf });

const fromSeconds = (s: number): Date => new Date(s * 1000);

export type Remembered = { key: string; name: string; usedAt: Date };

function rememberedOf({ deviceKey: key, deviceAttributes, authenticatedS }: Device): Remembered | null {
  const valueOf = (name: string): string => deviceAttributes.find((attribute) => attribute.name === name)?.value ?? "";
  if (valueOf("device_status") !== "remembered") return null;
  return { key, name: valueOf("device_name"), usedAt: fromSeconds(authenticatedS) };
}

/** Those that are remembered, the newest first. */
export function useRemembered() {
  const query = useInfiniteQuery(
    listDevices,
    { limit: PAGE, paginationToken: "" },
    {
      pageParamKey: "paginationToken",
      getNextPageParam: (page: ListDevicesResponse) => page.paginationToken,
    },
  );
  const devices = query.data?.pages.flatMap((page) => page.devices.map(rememberedOf));
  return { ...query, data: devices?.filter((device) => device !== null) };
}

export type SignedIn = { id: string; agent: string; beganAt: Date; usedAt: Date; isHere: boolean };

/** The one of this device first. */
function signedInOf({ sessions }: ListSessionsResponse): readonly SignedIn[] {
  return sessions
    .map(({ sessionId: id, agent, startedS, refreshedS, current: isHere }) => ({
      id,
      agent,
      beganAt: fromSeconds(startedS),
      usedAt: fromSeconds(refreshedS ?? startedS),
      isHere,
    }))
    .toSorted((a, b) => Number(b.isHere) - Number(a.isHere));
}

export const useSessions = () => useQuery(listSessions, {}, { select: signedInOf });
