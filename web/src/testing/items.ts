// A server with a few items of one owner, for the tests of what shows and changes them.
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { FriendsService } from "../gen/goodturn/friends/v1/friends_service_pb";
import {
  type Item,
  ItemAction,
  ItemCategory,
  ItemImageSchema,
  ItemOwnerSchema,
  ItemSchema,
  ItemsService,
  ItemStatus,
} from "../gen/later/goodturn/items/v1/items_service_pb";
import {
  type Rental,
  RentalsService,
  RentalStatus,
  StatusWord,
} from "../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { lost, refusal } from "./refusals";

const OWN = [ItemAction.EDIT, ItemAction.DELETE];
export const actionsOf = (status: ItemStatus): ItemAction[] => [
  ...OWN,
  status === ItemStatus.LISTED ? ItemAction.UNLIST : ItemAction.LIST,
];

export const anItem = (itemId: string, title: string, more: Partial<Omit<Item, "$typeName">> = {}): Item =>
  create(ItemSchema, {
    itemId,
    title,
    description: "It works.",
    category: ItemCategory.TOOLS,
    status: ItemStatus.LISTED,
    owner: create(ItemOwnerSchema, { uid: "ana", name: "Ana Ruiz", rating: 4.94, itemsShared: 11 }),
    isOwner: true,
    allowedActions: actionsOf(more.status ?? ItemStatus.LISTED),
    ...more,
  });

type Sent = { call: string; key: string; body: Record<string, unknown> };

/**
 * It keeps what it was sent. `fails` fails the next call of that name, or the next ones; what is `unanswered` is done, and its answer is lost, once; an
 * item is not told while it `waits`; `hold` has the next call of a name wait until what it returns is called.
 */
