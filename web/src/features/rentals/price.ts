// What a rental costs once its last day is a later one.
import type { Currency } from "../../gen/later/goodturn/common/v1/currency_pb";
import { priceIn } from "../../ui/item";
import { words } from "./words";

export const thenText = (price: number, currency: Currency): string =>
  price === 0 ? words.staysFree : words.thenInAll(priceIn(price, currency));
