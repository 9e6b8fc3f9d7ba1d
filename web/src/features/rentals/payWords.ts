// The texts of a rental's payments.
import { RentalAction } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { spoken } from "../../lib/tongue";
import type { ActionWords } from "./words";

/** The ways to pay. `mark` says how to record the payment afterwards. */
const ways = (mark: string) => ({
  byHand: {
    venmo: (username: string, amount: string) => `Open Venmo, find @${username} and pay ${amount}. Then ${mark}.`,
    paypal: (username: string, amount: string) => `Go to paypal.me/${username} and pay ${amount}. Then ${mark}.`,
  },
  otherWay: (name: string) => `${name} hasn't set up Venmo or PayPal. Pay in cash or another way, then ${mark}.`,
});

export const payWords = spoken({
  heading: "Payment",
  ways: "Ways to pay",
  pay: (name: string, item: string) => `Pay ${name} for ${item}`,
  payDeposit: (name: string, item: string) => `Pay ${name} the deposit for ${item}`,
  parts: (price: string, deposit: string) => `${price} price + ${deposit} deposit`,
  partsWithGratitude: (price: string, deposit: string) => `${price} price and gratitude + ${deposit} deposit`,
  outside: "You settle this between yourselves. Goodturn never holds your money.",
  price: "Price",
  priceAndGratitude: "Price and gratitude",
  due: (amount: string) => `${amount} due`,
  paid: (amount: string) => `Paid ${amount}`,
  paidInPart: (paid: string, due: string) => `Paid ${paid}, ${due} still due`,
  paidAndCancelled: (paid: string) =>
    `Paid ${paid}. The rental was cancelled, so please agree on whether to refund it.`,
  paidAndCancelledLate: (paid: string) =>
    `Paid ${paid}. The rental was cancelled after free cancellation ended, so please agree on whether to refund it.`,
  settled: "Payment settled",
  notPaid: "Not paid",
  deposit: (amount: string) => `Deposit of ${amount}`,
  notReceived: "Not received yet",
  received: (when: string) => `Received on ${when}`,
  paidOn: (when: string) => `Paid on ${when}`,
  markedPaid: (name: string, when: string) => `${name} marked it as paid on ${when}`,
  returned: (when: string) => `Returned on ${when}`,
  markedReturned: (name: string, when: string) => `${name} marked it as returned on ${when}`,
  // Under the side that left.
  leftOpen: {
    owner: {
      price: (state: string) => `${state}. Not settled before the owner left Goodturn.`,
      deposit: (state: string) => `${state}. Not returned before the owner left Goodturn.`,
    },
    borrower: {
      price: (state: string) => `${state}. Not settled before the borrower left Goodturn.`,
      deposit: (state: string) => `${state}. Not returned before the borrower left Goodturn.`,
    },
  },
  hints: {
    payDeposit: "Deposit not received",
    returnDeposit: "Deposit to return",
    refund: "Payment to settle",
  },
  askedOf: (name: string, amount: string, text: string) => `${name}, ${amount}. ${text}`,
  otherCurrency: (currency: string) => `Venmo only pays in US dollars, and this rental is priced in ${currency}.`,
  // The owner may rightly keep the price, so the panel does not claim that it is owed.
  refund: (name: string, item: string) => `To refund ${name} for ${item}`,
  payBackDeposit: (name: string, item: string) => `Return ${name}'s deposit for ${item}`,
  one: ways("mark it as paid"),
  both: ways("mark both as paid"),
  depositBack: ways("mark the deposit as returned"),
  paymentBack: ways("mark the payment as settled"),
});

/** The actions that record a payment. */
export type PaymentAction =
  | typeof RentalAction.MARK_PAID
  | typeof RentalAction.UNMARK_PAID
  | typeof RentalAction.REFUND
  | typeof RentalAction.RECEIVE_DEPOSIT
  | typeof RentalAction.UNMARK_DEPOSIT_RECEIVED
  | typeof RentalAction.RETURN_DEPOSIT
  | typeof RentalAction.UNMARK_DEPOSIT_RETURNED;

const failed = (what: string): string => `Failed to ${what}. Please try again.`;

/** A settled payment for a cancelled rental is open again. */
const notSettled = (whom: string): ActionWords => ({
  label: "It isn't settled",
  title: "Payment not settled?",
  text: `We'll let the ${whom} know that the payment isn't settled yet.`,
  yes: "Mark as not settled",
  done: `Payment marked as not settled. We let the ${whom} know.`,
  failed: failed("mark payment as not settled"),
});

export const openAgainWords = spoken<{ owner: ActionWords; borrower: ActionWords }>({
  borrower: notSettled("owner"),
  owner: notSettled("borrower"),
});