export function itemServer(items: Item[] = []) {
  const state = {
    items,
    sent: [] as Sent[],
    friends: [] as { uid: string; displayName: string }[],
    fails: {} as Partial<Record<string, ConnectError | ConnectError[]>>,
    unanswered: [] as string[],
    waits: false,
    taken: [] as string[],
    /** The days for which it is out. */
    out: [] as string[],
    available: true,
    estimate: { days: 3, subtotal: 15, deposit: 40, total: 55 },
    rentals: [] as Rental[],
    closed: [] as { startDate: string; endDate: string }[],
    /** What another device closes, just before the next changes arrive. */
    closedElsewhere: [] as { startDate: string; endDate: string }[],
    /** The keys of pictures that wait to be confirmed. */
    uploads: [] as string[],
  };
  let announced = 0;
  const made = new Map<string, { body: string; item: Item }>();

  function called(call: string, body: object, key = ""): void {
    state.sent.push({ call, key, body: body as Record<string, unknown> });
    const next = state.fails[call];
    const error = Array.isArray(next) ? next.shift() : next;
    if (!Array.isArray(next)) delete state.fails[call];
    if (error !== undefined) throw error;
  }

  const held: { call: string; end: Promise<void> }[] = [];

  function hold(call: string): () => void {
    const releases: (() => void)[] = [];
    held.push({ call, end: new Promise((resolve) => void releases.push(resolve)) });
    return () => releases.forEach((release) => release());
  }

  async function free(call: string): Promise<void> {
    const at = held.findIndex((next) => next.call === call);
    if (at >= 0) await held.splice(at, 1)[0]?.end;
  }

  function answered<T>(call: string, answer: T): T {
    const at = state.unanswered.indexOf(call);
    if (at < 0) return answer;
    state.unanswered.splice(at, 1);
    throw lost();
  }

  function one(id: string): Item {
    const item = state.items.find(({ itemId }) => itemId === id);
    if (item === undefined) throw refusal("NOT_FOUND", Code.NotFound);
    return item;
  }

  function become(item: Item): Item {
    state.items = state.items.map((other) => (other.itemId === item.itemId ? item : other));
    return item;
  }

  const version = (): string => state.closed.map(({ startDate, endDate }) => startDate + endDate).join();
  const counts = () => {
    const listed = state.items.filter(({ status }) => status === ItemStatus.LISTED).length;
    return { all: state.items.length, listed, unlisted: state.items.length - listed };
  };

  const routes = ({ service }: ConnectRouter): void => {
    service(FriendsService, { getActive: () => ({ friends: { list: state.friends }, groups: [] }) });
    service(ItemsService, {
      async createItem(request, { requestHeader }) {
        await free("createItem");
        const key = requestHeader.get("idempotency-key") ?? "";
        const { $typeName: _, ...body } = request;
        const known = made.get(key);
        if (known !== undefined && known.body !== JSON.stringify(body))
          throw refusal("IDEMPOTENCY_KEY_REUSED", Code.InvalidArgument);
        if (known === undefined) {
          const draft = { ...body, status: ItemStatus.DRAFT, allowedActions: actionsOf(ItemStatus.DRAFT) };
          const item = anItem(`i${made.size + 1}`, body.title, draft as Partial<Item>);
          made.set(key, { body: JSON.stringify(body), item });
          state.items = [...state.items, item];
        }
        // It may be made although its answer is lost.
        called("createItem", body, key);
        // By its key it is told again as it is, and one that was removed as it was.
        const { item } = made.get(key) ?? {};
        return { item: state.items.find(({ itemId }) => itemId === item?.itemId) ?? item };
      },
      updateItem(request) {
        const { $typeName: _, itemId, updateMask, ...body } = request;
        called("updateItem", { ...body, itemId, paths: updateMask?.paths });
        const set = Object.fromEntries(
          Object.entries(body).filter(([name, value]) => value !== undefined && name !== "groupIds"),
        );
        const status = request.status ?? one(itemId).status;
        const item = become({ ...one(itemId), ...set, status, allowedActions: actionsOf(status) } as Item);
        return answered("updateItem", { item });
      },
      deleteItem({ itemId }) {
        called("deleteItem", { itemId });
        one(itemId);
        state.items = state.items.filter((item) => item.itemId !== itemId);
        return answered("deleteItem", {});
      },
      async getItem({ itemId }) {
        called("getItem", { itemId });
        if (state.waits) await new Promise(() => undefined);
        return { item: one(itemId) };
      },
      listMyItems({ status }) {
        called("listMyItems", { status });
        const isListed = status === ItemStatus.LISTED;
        const shown = state.items.filter(
          (item) => status === ItemStatus.UNSPECIFIED || (item.status === ItemStatus.LISTED) === isListed,
        );
        return { items: shown, counts: counts() };
      },
      browseFeed({ query, category, ownerId }) {
        called("browseFeed", { query, category, ownerId });
        const shown = state.items.filter(
          (item) =>
            item.title.toLowerCase().includes(query.toLowerCase()) &&
            (ownerId === "" || item.owner?.uid === ownerId) &&
            (category === ItemCategory.UNSPECIFIED || item.category === category),
        );
        return { items: shown };
      },
      async presignImage({ itemId, contentType, fileSize }) {
        await free("presignImage");
        called("presignImage", { itemId, contentType, fileSize });
        announced += 1;
        const imageId = `${one(itemId).itemId}-p${announced}`;
        state.uploads.push(imageId);
        return { uploadUrl: "https://pictures.example/put", key: imageId, imageId };
      },
      async confirmImage({ itemId, key }) {
        await free("confirmImage");
        const image = create(ItemImageSchema, { imageId: key, url: `https://pictures.example/${key}` });
        const { images } = one(itemId);
        const [isTaken, isAwaited] = [images.some(({ imageId }) => imageId === key), state.uploads.includes(key)];
        if (!isTaken && isAwaited) become({ ...one(itemId), images: [...images, image] });
        // It may be taken although its answer is lost.
        called("confirmImage", { itemId, key });
        if (!isTaken && !isAwaited) throw refusal("NOT_FOUND", Code.NotFound);
        return { image };
      },
      deleteImage({ itemId, imageId }) {
        called("deleteImage", { itemId, imageId });
        become({ ...one(itemId), images: one(itemId).images.filter((image) => image.imageId !== imageId) });
        return answered("deleteImage", {});
      },
      async orderImages({ itemId, imageIds }) {
        await free("orderImages");
        called("orderImages", { itemId, imageIds });
        const { images } = one(itemId);
        const [sent, there] = [imageIds, images.map(({ imageId }) => imageId)].map((ids) => ids.toSorted().join());
        if (sent !== there) throw refusal("INVALID_ARGUMENT", Code.InvalidArgument);
        const next = imageIds.flatMap((id) => images.filter(({ imageId }) => imageId === id));
        become({ ...one(itemId), images: next });
        return answered("orderImages", { images: next });
      },
      listBlackoutDays({ itemId }) {
        called("listBlackoutDays", { itemId });
        return { ranges: state.closed, etag: version() };
      },
      async setBlackoutDays({ itemId, ranges, etag }) {
        await free("setBlackoutDays");
        called("setBlackoutDays", { itemId, ranges, etag });
        state.closed.push(...state.closedElsewhere.splice(0, 1));
        if (etag !== version()) throw refusal("CONFLICT", Code.Aborted);
        state.closed = ranges.map(({ startDate, endDate }) => ({ startDate, endDate }));
        return answered("setBlackoutDays", { ranges: state.closed, etag: version() });
      },
    });
    service(RentalsService, {
      checkAvailability({ startDate, endDate }) {
        called("checkAvailability", { startDate, endDate });
        if (startDate === "")
          return { available: true, bookedDates: state.taken, borrowedDates: state.out, today: "2026-11-23" };
        return { available: state.available, estimate: state.estimate };
      },
      getItemStats({ itemId }) {
        called("getItemStats", { itemId });
        return { totalRentals: 3, totalEarned: 45, daysRented: 12, activeRequests: 1 };
      },
      listItemRentals({ itemId, status }) {
        called("listItemRentals", { itemId, status });
        const names = new Set(status.map((word) => StatusWord[word]));
        return { rentals: state.rentals.filter(({ rentalStatus }) => names.has(RentalStatus[rentalStatus])) };
      },
    });
  };
  const callsOf = (call: string): Sent[] => state.sent.filter((sent) => sent.call === call);
  return { state, routes, callsOf, hold };
}
