// What is done with groups, and what each answer changes in the cache.
import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { FriendsService, type GetActiveResponse } from "../../gen/goodturn/friends/v1/friends_service_pb";
import type { Group } from "../../gen/goodturn/groups/v1/groups_service_pb";
import { GroupsService } from "../../gen/later/goodturn/groups/v1/groups_service_pb";
import { freshen } from "../../lib/freshen";
import { byKey } from "../../lib/keys";
import type { GroupValues } from "./form";
import { isOfCircle } from "./queries";

const requestOf = ({ name, friends }: GroupValues) => ({ groupName: name.trim(), friendIds: friends });

export function useGroupsApi() {
  const [transport, cache] = [useTransport(), useQueryClient()];
  return useMemo(() => {
    const client = createClient(GroupsService, transport);
    const key = createConnectQueryKey({ schema: FriendsService.method.getActive, cardinality: "finite" });

    /** Shows what was answered at once, in the place that the group has by its name; the server has the last word. */
    function show(id: string, group?: Group): void {
      cache.setQueriesData<GetActiveResponse>({ queryKey: key }, (circle) => {
        if (circle === undefined) return circle;
        const groups = [...circle.groups.filter((g) => g.groupId !== id), ...(group === undefined ? [] : [group])];
        return { ...circle, groups: groups.toSorted((a, b) => a.groupName.localeCompare(b.groupName)) };
      });
    }

    function took(group: Group | undefined): void {
      if (group !== undefined) show(group.groupId, group);
    }

    /** Whether it went well or not: what failed may have been done all the same. */
    async function done<T>(deed: Promise<T>): Promise<T> {
      try {
        return await deed;
      } finally {
        freshen(cache, isOfCircle);
      }
    }

    return {
      async create(values: GroupValues, once: string): Promise<void> {
        took((await done(client.createGroup(requestOf(values), byKey(once)))).group);
      },
      async update(groupId: string, values: GroupValues): Promise<void> {
        took((await done(client.updateGroup({ groupId, ...requestOf(values) }))).group);
      },
      async remove(groupId: string): Promise<void> {
        await done(client.deleteGroup({ groupId }));
        show(groupId);
      },
    };
  }, [transport, cache]);
}
