// What is done with items, and what each answer changes in the cache.
import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  type DayRange,
  GetItemResponseSchema,
  type Item,
  type ItemCounts,
  ItemCountsSchema,
  type ItemImage,
  ItemsService,
  ItemStatus,
  ListBlackoutDaysResponseSchema,
  type ListMyItemsResponse,
} from "../../gen/later/goodturn/items/v1/items_service_pb";
import { RentalsService } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { askedBy, freshen, type IsStale, ofService } from "../../lib/freshen";
import { byKey } from "../../lib/keys";
import { createRequest, type ItemValues, updateRequest } from "./form";
import { isOfItems } from "./queries";

const { method } = ItemsService;
const isOfRentals = ofService(RentalsService);

/** The server answered, and told nothing. */
export class NoAnswer extends Error {}

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

    /** Whether it went well or not: what failed may have been done all the same. */
    async function done<T>(id: string, deed: Promise<T>): Promise<T> {
      try {
        return await deed;
      } finally {
        freshen(cache, touchedBy(id));
      }
    }

    return {
      client,
      touched: (id: string): void => freshen(cache, touchedBy(id)),
      /** The item as the server has it now. */
      look: async (id: string): Promise<Item> => took((await client.getItem({ itemId: id })).item),
      async create(values: ItemValues, key: string): Promise<Item> {
        const item = took((await done("", client.createItem(createRequest(values), byKey(key)))).item);
        showNew(item);
        return item;
      },
      update: async (id: string, values: ItemValues, before: ItemValues): Promise<Item> =>
        took((await done(id, client.updateItem(updateRequest(id, values, before)))).item),
      setStatus: async (id: string, status: ItemStatus.LISTED | ItemStatus.UNLISTED): Promise<Item> =>
        took((await done(id, client.updateItem({ itemId: id, status }))).item),
      async remove(id: string): Promise<void> {
        await done(id, client.deleteItem({ itemId: id }));
        cache.removeQueries({ queryKey: keyOf(id) });
      },
      async confirmImage(id: string, key: string): Promise<void> {
        const { image } = await done(id, client.confirmImage({ itemId: id, key }));
        const item = known(id);
        if (image !== undefined && item !== undefined && !item.images.some((one) => one.imageId === image.imageId))
          showImages(id, [...item.images, image]);
      },
      async removeImage(id: string, imageId: string): Promise<void> {
        await done(id, client.deleteImage({ itemId: id, imageId }));
        const images = known(id)?.images.filter((one) => one.imageId !== imageId);
        if (images !== undefined) showImages(id, images);
      },
      /** Nobody else can order them: it shows at once, and goes back where it could not be done. */
      async orderImages(id: string, images: readonly ItemImage[]): Promise<void> {
        const before = known(id)?.images;
        await cache.cancelQueries({ queryKey: keyOf(id) });
        showImages(id, [...images]);
        try {
          const imageIds = images.map(({ imageId }) => imageId);
          showImages(id, (await done(id, client.orderImages({ itemId: id, imageIds }))).images);
        } catch (error) {
          if (before !== undefined) showImages(id, before);
          throw error;
        }
      },
      async setBlackoutDays(id: string, ranges: readonly Pick<DayRange, "startDate" | "endDate">[]): Promise<void> {
        const answer = await done(id, client.setBlackoutDays({ itemId: id, ranges: [...ranges] }));
        cache.setQueryData(daysOf(id), create(ListBlackoutDaysResponseSchema, { ranges: answer.ranges }));
      },
    };
  }, [transport, cache]);
}

export type ItemsApi = ReturnType<typeof useItemsApi>;
