// What the groups ask the server: the circle tells friends and groups together. What is done there: deeds.ts.
import { useQuery } from "@connectrpc/connect-query";
import { type Friend, FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import type { Group } from "../../gen/goodturn/groups/v1/groups_service_pb";
import { askedBy, type IsStale } from "../../lib/freshen";

const { getActive } = FriendsService.method;

export type Circle = { friends: readonly Friend[]; groups: readonly Group[] };

export const isOfCircle: IsStale = (query) =>
  askedBy(query).serviceName === FriendsService.typeName && askedBy(query).methodName === getActive.name;

export const useCircle = () =>
  useQuery(getActive, {}, { select: ({ friends, groups }): Circle => ({ friends: friends?.list ?? [], groups }) });