const settled = (whom: string): ActionWords => ({
  label: "Mark payment as settled",
  title: "Did you settle the payment with each other?",
  text: `We'll let the ${whom} know that it's settled. You can correct this later.`,
  yes: "Mark as settled",
  done: `Payment marked as settled. We let the ${whom} know.`,
  failed: failed("mark payment as settled"),
});

/** Either side can record each payment, so each has two sets of texts. */
export const paymentWords = spoken<Record<PaymentAction, { owner: ActionWords; borrower: ActionWords }>>({
  [RentalAction.MARK_PAID]: {
    borrower: {
      label: "Mark as paid",
      title: "Did you pay?",
      text: "We'll let the owner know that you paid. You can correct this later.",
      yes: "Mark as paid",
      done: "Marked as paid. We let the owner know.",
      failed: failed("mark as paid"),
    },
    owner: {
      label: "Mark payment as received",
      title: "Did you get paid?",
      text: "We'll let the borrower know that you got the money. You can correct this later.",
      yes: "Mark as received",
      done: "Payment marked as received. We let the borrower know.",
      failed: failed("mark payment as received"),
    },
  },
  [RentalAction.UNMARK_PAID]: {
    borrower: {
      label: "I haven't paid yet",
      title: "Not paid yet?",
      text: "We'll let the owner know that you haven't paid yet.",
      yes: "Mark as not paid",
      done: "Marked as not paid. We let the owner know.",
      failed: failed("mark as not paid"),
    },
    owner: {
      label: "It didn't arrive",
      title: "Payment didn't arrive?",
      text: "We'll let the borrower know that you didn't get the money.",
      yes: "Mark as not received",
      done: "Payment marked as not received. We let the borrower know.",
      failed: failed("mark payment as not received"),
    },
  },
  [RentalAction.REFUND]: { borrower: settled("owner"), owner: settled("borrower") },
  [RentalAction.RECEIVE_DEPOSIT]: {
    borrower: {
      label: "Mark deposit as paid",
      title: "Did you pay the deposit?",
      text: "We'll let the owner know that you paid it. You can correct this later.",
      yes: "Mark as paid",
      done: "Deposit marked as paid. We let the owner know.",
      failed: failed("mark deposit as paid"),
    },
    owner: {
      label: "Mark deposit as received",
      title: "Did you get the deposit?",
      text: "We'll let the borrower know that you have it. You can correct this later.",
      yes: "Mark as received",
      done: "Deposit marked as received. We let the borrower know.",
      failed: failed("mark deposit as received"),
    },
  },
  [RentalAction.UNMARK_DEPOSIT_RECEIVED]: {
    borrower: {
      label: "I haven't paid it yet",
      title: "Deposit not paid yet?",
      text: "We'll let the owner know that you haven't paid it yet.",
      yes: "Mark as not paid",
      done: "Deposit marked as not paid. We let the owner know.",
      failed: failed("mark deposit as not paid"),
    },
    owner: {
      label: "I don't have it",
      title: "Don't have the deposit?",
      text: "We'll let the borrower know that you don't have it.",
      yes: "Mark as not received",
      done: "Deposit marked as not received. We let the borrower know.",
      failed: failed("mark deposit as not received"),
    },
  },
  [RentalAction.RETURN_DEPOSIT]: {
    borrower: {
      label: "Mark deposit as returned",
      title: "Did you get the deposit back?",
      text: "We'll let the owner know that you have it. You can correct this later.",
      yes: "Mark as returned",
      done: "Deposit marked as returned. We let the owner know.",
      failed: failed("mark deposit as returned"),
    },
    owner: {
      label: "Mark deposit as returned",
      title: "Did you return the deposit?",
      text: "We'll let the borrower know that you returned it. You can correct this later.",
      yes: "Mark as returned",
      done: "Deposit marked as returned. We let the borrower know.",
      failed: failed("mark deposit as returned"),
    },
  },
  [RentalAction.UNMARK_DEPOSIT_RETURNED]: {
    borrower: {
      label: "I didn't get it back",
      title: "Didn't get the deposit back?",
      text: "We'll let the owner know that you don't have it back.",
      yes: "Mark as not returned",
      done: "Deposit marked as not returned. We let the owner know.",
      failed: failed("mark deposit as not returned"),
    },
    owner: {
      label: "I still have it",
      title: "Still have the deposit?",
      text: "We'll let the borrower know that you still have it.",
      yes: "Mark as not returned",
      done: "Deposit marked as not returned. We let the borrower know.",
      failed: failed("mark deposit as not returned"),
    },
  },
});
