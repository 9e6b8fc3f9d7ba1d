// The order that is wished for the pictures of an item: it shows at once, and until the server has it, whatever is read of the item meanwhile.
import { useSyncExternalStore } from "react";
import type { ItemImage } from "../../gen/later/goodturn/items/v1/items_service_pb";

type Order = readonly string[];

const wishes = new Map<string, Order>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Another one before it is overtaken. */
export function wish(item: string, order: Order): void {
  wishes.set(item, order);
  tell();
}

/** It is done, or cannot be. */
export function unwish(item: string, order: Order): void {
  if (!isWished(item, order)) return;
  wishes.delete(item);
  tell();
}

export const isWished = (item: string, order: Order): boolean => wishes.get(item) === order;

export const orderOf = (images: readonly ItemImage[]): Order => images.map(({ imageId }) => imageId);

/** The pictures that there are, in this order; what is new since comes last. */
export function inOrder(images: readonly ItemImage[], order: Order): ItemImage[] {
  const placeOf = ({ imageId }: ItemImage): number => (order.includes(imageId) ? order.indexOf(imageId) : order.length);
  return images.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The pictures as they are wished. */
export function useInOrder(item: string, images: readonly ItemImage[]): readonly ItemImage[] {
  const order = useSyncExternalStore(subscribe, () => wishes.get(item));
  return order === undefined ? images : inOrder(images, order);
}
