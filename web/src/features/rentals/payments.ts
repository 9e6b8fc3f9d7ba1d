// The payments of a rental. The two sides pay each other; Goodturn only records it.
import {
  type Rental,
  RentalAction,
  type RentalEvent,
  RentalEventKind,
  RentalPayment,
  RentalStatus,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import type { PaymentAction } from "./payWords";

/** The payment that each action records. */
export const PAYMENTS: Record<PaymentAction, Exclude<RentalPayment, RentalPayment.UNSPECIFIED>> = {
  [RentalAction.MARK_PAID]: RentalPayment.PRICE_PAID,
  [RentalAction.UNMARK_PAID]: RentalPayment.PRICE_NOT_PAID,
  [RentalAction.REFUND]: RentalPayment.PRICE_REFUNDED,
  [RentalAction.RECEIVE_DEPOSIT]: RentalPayment.DEPOSIT_RECEIVED,
  [RentalAction.UNMARK_DEPOSIT_RECEIVED]: RentalPayment.DEPOSIT_NOT_RECEIVED,
  [RentalAction.RETURN_DEPOSIT]: RentalPayment.DEPOSIT_RETURNED,
  [RentalAction.UNMARK_DEPOSIT_RETURNED]: RentalPayment.DEPOSIT_NOT_RETURNED,
};

export const isPayment = (action: RentalAction): action is PaymentAction => action in PAYMENTS;

/** The steps of a story that are about the price and the gratitude. */
const PRICE_STEPS: ReadonlySet<RentalEventKind> = new Set([
  RentalEventKind.PAID,
  RentalEventKind.NOT_PAID,
  RentalEventKind.REFUNDED,
]);

export const lastPriceStep = ({ story }: Rental): RentalEvent | undefined =>
  story.findLast(({ kind }) => PRICE_STEPS.has(kind));

/** The last payment that was not taken back, which is the one that a correction takes back. 0 means that it is not known. */
function lastPayment({ story }: Rental): number {
  const open: number[] = [];
  for (const { kind, amount } of story) {
    if (kind === RentalEventKind.PAID) open.push(amount);
    if (kind === RentalEventKind.NOT_PAID) open.pop();
    if (kind === RentalEventKind.REFUNDED) open.length = 0;
  }
  return open.at(-1) ?? 0;
}

/** The amount that the action is about, in the rental's currency; 0 means none, or not known. */
export function amountFor(rental: Rental, action: PaymentAction): number {
  const { due, paid, deposit } = rental;
  switch (action) {
    case RentalAction.MARK_PAID:
      return due;
    case RentalAction.UNMARK_PAID:
      return lastPayment(rental);
    case RentalAction.REFUND:
      return paid;
    case RentalAction.RECEIVE_DEPOSIT:
    case RentalAction.UNMARK_DEPOSIT_RECEIVED:
    case RentalAction.RETURN_DEPOSIT:
    case RentalAction.UNMARK_DEPOSIT_RETURNED:
      return deposit;
    default:
      return action satisfies never;
  }
}

/** Whether either side recorded the payment since `before`. */
export function isNoted(action: PaymentAction, before: Rental, now: Rental): boolean {
  switch (action) {
    case RentalAction.MARK_PAID:
      return now.paid > before.paid;
    case RentalAction.UNMARK_PAID:
      return now.paid < before.paid;
    case RentalAction.REFUND:
      return !now.allowedActions.includes(action);
    case RentalAction.RECEIVE_DEPOSIT:
      return now.depositReceivedAt !== undefined;
    case RentalAction.UNMARK_DEPOSIT_RECEIVED:
      return now.depositReceivedAt === undefined;
    case RentalAction.RETURN_DEPOSIT:
      return now.depositReturnedAt !== undefined;
    case RentalAction.UNMARK_DEPOSIT_RETURNED:
      return now.depositReturnedAt === undefined;
    default:
      return action satisfies never;
  }
}

/** Once the item is back, a deposit that was never paid is not asked for any more. */
const AWAITS_DEPOSIT: ReadonlySet<RentalStatus> = new Set([RentalStatus.ACCEPTED, RentalStatus.ACTIVE]);

/** The deposit that the borrower has still to pay; 0 means none. */
export const depositDue = ({ deposit, depositReceivedAt, rentalStatus }: Rental): number =>
  depositReceivedAt === undefined && AWAITS_DEPOSIT.has(rentalStatus) ? deposit : 0;

/** Whether the owner has the borrower's deposit. */
export const isDepositHeld = ({ deposit, depositReceivedAt, depositReturnedAt }: Rental): boolean =>
  deposit > 0 && depositReceivedAt !== undefined && depositReturnedAt === undefined;

export type OpenPayment = "refund" | "pay" | "payDeposit" | "returnDeposit";

/** The open payments of a rental, the most important first. */
export function openPaymentsOf(rental: Rental): OpenPayment[] {
  const may = (action: RentalAction): boolean => rental.allowedActions.includes(action);
  const isOpen: Record<OpenPayment, boolean> = {
    refund: may(RentalAction.REFUND),
    pay: rental.due > 0,
    payDeposit: depositDue(rental) > 0,
    returnDeposit: may(RentalAction.RETURN_DEPOSIT),
  };
  return (["refund", "pay", "payDeposit", "returnDeposit"] as const).filter((one) => isOpen[one]);
}
