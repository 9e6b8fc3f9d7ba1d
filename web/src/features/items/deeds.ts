// What is done with items, and what each answer changes in the cache.
import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  GetItemResponseSchema,
  type Item,
  type ItemCounts,
  ItemCountsSchema,
  type ItemImage,
  ItemsService,
  ItemStatus,
  type ListBlackoutDaysResponse,
  ListBlackoutDaysResponseSchema,
  type ListMyItemsResponse,
} from "../../gen/later/goodturn/items/v1/items_service_pb";
import { RentalsService } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { hasReason, isUnreached } from "../../lib/errors";
import { askedBy, freshen, type IsStale, ofService } from "../../lib/freshen";
import { byKey } from "../../lib/keys";
import type { Range } from "../../ui/range";
import { isSameDays } from "./blackoutRanges";
import { createRequest, isAsSent, type ItemValues, updateRequest } from "./form";
import { inOrder, isWished, orderOf, unwish, wish } from "./orders";
import { isOfItems } from "./queries";

const { method } = ItemsService;
const NONE: readonly ItemImage[] = [];
const isOfRentals = ofService(RentalsService);

/** The server answered, and told nothing. */
export class NoAnswer extends Error {}

/** What was done, and its answer was lost on the way, is no failure: it is looked at before one is told. `find` finds nothing where it is not done. */
async function orFound<T>(deed: Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
  try {
    return await deed;
  } catch (error) {
    if (!isUnreached(error)) throw error;
    const found = await find().catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}

/** The days in which an item is not lent. */
type Closed = Pick<ListBlackoutDaysResponse, "ranges" | "etag">;
type Change = (ranges: readonly Range[]) => Range[];
const rangesOf = ({ ranges }: Closed): Range[] =>
  ranges.map(({ startDate, endDate }) => ({ start: startDate, end: endDate }));

/** How often it is begun anew where another device was quicker. */
const TRIES = 3;

/** Of an item one change after another, for each sends all that there is. */
function createLines() {
  const ends = new Map<string, Promise<unknown>>();
  return <T>(id: string, change: () => Promise<T>): Promise<T> => {
    const before = ends.get(id) ?? Promise.resolve();
    const mine = before.then(change);
    const end = mine.catch(() => undefined).finally(() => ends.get(id) === end && ends.delete(id));
    ends.set(id, end);
    return mine;
  };
}
const ofDays = createLines();
const ofOrders = createLines();

/** Of an item: itself, its days, and all lists, for each may have it. */
const touchedBy =
  (id: string): IsStale =>
  (query) => {
    if (!isOfItems(query) && !isOfRentals(query)) return false;
    const { input } = askedBy(query);
    const about = typeof input === "object" ? input["itemId"] : undefined;
    return about === undefined || about === id;
  };

type Draws = { pages: ListMyItemsResponse[] };
type Pages = InfiniteData<ListMyItemsResponse>;

const isListed = ({ status }: Item): boolean => status === ItemStatus.LISTED;

/** How many there are once an item is as it is now; `before` it was not there, or stood differently. */
function recounted(counts: ItemCounts | undefined, before: Item | undefined, item: Item): ItemCounts {
  const { all = 0, listed = 0, unlisted = 0 } = counts ?? {};
  const more = before === undefined ? 1 : 0;
  const moreListed = Number(isListed(item)) - Number(before !== undefined && isListed(before));
  return create(ItemCountsSchema, {
    all: all + more,
    listed: listed + moreListed,
    unlisted: unlisted + more - moreListed,
  });
}

const found = ({ pages }: Draws, { itemId }: Item): Item | undefined =>
  pages.flatMap(({ items }) => items).find((one) => one.itemId === itemId);

/** The same list with the item as it is now; where the filter does not show it any more it leaves with the answer that is asked for. */
function withItem<L extends Draws>(list: L, item: Item): L {
  const before = found(list, item);
  if (before === undefined) return list;
  const pages = list.pages.map((page) => ({
    ...page,
    items: page.items.map((one) => (one === before ? item : one)),
    counts: recounted(page.counts, before, item),
  }));
  return { ...list, pages };
}

/** The list of all with a new item before the others. */
function withNew<L extends Draws>(list: L, item: Item): L {
  if (found(list, item) !== undefined) return list;
  const pages = list.pages.map((page, i) => ({
    ...page,
    items: i === 0 ? [item, ...page.items] : page.items,
    counts: recounted(page.counts, undefined, item),
  }));
  return { ...list, pages };
}

/** Of one's own, whatever their status. */
const isOfAll: IsStale = (query) => {
  const { input } = askedBy(query);
  return typeof input === "object" && !input["status"];
};

export function useItemsApi() {
  const [transport, cache] = [useTransport(), useQueryClient()];
  return useMemo(() => {
    const client = createClient(ItemsService, transport);
    const keyOf = (id: string) =>
      createConnectQueryKey({ schema: method.getItem, input: { itemId: id }, transport, cardinality: "finite" });
    const mine = createConnectQueryKey({ schema: method.listMyItems, transport, cardinality: "infinite" });
    const daysOf = (id: string) =>
      createConnectQueryKey({
        schema: method.listBlackoutDays,
        input: { itemId: id },
        transport,
        cardinality: "finite",
      });

    const show = (item: Item): void => {
      cache.setQueryData(keyOf(item.itemId), create(GetItemResponseSchema, { item }));
      cache.setQueriesData<Pages>({ queryKey: mine }, (list) => list && withItem(list, item));
    };

    const showNew = (item: Item): void =>
      void cache.setQueriesData<Pages>({ queryKey: mine, predicate: isOfAll }, (list) => list && withNew(list, item));

    function took(item: Item | undefined): Item {
      if (item === undefined) throw new NoAnswer();
      show(item);
      return item;
    }

    const known = (id: string): Item | undefined => cache.getQueryData(keyOf(id))?.item;

    /** Shows other pictures of an item, as the answer to a change of them tells. */
    function showImages(id: string, images: ItemImage[]): void {
      const item = known(id);
      const main = images[0]?.url ?? "";
      if (item !== undefined) show({ ...item, images, mainImage: main, cardImage: main });
    }

    const showDays = (id: string, { ranges, etag }: Closed): unknown =>
      cache.setQueryData(daysOf(id), create(ListBlackoutDaysResponseSchema, { ranges, etag }));

    /** Each try begins with the days that the server has now, so that what was set elsewhere stays; in the same moment too. */
    async function changeDays(id: string, change: Change, tries = TRIES): Promise<void> {
      const before = await client.listBlackoutDays({ itemId: id });
      const ranges = change(rangesOf(before)).map(({ start, end }) => ({ startDate: start, endDate: end }));
      const find = async (): Promise<Closed | undefined> => {
        const answer = await client.listBlackoutDays({ itemId: id });
        const now = rangesOf(answer);
        return isSameDays(now, change(now)) ? answer : undefined;
      };
      try {
        showDays(id, await orFound(client.setBlackoutDays({ itemId: id, ranges, etag: before.etag }), find));
      } catch (error) {
        if (tries === 1 || !hasReason(error, "CONFLICT")) throw error;
        await changeDays(id, change, tries - 1);
      }
    }

    /** Whether it went well or not: what failed may have been done all the same. */
    async function done<T>(id: string, deed: Promise<T>): Promise<T> {
      try {
        return await deed;
      } finally {
        freshen(cache, touchedBy(id));
      }
    }

    /** Changes an item. `isDone` knows whether it stands as wished. */
    async function changeItem(
      id: string,
      deed: Promise<{ item?: Item }>,
      isDone: (item: Item) => boolean,
    ): Promise<Item> {
      const find = async (): Promise<{ item?: Item } | undefined> => {
        const item = took((await client.getItem({ itemId: id })).item);
        return isDone(item) ? { item } : undefined;
      };
      return took((await done(id, orFound(deed, find))).item);
    }

    async function isGone(id: string): Promise<true | undefined> {
      try {
        await client.getItem({ itemId: id });
        return undefined;
      } catch (error) {
        if (hasReason(error, "NOT_FOUND")) return true;
        throw error;
      }
    }

    /** What is gone already is deleted: the answer to a try before may have been lost. */
    async function removed(id: string): Promise<true> {
      try {
        await client.deleteItem({ itemId: id });
      } catch (error) {
        if (!hasReason(error, "NOT_FOUND")) throw error;
      }
      return true;
    }

    const look = async (id: string): Promise<Item> => took((await client.getItem({ itemId: id })).item);

    type Pictures = Pick<Item, "images">;
    /** Finds the pictures of an item where they stand as wished. */
    const imagesThat = (id: string, areSo: (images: readonly ItemImage[]) => boolean) => async () => {
      const { item } = await client.getItem({ itemId: id });
      return item !== undefined && areSo(item.images) ? item : undefined;
    };

    /** Puts the pictures in order that there are; where others came or went meanwhile, those that there are now. */
    async function putInOrder(id: string, order: readonly string[], tries = TRIES): Promise<readonly string[]> {
      const imageIds = [...orderOf(inOrder(known(id)?.images ?? (await look(id)).images, order))];
      const find = imagesThat(id, (images) => orderOf(images).join() === imageIds.join());
      try {
        return orderOf((await orFound<Pictures>(client.orderImages({ itemId: id, imageIds }), find)).images);
      } catch (error) {
        if (tries === 1 || isUnreached(error) || !isWished(id, order)) throw error;
        const now = orderOf((await look(id)).images);
        if (now.toSorted().join() === imageIds.toSorted().join()) throw error;
        return putInOrder(id, order, tries - 1);
      }
    }

    /** Sends the order, unless another is wished by now; of one that was overtaken while it was sent no failure is told. */
    async function sendOrder(id: string, order: readonly string[]): Promise<void> {
      if (!isWished(id, order)) return;
      try {
        const put = await putInOrder(id, order);
        await cache.cancelQueries({ queryKey: keyOf(id) });
        // What came or went while it was sent stays so.
        showImages(id, inOrder(known(id)?.images ?? NONE, put));
      } catch (error) {
        if (isWished(id, order)) throw error;
      } finally {
        unwish(id, order);
      }
    }

    return {
      client,
      touched: (id: string): void => freshen(cache, touchedBy(id)),
      /** The item as the server has it now. */
      look,
      async create(values: ItemValues, key: string): Promise<Item> {
        const item = took((await done("", client.createItem(createRequest(values), byKey(key)))).item);
        showNew(item);
        return item;
      },
      update: (id: string, values: ItemValues, before: ItemValues): Promise<Item> =>
        changeItem(id, client.updateItem(updateRequest(id, values, before)), (item) => isAsSent(item, values, before)),
      setStatus: (id: string, status: ItemStatus.LISTED | ItemStatus.UNLISTED): Promise<Item> =>
        changeItem(id, client.updateItem({ itemId: id, status }), (item) => item.status === status),
      async remove(id: string): Promise<void> {
        await done(
          id,
          orFound(removed(id), () => isGone(id)),
        );
        cache.removeQueries({ queryKey: keyOf(id) });
      },
      async confirmImage(id: string, key: string): Promise<void> {
        const { image } = await done(id, client.confirmImage({ itemId: id, key }));
        const item = known(id);
        if (image !== undefined && item !== undefined && !item.images.some((one) => one.imageId === image.imageId))
          showImages(id, [...item.images, image]);
      },
      async removeImage(id: string, imageId: string): Promise<void> {
        const isOut = (images: readonly ItemImage[]): boolean => images.every((one) => one.imageId !== imageId);
        await done(id, orFound<unknown>(client.deleteImage({ itemId: id, imageId }), imagesThat(id, isOut)));
        const images = known(id)?.images.filter((one) => one.imageId !== imageId);
        if (images !== undefined) showImages(id, images);
      },
      /** Nobody else can order them: it shows at once, and goes back where it could not be done. */
      async orderImages(id: string, images: readonly ItemImage[]): Promise<void> {
        const order = orderOf(images);
        wish(id, order);
        await ofOrders(id, () => done(id, sendOrder(id, order)));
      },
      changeBlackoutDays: (id: string, change: Change): Promise<void> =>
        ofDays(id, () => done(id, changeDays(id, change))),
    };
  }, [transport, cache]);
}

export type ItemsApi = ReturnType<typeof useItemsApi>;
