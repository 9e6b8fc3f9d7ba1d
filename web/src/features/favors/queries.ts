// What the favors area asks the server, and what each answer changes in the cache.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useInfiniteQuery, useQuery, useTransport } from "@connectrpc/connect-query";
import { keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import {
  type CreateFavorRequestSchema,
  type Favor,
  FavorAction,
  FavorOrder,
  FavorResponse,
  FavorsService,
  FavorStatus,
  GetFavorResponseSchema,
  type UpdateFavorRequestSchema,
} from "../../gen/goodturn/favors/v1/favors_service_pb";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";

const { method } = FavorsService;
const PAGE = 50;
const RECENT = 3;

export const favorsKey = createConnectQueryKey({ schema: FavorsService, cardinality: undefined });

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
export const useRecentFavors = () =>
  useQuery(method.listActiveFavors, { limit: RECENT, order: FavorOrder.RECENT }, { select: (page) => page.favors });

export type FavorList = ReturnType<typeof useActiveFavors>;
export const favorsOf = (list: { data?: { pages: Page[] } | undefined }): Favor[] =>
  list.data?.pages.flatMap((page) => page.favors) ?? [];
export const isWaiting = (favor: Favor): boolean => favor.status === FavorStatus.PENDING;

export const useFavor = (id: string) =>
  useQuery(method.getFavor, { id }, { select: (answer) => answer.favor, enabled: id !== "" });
export const useFavorStory = (id: string) =>
  useQuery(method.getFavorStory, { id }, { enabled: id !== "", placeholderData: keepPreviousData });
export const useFriendsToAsk = () =>
  useQuery(FriendsService.method.getActive, {}, { select: (answer) => answer.friends?.list ?? [] });

type FavorsClient = Client<typeof FavorsService>;

/** A change of favors: its answer is shown at once, and every list is asked again whatever happened. */
function useFavorChange<In>(change: (client: FavorsClient, input: In) => Promise<{ favor?: Favor | undefined }>) {
  const transport = useTransport();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: In) => change(createClient(FavorsService, transport), input),
    onSuccess: ({ favor }) => {
      if (favor === undefined) return;
      const key = createConnectQueryKey({
        schema: method.getFavor,
        input: { id: favor.id },
        transport,
        cardinality: "finite",
      });
      cache.setQueryData(key, create(GetFavorResponseSchema, { favor }));
    },
    onSettled: () => cache.invalidateQueries({ queryKey: favorsKey }),
  });
}

export type NewFavor = MessageInitShape<typeof CreateFavorRequestSchema>;
/** `key` belongs to one filled form: a repeated try never makes a second favor. */
export const useCreateFavor = () =>
  useFavorChange((client, { favor, key }: { favor: NewFavor; key: string }) =>
    client.createFavor(favor, { headers: { "idempotency-key": key } }),
  );

type ChangedFavor = MessageInitShape<typeof UpdateFavorRequestSchema>;
export const useUpdateFavor = () => useFavorChange((client, favor: ChangedFavor) => client.updateFavor(favor));

type Step = { id: string; action: FavorAction; message?: string };

async function take(client: FavorsClient, { id, action, message = "" }: Step): Promise<{ favor?: Favor | undefined }> {
  switch (action) {
    case FavorAction.PUBLISH:
      return client.publishFavor({ id });
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
export const useTakeStep = () => useFavorChange(take);
