// Every text of the rentals, as documented: lists, cards, one rental and what is done with it. Those of asking to borrow: borrowWords.ts; of the
// story: storyWords.ts; of payments: payWords.ts.
import { RentalAction, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { plural, spoken } from "../../lib/tongue";
import type { PaymentAction } from "./payWords";

export const statusWords = spoken<Record<RentalStatus, string>>({
  [RentalStatus.UNSPECIFIED]: "Unknown",
  [RentalStatus.PENDING]: "Pending",
  [RentalStatus.ACCEPTED]: "Accepted",
  [RentalStatus.DECLINED]: "Declined",
  [RentalStatus.CANCELLED]: "Cancelled",
  [RentalStatus.ACTIVE]: "Active",
  [RentalStatus.RETURNED]: "Returned",
  [RentalStatus.COMPLETED]: "Completed",
});

export const words = spoken({
  title: "Rental Details",
  back: "Back",
  loading: "Loading rentals...",
  loadingRental: "Loading rental...",
  formerMember: "Former member",
  untitled: "Untitled item",
  // The requests.
  whichSide: "Which requests",
  incoming: (count: number) => plural(count, (n) => ({ other: `Incoming (${n})` })),
  sent: (count: number) => plural(count, (n) => ({ other: `Sent (${n})` })),
  sides: { received: "Incoming", sent: "Sent" },
  whichStatus: "Which status",
  filters: { all: "All", pending: "Pending", accepted: "Accepted", declined: "Declined" },
  filterCount: (filter: string, count: number) => plural(count, (n) => ({ other: `${filter} ${n}` })),
  receivedFailed: "Failed to load received requests",
  sentFailed: "Failed to load sent requests",
  tooOften: "Too many attempts in a short time. Please wait a moment and try again.",
  noReceived: {
    all: "No received requests",
    pending: "No pending received requests",
    accepted: "No accepted received requests",
    declined: "No declined received requests",
  },
  noSent: {
    all: "No sent requests",
    pending: "No pending sent requests",
    accepted: "No accepted sent requests",
    declined: "No declined sent requests",
  },
  noReceivedText: "When someone asks to borrow from you, you'll see it here.",
  noSentText: "Items you ask to borrow show up here.",
  listItem: "List an item",
  browse: "Browse items",
  showAll: "Show all requests",
  requested: "Requested",
  dates: "Dates",
  total: "Total",
  deposit: "Deposit",
  withDeposit: (deposit: string) => `+ ${deposit} deposit`,
  withGratitude: (gratitude: string) => `+ ${gratitude} gratitude`,
  daysOf: (range: string, days: number) =>
    plural(days, (n) => ({ one: `${range} · ${n} day`, other: `${range} · ${n} days` })),
  days: (count: number) => plural(count, (n) => ({ one: `${n} day`, other: `${n} days` })),
  noOtherDays:
    "This item is no longer shared with you, so you can't choose different dates. Your rental stays as agreed.",
  sendingAgain: "Sending again...",
  daysTaken: "Some of these dates are no longer available.",
  daysTakenTitle: "Dates Not Available",
  past: "The dates passed without a response. This request will close on its own soon.",
  heldOver: "Someone else still has this item, and it's overdue. The handover may be late.",
  unnotedTitle: "Not marked as handed over",
  unnoted: (day: string) =>
    `If it changed hands, mark it as handed over. If not, cancel the rental. If you do neither, it ends on its own after ${day}.`,
  waiting: "Waiting for owner to confirm return",
  coordinate: "Accepted! Arrange when and where to meet.",
  coordinateBy: (email: string) => `Accepted! Email ${email} to arrange when and where to meet.`,
  // What is out.
  whichRentals: "Which rentals",
  renting: (count: number) => plural(count, (n) => ({ other: `Renting (${n})` })),
  lending: (count: number) => plural(count, (n) => ({ other: `Lending (${n})` })),
  views: { renting: "Renting", lending: "Lending" },
  rentingFailed: "Failed to load renting rentals",
  lendingFailed: "Failed to load lending rentals",
  noRenting: "You're not renting anything",
  noRentingText: "Items you borrow stay here until the return is confirmed.",
  noLending: "You're not lending anything",
  noLendingText: "Items you lend stay here until you confirm the return.",
  seeRequests: "See requests",
  period: "Period",
  paid: "Total paid",
  nothing: "Nothing",
  paidWith: (deposit: string) => `· deposit ${deposit}`,
  paidWithGratitude: (gratitude: string) => `· gratitude ${gratitude}`,
  borrowedFrom: "Borrowed from",
  lentTo: "Lent to",
  mailTo: (name: string) => `Email ${name}`,
  // One rental.
  failed: "Failed to load this rental",
  gone: "Request not found",
  goneText: "It was removed, it isn't yours, or the link is wrong.",
  seeRequest: "See your requests",
  borrower: "Borrower",
  owner: "Owner",
  you: "You",
  rating: (rating: string) => `${rating} out of 5`,
  none: "None",
  gratitude: "Gratitude",
  message: "Message",
  reason: "Reason (optional)",
  whyDeclined: "Reason for declining",
  handedOver: "Handover",
  returned: "Return",
  confirmed: "Confirmation",
  notedBy: (name: string, when: string) => `Marked by ${name}, ${when}`,
  notedByYou: (when: string) => `Marked by you, ${when}`,
  picture: (index: number, count: number) => `Picture ${index} of ${count}`,
  pictures: "Pictures",
  rated: (stars: number) => plural(stars, (n) => ({ one: `You gave ${n} star`, other: `You gave ${n} stars` })),
  yourNote: "Your note",
  noteOf: (name: string) => `${name}'s note`,
  moreDays: "More days",
  asksMoreDays: (name: string, day: string) => `${name} is asking to keep it until ${day}.`,
  moreDaysPast: "That day has passed, so it's too late to agree.",
  youAskedMoreDays: (day: string) => `You asked to keep it until ${day}.`,
  thenInAll: (price: string, more: string) => `New total: ${price}. That's ${more} more.`,
  moneyPaid: "Some money has already changed hands. You'll need to work that out with each other.",
  cancelPolicy: {
    borrower: {
      stillFree: (notice: string) => `${notice}. You're still in time.`,
      freeTimePassed: (notice: string) => `${notice}. That time has passed.`,
    },
    owner: {
      stillFree: (notice: string) => `${notice}. The borrower is still in time.`,
      freeTimePassed: (notice: string) => `${notice}. That time has passed for the borrower.`,
    },
  },
  staysFree: "It stays free.",
  // Its item.
  aboutItem: "About the item",
  loadingItem: "Loading item...",
  itemFailed: "Unable to Load Item",
  itemGone: "It was deleted or is no longer shared with you.",
  photos: "Pictures",
  photoCount: (count: number) => plural(count, (n) => ({ other: n })),
  category: "Category",
  city: "City",
  completed: (count: number) => plural(count, (n) => ({ one: `${n} favor completed`, other: `${n} favors completed` })),
  askedOf: (name: string, days: string, text: string) => `${name}, ${days}. ${text}`,
  askedMoreOf: (name: string, days: string, cost: string, text: string) => `${name}, ${days}. ${cost} ${text}`,
  // What could not be done.
  tooLate: "This rental just changed. Here's the latest.",
  notUpToDate: "This rental just changed, but we couldn't load the latest.",
  notAdded: "This rental just changed. Your note and pictures weren't added.",
  notSent: "This rental just changed. Your note wasn't sent.",
  confirmable: "It was just marked returned, so you can confirm it now. We kept what you typed.",
  notedBefore: "This was already marked. Your note and pictures weren't added.",
  taken: "This item is not available for the selected dates.",
  askedAlready: "You already asked for these dates. That request is waiting for an answer.",
  tooMany: "You've reached today's limit. Please try again tomorrow.",
  needDates: "Please select rental dates first.",
  notFree: "Selected dates are not available.",
  invalidAction: "Invalid action",
});

/** What an action is called, what it asks before, and what it says after. */
export type ActionWords = {
  label: string;
  title: string;
  text: string;
  yes: string;
  /** The way out of the question, where "Cancel" would read as yes. */
  no?: string;
  done: string;
  failed: string;
};

const failed = (action: string): string => `Failed to ${action}. Please try again.`;

/** As documented: 'Failed to {action}. Please try again.' */
export const actionWords = spoken<Record<Exclude<RentalAction, PaymentAction>, ActionWords>>({
  [RentalAction.UNSPECIFIED]: { label: "", title: "", text: "", yes: "", done: "", failed: words.invalidAction },
  [RentalAction.ACCEPT]: {
    label: "Accept",
    title: "Accept this request?",
    text: "This books the dates, and we'll let the borrower know.",
    yes: "Accept",
    done: "Request accepted. We let the borrower know.",
    failed: failed("accept request"),
  },
  [RentalAction.DECLINE]: {
    label: "Decline",
    title: "Decline this request?",
    text: "We'll let the borrower know. This cannot be undone.",
    yes: "Decline",
    done: "Request declined",
    failed: failed("decline"),
  },
  [RentalAction.CANCEL]: {
    label: "Cancel request",
    title: "Cancel this request?",
    text: "We'll let the owner know. This cannot be undone.",
    yes: "Cancel request",
    no: "Keep request",
    done: "Request cancelled",
    failed: failed("cancel"),
  },
  [RentalAction.MOVE]: {
    label: "Change dates",
    title: "Ask for different dates",
    text: "This moves your request to the dates you choose. We'll let the owner know.",
    yes: "Send Rental Request",
    done: "You asked for different dates",
    failed: failed("send rental request"),
  },
  [RentalAction.START]: {
    label: "Mark handed over",
    title: "Mark as handed over",
    text: "This marks the item as handed over. You'll both see the note and pictures of its condition.",
    yes: "Mark handed over",
    done: "Rental started. Enjoy!",
    failed: failed("start rental"),
  },
  [RentalAction.RETURN]: {
    label: "Mark returned",
    title: "Mark as returned",
    text: "This marks the item as returned. You'll both see the note and pictures of its condition.",
    yes: "Mark returned",
    done: "Marked as returned. We let the owner know.",
    failed: failed("mark rental as returned"),
  },
  [RentalAction.COMPLETE]: {
    label: "Confirm return",
    title: "Confirm the return",
    text: "This confirms that the item is back in good condition. It's final. You'll both see the note and pictures of its condition.",
    yes: "Confirm return",
    done: "Rental completed. Thank you for sharing!",
    failed: failed("complete rental"),
  },
  [RentalAction.RATE]: {
    label: "Rate",
    title: "How was it?",
    text: "You can rate only once, and you can't change it later. The other person will see your note.",
    yes: "Rate",
    done: "Thank you for your rating",
    failed: failed("rate"),
  },
  [RentalAction.EXTEND]: {
    label: "Ask for more days",
    title: "Ask for more days",
    text: "The last day stays the same unless the owner agrees.",
    yes: "Ask for more days",
    done: "You asked for more days",
    failed: failed("ask for more days"),
  },
  [RentalAction.ACCEPT_EXTENSION]: {
    label: "Agree",
    title: "Agree to more days?",
    text: "This books the dates, and we'll let the borrower know.",
    yes: "Agree",
    done: "The rental has been extended",
    failed: failed("agree to more days"),
  },
  [RentalAction.DECLINE_EXTENSION]: {
    label: "Decline",
    title: "Decline the extra days?",
    text: "The last day stays the same. We'll let the borrower know.",
    yes: "Decline",
    done: "More days declined",
    failed: failed("decline more days"),
  },
  [RentalAction.WITHDRAW_EXTENSION]: {
    label: "Withdraw",
    title: "Withdraw this request?",
    text: "The last day stays the same.",
    yes: "Withdraw",
    done: "Request for more days withdrawn",
    failed: failed("withdraw"),
  },
});

/** The same once it was accepted: there is more than a request to be called off. */
export const calledOffWords = spoken<ActionWords>({
  ...actionWords[RentalAction.CANCEL],
  label: "Cancel rental",
  title: "Cancel this rental?",
  text: "The dates will be available again, and we'll let the other person know. This cannot be undone.",
  yes: "Cancel rental",
  no: "Keep rental",
  done: "Rental cancelled",
});

/** Who hands it over has nothing to enjoy. */
export const handedOverWords = spoken<ActionWords>({
  ...actionWords[RentalAction.START],
  done: "Handed over. We let the borrower know.",
});

/** The owner's own return confirms it in one step. */
export const takenBackWords = spoken<ActionWords>({
  ...actionWords[RentalAction.RETURN],
  label: "I have it back",
  title: "Do you have it back?",
  text: "This confirms that the item was returned to you. You'll both see the note and pictures of its condition.",
  yes: "I have it back",
  done: "Rental completed. Thank you for sharing!",
});

export const handoverWords = spoken({
  note: "Note (optional)",
  noteExample: "All parts there, small scratch on the left",
  addPicture: "Take a picture",
  morePictures: "Take another picture",
  atMost: (count: number) => plural(count, (n) => ({ other: `Up to ${n} pictures` })),
  pictures: "Pictures of its condition",
  remove: (index: number) => `Remove picture ${index}`,
  sending: (index: number) => `Uploading picture ${index}`,
  again: (index: number) => `Upload picture ${index} again`,
  unsent: "A picture wasn't uploaded. Try again or remove it.",
  notNoted: "We can't use one of your pictures, so nothing was saved. Please remove it and try again.",
  tooLate: "Already sending, so this picture wasn't added.",
  waitingFor: "Uploading pictures...",
  returnedBy: (name: string) => `${name} just marked it returned. Sending this now confirms the return.`,
  noted: "This was already marked.",
  changed: "This rental just changed.",
  gone: "The page reloaded, so please add your pictures again.",
});

export const rateWords = spoken({
  stars: "Stars",
  star: (count: number) => plural(count, (n) => ({ one: `${n} star`, other: `${n} stars` })),
  choose: "Please choose how many stars",
  note: "Note (optional)",
  meanings: ["Bad", "Not so good", "All right", "Good", "Great"],
});

const settleWith = (name: string): string => `Payment to settle with ${name}`;

export const dueWords = spoken({
  heading: "What's due",
  failed: "Couldn't load what's due.",
  asked: (name: string) => `${name} wants to borrow it`,
  askedMore: (name: string) => `${name} wants more days`,
  confirm: (name: string) => `Confirm the return from ${name}`,
  return: (name: string) => `Return to ${name}`,
  getBack: (name: string) => `Due back from ${name}`,
  pickUp: (name: string) => `Pick up from ${name}`,
  handOver: (name: string) => `Hand over to ${name}`,
  pay: (name: string) => `Pay ${name}`,
  getPaid: (name: string) => `Payment due from ${name}`,
  refund: settleWith,
  getRefund: settleWith,
  returnDeposit: (name: string) => `Return the deposit to ${name}`,
  getDeposit: (name: string) => `Deposit due back from ${name}`,
  answer: "Answer",
  stillOpen: (count: number) =>
    plural(count, (n) => ({ one: `${n} thing is still open.`, other: `${n} things are still open.` })),
  settleFirst: (count: number) =>
    plural(count, () => ({ one: "We recommend settling it first:", other: "We recommend settling them first:" })),
});
