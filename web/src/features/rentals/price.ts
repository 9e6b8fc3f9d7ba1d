// The cost of a rental with more days. Like the total on cards and details it has no gratitude.
import type { Rental } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { priceIn } from "../../ui/item";
import { words } from "./words";

/** `price` is that of all days then. */
export function thenText(rental: Rental, price: number): string {
  const { currency, totalPrice } = rental;
  if (price === 0) return words.staysFree;
  return words.thenInAll(priceIn(price, currency), priceIn(price - totalPrice, currency));
}
