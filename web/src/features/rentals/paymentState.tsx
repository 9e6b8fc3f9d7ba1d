// The state of a rental's price and deposit in a few words, as one side reads it.
import type { ReactNode } from "react";
import type { CancellationPolicy } from "../../gen/later/goodturn/items/v1/items_service_pb";
import {
  type Rental,
  RentalAction,
  RentalEventKind,
  RentalStatus,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { dayHere, dayText } from "../../lib/days";
import { firstName } from "../../lib/names";
import { toDate } from "../../lib/times";
import { filled } from "../../ui/filled";
import { priceIn } from "../../ui/item";
import { Words } from "../../ui/Words";
import { nameOf, partnerOf } from "./look";
import { isDepositHeld, lastPriceStep } from "./payments";
import { payWords } from "./payWords";
import { isFreeToCancel } from "./policy";
import { allows, isOwner } from "./steps";

/** What is said of money that was still open when the other side left; undefined if they are still a member. */
function leftOpen(rental: Rental, me: string) {
  if ((partnerOf(rental, me)?.uid ?? "") !== "") return undefined;
  return payWords.leftOpen[isOwner(rental, me) ? "borrower" : "owner"];
}

/** Empty if a cancelled rental was never paid. Its story alone tells whether a payment was settled. */
function cancelledPriceState(rental: Rental): string {
  const last = lastPriceStep(rental);
  if (last === undefined) return "";
  return last.kind === RentalEventKind.REFUNDED ? payWords.settled : payWords.notPaid;
}

/** Whether it was cancelled after the item's free time had passed. */
function wasLate({ story, startDate }: Rental, policy: CancellationPolicy): boolean {
  const at = toDate(story.findLast(({ kind }) => kind === RentalEventKind.CANCELLED)?.at);
  return at !== undefined && !isFreeToCancel(policy, dayHere(at), startDate);
}

/** Empty if nothing is due and nothing was paid. */
export function priceState(rental: Rental, me: string, policy: CancellationPolicy): string {
  const { paid, due, currency, rentalStatus } = rental;
  const amount = priceIn(paid, currency);
  if (allows(rental, RentalAction.REFUND))
    return payWords[wasLate(rental, policy) ? "paidAndCancelledLate" : "paidAndCancelled"](amount);
  if (rentalStatus === RentalStatus.CANCELLED) {
    if (paid === 0) return cancelledPriceState(rental);
    const state = payWords.paid(amount);
    return leftOpen(rental, me)?.price(state) ?? state;
  }
  if (paid > 0 && due > 0) return payWords.paidInPart(amount, priceIn(due, currency));
  if (due > 0) return payWords.due(priceIn(due, currency));
  return paid > 0 ? payWords.paid(amount) : "";
}

/** The states in which a deposit can still be received. */
const GOES_ON: ReadonlySet<RentalStatus> = new Set([RentalStatus.ACCEPTED, RentalStatus.ACTIVE, RentalStatus.RETURNED]);

/** The end of a rental with a deposit, after which its sides can part. */
const isOver = ({ rentalStatus }: Rental): boolean =>
  rentalStatus === RentalStatus.COMPLETED || rentalStatus === RentalStatus.CANCELLED;

type Marked = RentalEventKind.DEPOSIT_RECEIVED | RentalEventKind.DEPOSIT_RETURNED;

/** Either side can mark a deposit. Whoever was to get it reads that the other side did. */
function markedBy(rental: Rental, me: string, kind: Marked): ReactNode | undefined {
  const last = rental.story.findLast((event) => event.kind === kind);
  const isReceiver = isOwner(rental, me) === (kind === RentalEventKind.DEPOSIT_RECEIVED);
  if (last === undefined || last.actorId === me || !isReceiver) return undefined;
  return <Words>{firstName(nameOf(partnerOf(rental, me)))}</Words>;
}

function receivedState(rental: Rental, me: string, when: string): ReactNode {
  if (!isOwner(rental, me)) return payWords.paidOn(when);
  const other = markedBy(rental, me, RentalEventKind.DEPOSIT_RECEIVED);
  return other === undefined ? payWords.received(when) : filled((name) => payWords.markedPaid(name, when), other);
}

function returnedState(rental: Rental, me: string, when: string): ReactNode {
  const other = markedBy(rental, me, RentalEventKind.DEPOSIT_RETURNED);
  return other === undefined ? payWords.returned(when) : filled((name) => payWords.markedReturned(name, when), other);
}

/** Empty if there is no deposit, or none was received and none is expected any more. */
export function depositState(rental: Rental, me: string, now: Date): ReactNode {
  const { deposit, depositReceivedAt, depositReturnedAt, rentalStatus } = rental;
  const on = (at: Date): string => dayText(dayHere(at), dayHere(now));
  const [received, returned] = [toDate(depositReceivedAt), toDate(depositReturnedAt)];
  if (returned !== undefined) return returnedState(rental, me, on(returned));
  if (received !== undefined) {
    const state = receivedState(rental, me, on(received));
    const left = isOver(rental) && isDepositHeld(rental) ? leftOpen(rental, me) : undefined;
    return left === undefined ? state : filled(left.deposit, state);
  }
  const isExpected = GOES_ON.has(rentalStatus) || allows(rental, RentalAction.RECEIVE_DEPOSIT);
  return deposit > 0 && isExpected ? payWords.notReceived : "";
}
