// What the favors area asks the server, and what each answer changes in the cache.
import { create } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useInfiniteQuery, useQuery, useTransport } from "@connectrpc/connect-query";
import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  type Favor,
  FavorAction,
  FavorOrder,
  FavorResponse,
  FavorsService,
  FavorStatus,
  GetFavorResponseSchema,
} from "../../gen/goodturn/favors/v1/favors_service_pb";
import type { Paged } from "../../ui/Loaded";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { askedBy, freshen, type IsStale, ofService } from "../../lib/freshen";

const { method } = FavorsService;
const PAGE = 50;
const RECENT = 3;

export const isOfFavors = ofService(FavorsService);

type Page = { favors: Favor[]; cursor: string; hasMore: boolean };
const paging = {
  pageParamKey: "cursor",
  getNextPageParam: (page: Page) => (page.hasMore ? page.cursor : undefined),
} as const;

export const useActiveFavors = () => useInfiniteQuery(method.listActiveFavors, { limit: PAGE, cursor: "" }, paging);
export const useCompletedFavors = () =>
  useInfiniteQuery(method.listCompletedFavors, { limit: PAGE, cursor: "" }, paging);
export const useCancelledFavors = () =>
  useInfiniteQuery(method.listCancelledFavors, { limit: PAGE, cursor: "" }, paging);
/** Those that wait for the caller's answer, and those that the caller helps with. */
export const useReceivedFavors = () => useInfiniteQuery(method.listReceivedFavors, { limit: PAGE, cursor: "" }, paging);
/** Those that the caller has helped with, settled or not. */
export const useHelpedFavors = () =>
  useInfiniteQuery(
    method.listReceivedFavors,
    { limit: PAGE, cursor: "", status: [FavorStatus.COMPLETED, FavorStatus.SETTLED] },
    paging,
  );

const changedAt = ({ updatedAt }: Favor): number =>
  Number(updatedAt?.seconds ?? 0n) * 1e3 + (updatedAt?.nanos ?? 0) / 1e6;

/** The last changed of one's own: among the active ones when those are all there, else the server says which. */
export function useRecentFavors() {
  const active = useActiveFavors();
  const asked = useQuery(
    method.listActiveFavors,
    { limit: RECENT, order: FavorOrder.RECENT },
    { select: (page) => page.favors, enabled: active.hasNextPage },
  );
  if (active.hasNextPage) return asked;
  const data =
    active.data &&
    favorsOf(active.data)
      .toSorted((a, b) => changedAt(b) - changedAt(a))
      .slice(0, RECENT);
  return { ...active, data };
}

type Pages = { pages: Page[] };
export type FavorList = Paged<Pages>;
export const favorsOf = ({ pages }: Pages): Favor[] => pages.flatMap((page) => page.favors);
export const isWaiting = (favor: Favor): boolean => favor.status === FavorStatus.PENDING;

export const useFavor = (id: string) =>
  useQuery(method.getFavor, { id }, { select: (answer) => answer.favor, enabled: id !== "" });
export const useFavorStory = (id: string) => useQuery(method.getFavorStory, { id }, { enabled: id !== "" });
export const useFriendsToAsk = () =>
  useQuery(FriendsService.method.getActive, {}, { select: (answer) => answer.friends?.list ?? [] });

const OWN: ReadonlySet<string | undefined> = new Set([
  method.listActiveFavors.name,
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
  listed(cache, (name) => name === method.listReceivedFavors.name, id);

/** The queries that a change of this favor touches: itself, and the lists of the side that the member is on, if that is known. */
export const touchedBy =
  (cache: QueryClient, id: string): IsStale =>
  (query) => {
    if (!isOfFavors(query)) return false;
    const { methodName, input } = askedBy(query);
    if (methodName === method.getFavor.name || methodName === method.getFavorStory.name)
      return typeof input === "object" && input["id"] === id;
    if (methodName === method.listReceivedFavors.name) return !ownOf(cache, id);
    return receivedOf(cache, id) === undefined;
  };

/** Whether what a member has earned may change with this favor: one that the member helps with, or may have. */
export function mayEarn(cache: QueryClient, id: string): boolean {
  return !ownOf(cache, id) && receivedOf(cache, id)?.status !== FavorStatus.PENDING;
}

export type FavorsClient = Client<typeof FavorsService>;

/** The area's client, and what an answer changes: it is shown at once, and the lists that it touches are asked again whatever happened. */
export function useFavorsClient() {
  const transport = useTransport();
  const cache = useQueryClient();
  return useMemo(() => {
    const keyOf = (id: string) =>
      createConnectQueryKey({ schema: method.getFavor, input: { id }, transport, cardinality: "finite" });
    return {
      client: createClient(FavorsService, transport),
      show: (favor: Favor): unknown => cache.setQueryData(keyOf(favor.id), create(GetFavorResponseSchema, { favor })),
      owns: (favor: Favor): unknown => made.add(favor.id),
      touched: (id: string): void => freshen(cache, touchedBy(cache, id)),
    };
  }, [transport, cache]);
}

type Step = { favor: Favor; action: FavorAction; message?: string };

async function take(
  client: FavorsClient,
  { favor, action, message = "" }: Step,
): Promise<{ favor?: Favor | undefined }> {
  const { id } = favor;
  switch (action) {
    case FavorAction.PUBLISH:
      // What is posted is what is seen.
      return client.publishFavor({ id, etag: favor.etag });
    case FavorAction.COMPLETE:
      return client.completeFavor({ id });
    case FavorAction.SETTLE:
      return client.settleFavor({ id });
    case FavorAction.CANCEL:
      return client.cancelFavor({ id });
    case FavorAction.DELETE:
      await client.deleteFavor({ id });
      return {};
    case FavorAction.ACCEPT:
      return client.respondToFavor({ id, message, response: FavorResponse.ACCEPT });
    case FavorAction.DECLINE:
      return client.respondToFavor({ id, message, response: FavorResponse.DECLINE });
    case FavorAction.ANOTHER_TIME:
      return client.respondToFavor({ id, message, response: FavorResponse.ANOTHER_TIME });
    case FavorAction.UNSPECIFIED:
    case FavorAction.EDIT:
    case FavorAction.WITHDRAW:
      throw new Error("not an action that is taken in one call");
    default:
      return action satisfies never;
  }
}

/** Takes one of the allowed actions of a favor. */
export function useTakeStep() {
  const { client, show, touched } = useFavorsClient();
  return useMutation({
    mutationFn: (step: Step) => take(client, step),
    onSuccess: ({ favor }) => favor !== undefined && show(favor),
    onSettled: (_answer, _error, { favor }) => touched(favor.id),
  });
}
