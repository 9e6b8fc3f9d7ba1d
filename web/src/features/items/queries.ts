// What the items ask the server. What is done with them: deeds.ts.
import { create } from "@bufbuild/protobuf";
import { createConnectQueryKey, useInfiniteQuery, useQuery } from "@connectrpc/connect-query";
import { type InfiniteData, keepPreviousData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import {
  type BrowseFeedResponse,
  type GetItemResponse,
  GetItemResponseSchema,
  type Item,
  type ItemCategory,
  ItemsService,
  ItemStatus,
} from "../../gen/later/goodturn/items/v1/items_service_pb";
import {
  type CheckAvailabilityResponse,
  RentalsService,
  StatusWord,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { addMonths } from "../../lib/days";
import { ofService } from "../../lib/freshen";

const { method } = ItemsService;
const rentals = RentalsService.method;
/** As documented. */
const BROWSE_PAGE = 25;
const MINE_PAGE = 20;
const RENTALS_PAGE = 20;

export const isOfItems = ofService(ItemsService);

type Cursored = { cursor: string; hasMore: boolean };
const paging = {
  pageParamKey: "cursor",
  getNextPageParam: (page: Cursored) => (page.hasMore ? page.cursor : undefined),
} as const;

/** What is looked for among what friends lend. */
export type Sought = { term: string; category: ItemCategory };

/** What was found before stays until there is an answer. */
export const useFeed = ({ term, category }: Sought, ownerId: string) =>
  useInfiniteQuery(
    method.browseFeed,
    { category, query: term, limit: BROWSE_PAGE, cursor: "", ownerId },
    { ...paging, placeholderData: keepPreviousData },
  );

/** What a friend is called; asked only where one is named. */
export const useFriendName = (uid: string): string | undefined =>
  useQuery(
    FriendsService.method.getActive,
    {},
    {
      enabled: uid !== "",
      select: ({ friends }) => friends?.list.find((friend) => friend.uid === uid)?.displayName,
    },
  ).data;

export type Shown = ItemStatus.UNSPECIFIED | ItemStatus.LISTED | ItemStatus.UNLISTED;

export const useMyItems = (status: Shown) =>
  useInfiniteQuery(
    method.listMyItems,
    { status, limit: MINE_PAGE, cursor: "" },
    { ...paging, placeholderData: keepPreviousData },
  );

export const itemsIn = ({ pages }: { pages: { items: Item[] }[] }): Item[] => pages.flatMap(({ items }) => items);

/** What was browsed is known already: it stands there until it is told anew. */
function browsed(cache: QueryClient, id: string): GetItemResponse | undefined {
  const feeds = cache.getQueriesData<InfiniteData<BrowseFeedResponse>>({
    queryKey: createConnectQueryKey({ schema: method.browseFeed, cardinality: "infinite" }),
  });
  const items = feeds.flatMap(([, feed]) => (feed === undefined ? [] : itemsIn(feed)));
  const item = items.find(({ itemId }) => itemId === id);
  return item && create(GetItemResponseSchema, { item });
}

export function useItem(id: string) {
  const cache = useQueryClient();
  return useQuery(
    method.getItem,
    { itemId: id },
    { select: (answer) => answer.item, enabled: id !== "", placeholderData: () => browsed(cache, id) },
  );
}

export const useBlackoutDays = (id: string) =>
  useQuery(method.listBlackoutDays, { itemId: id }, { select: (answer) => answer.ranges });

/** Of so many months it is told which days are taken. */
const TOLD_MONTHS = 12;

type Told = Pick<CheckAvailabilityResponse, "bookedDates" | "borrowedDates" | "today">;

/** Whether it should be back: nobody knows when it is then, and each day to the last is told as out. */
const isLate = ({ borrowedDates, today }: Told): boolean => borrowedDates.includes(addMonths(today, TOLD_MONTHS));

/** Days that others have, in which it cannot be closed. Of one that is late that is today: nothing was agreed of the days after it. */
const bookedOf = (told: Told): string[] => [
  ...new Set([...told.bookedDates, ...(isLate(told) ? [told.today] : told.borrowedDates)]),
];

/** Which days it is taken in the next 12 months. */
export const useTakenDays = (id: string, enabled = true) =>
  useQuery(
    rentals.checkAvailability,
    { itemId: id },
    {
      enabled,
      select: (told) => ({
        today: told.today,
        taken: [...new Set([...told.bookedDates, ...told.borrowedDates, ...told.blockedDates])],
        booked: bookedOf(told),
        isLate: isLate(told),
      }),
    },
  );

export type Days = { start: string; end: string };

/** Whether it is free from one day to another, and what that would cost; nothing is asked before both are known. */
export const useAvailability = (id: string, { start, end }: Days) =>
  useQuery(
    rentals.checkAvailability,
    { itemId: id, startDate: start, endDate: end },
    // Whoever has chosen is told what holds now, and that it could not be found out.
    { enabled: start !== "" && end !== "", retry: false, staleTime: 0, gcTime: 0 },
  );

export const useItemStats = (id: string) => useQuery(rentals.getItemStats, { itemId: id });

const OPEN = [StatusWord.PENDING, StatusWord.ACCEPTED, StatusWord.ACTIVE, StatusWord.RETURNED];
const OVER = [StatusWord.COMPLETED, StatusWord.DECLINED, StatusWord.CANCELLED];

const useRentals = (itemId: string, status: StatusWord[]) =>
  useInfiniteQuery(rentals.listItemRentals, { itemId, status, limit: RENTALS_PAGE, cursor: "" }, paging);

export const useOpenRentals = (id: string) => useRentals(id, OPEN);
export const usePastRentals = (id: string) => useRentals(id, OVER);

export const useMyGroups = () => useQuery(FriendsService.method.getActive, {}, { select: ({ groups }) => groups });
