// The amounts of the payments in a rental's story, as far as the rental tells them.
import { type Rental, RentalEventKind } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { type MoneyKind, moneyWords } from "./storyWords";

export const isMoney = (kind: RentalEventKind): kind is MoneyKind => kind in moneyWords;

/** The events that are about the price and the gratitude. */
export const PRICE_EVENTS: ReadonlySet<RentalEventKind> = new Set([
  RentalEventKind.PAID,
  RentalEventKind.NOT_PAID,
  RentalEventKind.REFUNDED,
]);

/** For each event what was paid in all by then, or taken back; 0 means no payment, or not known. More days raise the price. */
export function paidIn({ story, totalPrice, gratitude, paid, deposit }: Rental): number[] {
  const extended = story.findLastIndex(({ kind }) => kind === RentalEventKind.EXTENDED);
  const last = story.findLastIndex(({ kind }) => PRICE_EVENTS.has(kind));
  let before = 0;
  return story.map(({ kind }, i) => {
    if (kind === RentalEventKind.PAID) {
      const known = i > extended ? totalPrice + gratitude : 0;
      before = i === last ? paid : known;
      return before;
    }
    if (!PRICE_EVENTS.has(kind)) return isMoney(kind) ? deposit : 0;
    const back = before;
    before = 0;
    return back;
  });
}
