// The texts of a rental's payments.
import { RentalAction } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { spoken } from "../../lib/tongue";
import type { ActionWords } from "./words";

export const payWords = spoken({
  heading: "Payment",
  ways: "Ways to pay",
  pay: (name: string, item: string) => `Pay ${name} for ${item}`,
  outside: "You settle this between the two of you. Goodturn never holds your money.",
  price: "Price",
  priceAndGratitude: "Price and gratitude",
  due: (amount: string) => `${amount} due`,
  paid: (amount: string) => `Paid ${amount}`,
  paidInPart: (paid: string, due: string) => `Paid ${paid}, ${due} still due`,
  deposit: (amount: string) => `Deposit of ${amount}`,
  notReceived: "Not received yet",
  received: (when: string) => `Received on ${when}`,
  returned: (when: string) => `Returned on ${when}`,
  askedOf: (name: string, amount: string, text: string) => `${name}, ${amount}. ${text}`,
  otherCurrency: (currency: string) => `Venmo only pays in US dollars, and this price is in ${currency}.`,
  byHand: {
    venmo: (username: string, amount: string) =>
      `Open Venmo, find @${username} and pay ${amount}. Then mark it as paid.`,
    paypal: (username: string, amount: string) =>
      `Go to paypal.me/${username} and pay ${amount}. Then mark it as paid.`,
  },
});

export type PaymentAction =
  | typeof RentalAction.MARK_PAID
  | typeof RentalAction.RECEIVE_DEPOSIT
  | typeof RentalAction.RETURN_DEPOSIT;

const failed = (what: string): string => `Failed to ${what}. Please try again.`;

/** Either side can record each payment, so each has two sets of texts. */
export const paymentWords = spoken<Record<PaymentAction, { owner: ActionWords; borrower: ActionWords }>>({
  [RentalAction.MARK_PAID]: {
    borrower: {
      label: "Mark as paid",
      title: "Did you pay?",
      text: "We'll let the owner know that you paid. This cannot be undone.",
      yes: "Mark as paid",
      done: "Marked as paid. We let the owner know.",
      failed: failed("mark as paid"),
    },
    owner: {
      label: "Mark payment as received",
      title: "Did you get paid?",
      text: "We'll let the borrower know that you got the money. This cannot be undone.",
      yes: "Mark as received",
      done: "Payment marked as received. We let the borrower know.",
      failed: failed("mark payment as received"),
    },
  },
  [RentalAction.RECEIVE_DEPOSIT]: {
    borrower: {
      label: "Mark deposit as paid",
      title: "Did you pay the deposit?",
      text: "We'll let the owner know that you paid it. This cannot be undone.",
      yes: "Mark as paid",
      done: "Deposit marked as paid. We let the owner know.",
      failed: failed("mark deposit as paid"),
    },
    owner: {
      label: "Mark deposit as received",
      title: "Did you get the deposit?",
      text: "We'll let the borrower know that you have it. This cannot be undone.",
      yes: "Mark as received",
      done: "Deposit marked as received. We let the borrower know.",
      failed: failed("mark deposit as received"),
    },
  },
  [RentalAction.RETURN_DEPOSIT]: {
    borrower: {
      label: "Mark deposit as returned",
      title: "Did you get the deposit back?",
      text: "We'll let the owner know that you have it. This cannot be undone.",
      yes: "Mark as returned",
      done: "Deposit marked as returned. We let the owner know.",
      failed: failed("mark deposit as returned"),
    },
    owner: {
      label: "Mark deposit as returned",
      title: "Did you return the deposit?",
      text: "We'll let the borrower know that you returned it. This cannot be undone.",
      yes: "Mark as returned",
      done: "Deposit marked as returned. We let the borrower know.",
      failed: failed("mark deposit as returned"),
    },
  },
});
