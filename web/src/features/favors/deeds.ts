// What the answers about favors change in the cache. What is done with one in a step: moves.ts.
import { create } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { type Favor, FavorsService, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { FavorsService as Later, GetFavorResponseSchema } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { askedBy, freshen, type IsStale } from "../../lib/freshen";
import { isOfFavors, type Page } from "./queries";

const { listActiveFavors, listReceivedFavors } = FavorsService.method;
const { method } = Later;

const OWN: ReadonlySet<string | undefined> = new Set([
  listActiveFavors.name,
  method.listCompletedFavors.name,
  method.listCancelledFavors.name,
]);
/** What was made in this page is one's own, before any list has it. */
const made = new Set<string>();

function listed(cache: QueryClient, isList: (name: string | undefined) => boolean, id: string): Favor | undefined {
  const lists = cache.getQueriesData<InfiniteData<Page>>({
    predicate: (query) =>
      isList(askedBy(query).methodName) &&
      Array.isArray((query.state.data as Partial<InfiniteData<Page>> | undefined)?.pages),
  });
  for (const [, list] of lists) {
    const favor = list?.pages.flatMap((page) => page.favors).find((f) => f.id === id);
    if (favor !== undefined) return favor;
  }
  return undefined;
}

const ownOf = (cache: QueryClient, id: string): boolean =>
  made.has(id) || listed(cache, (name) => OWN.has(name), id) !== undefined;
const receivedOf = (cache: QueryClient, id: string): Favor | undefined =>
  listed(cache, (name) => name === listReceivedFavors.name, id);

/** The queries that a change of this favor touches: itself, and the lists of the side that the member is on, if that is known. */
export const touchedBy =
  (cache: QueryClient, id: string): IsStale =>
  (query) => {
    if (!isOfFavors(query)) return false;
    const { methodName, input } = askedBy(query);
    if (methodName === method.getFavor.name || methodName === method.getFavorStory.name)
      return typeof input === "object" && input["id"] === id;
    if (methodName === listReceivedFavors.name) return !ownOf(cache, id);
    // What is found by browsing and searching is on either side.
    return !OWN.has(methodName) || receivedOf(cache, id) === undefined;
  };

/** Whether what a member has earned may change with this favor: one that the member helps with, or may have. */
export function mayEarn(cache: QueryClient, id: string): boolean {
  return !ownOf(cache, id) && receivedOf(cache, id)?.status !== FavorStatus.PENDING;
}

/** The area's client, and what an answer changes: it is shown at once, and the lists that it touches are asked again whatever happened. */
export function favorsApi(transport: Transport, cache: QueryClient) {
  const keyOf = (id: string) =>
    createConnectQueryKey({ schema: method.getFavor, input: { id }, transport, cardinality: "finite" });
  return {
    client: createClient(Later, transport),
    show: (favor: Favor): unknown => cache.setQueryData(keyOf(favor.id), create(GetFavorResponseSchema, { favor })),
    owns: (favor: Favor): unknown => made.add(favor.id),
    touched: (id: string): void => freshen(cache, touchedBy(cache, id)),
  };
}
export type FavorsApi = ReturnType<typeof favorsApi>;

export function useFavorsApi(): FavorsApi {
  const transport = useTransport();
  const cache = useQueryClient();
  return useMemo(() => favorsApi(transport, cache), [transport, cache]);
}
