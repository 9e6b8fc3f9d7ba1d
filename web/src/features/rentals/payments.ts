// The payments of a rental. The two sides pay each other; Goodturn only records it.
import { type Rental, RentalAction, RentalPayment } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import type { PaymentAction } from "./payWords";

/** The payment that each action records. */
export const PAYMENTS: Record<PaymentAction, Exclude<RentalPayment, RentalPayment.UNSPECIFIED>> = {
  [RentalAction.MARK_PAID]: RentalPayment.PRICE_PAID,
  [RentalAction.RECEIVE_DEPOSIT]: RentalPayment.DEPOSIT_RECEIVED,
  [RentalAction.RETURN_DEPOSIT]: RentalPayment.DEPOSIT_RETURNED,
};

export const isPayment = (action: RentalAction): action is PaymentAction => action in PAYMENTS;

/** The amount that the action records, in the rental's currency. */
export const amountFor = ({ due, deposit }: Rental, action: PaymentAction): number =>
  action === RentalAction.MARK_PAID ? due : deposit;

/** Whether either side recorded the payment since `before`. */
export function isNoted(action: PaymentAction, before: Rental, now: Rental): boolean {
  switch (action) {
    case RentalAction.MARK_PAID:
      return now.paid > before.paid;
    case RentalAction.RECEIVE_DEPOSIT:
      return now.depositReceivedAt !== undefined;
    case RentalAction.RETURN_DEPOSIT:
      return now.depositReturnedAt !== undefined;
    default:
      return action satisfies never;
  }
}
