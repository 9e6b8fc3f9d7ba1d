// Every text of the rentals, as documented: lists, cards, one rental and what is done with it. Those of asking to borrow: borrowWords.ts; of the
// story: storyWords.ts.
import { RentalAction, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { plural, spoken } from "../../lib/tongue";

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
  noReceivedText: "When somebody asks to borrow one of your items, it appears here.",
  noSentText: "What you ask to borrow appears here.",
  listItem: "List an item",
  browse: "Browse Items",
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
  noOtherDays: "This item is not shown to you any more, so no other days can be chosen. What was agreed stays.",
  sendingAgain: "It is being sent again...",
  daysTaken: "Some of these days are not free any more.",
  daysTakenTitle: "Dates Not Available",
  past: "Its days are over, and nobody has answered. It ends by itself soon.",
  heldOver: "An overdue loan of somebody else still holds this item. The hand-over may be late.",
  unnotedTitle: "No hand-over is noted",
  unnoted: (day: string) =>
    `If the item changed hands, note the hand-over. If not, cancel the rental. Without either it ends by itself after ${day}.`,
  waiting: "Waiting for owner to confirm return",
  coordinate: "Accepted! Agree on when and where the item changes hands.",
  coordinateBy: (email: string) => `Accepted! Agree with ${email} on when and where the item changes hands.`,
  // What is out.
  whichRentals: "Which rentals",
  renting: (count: number) => plural(count, (n) => ({ other: `Renting (${n})` })),
  lending: (count: number) => plural(count, (n) => ({ other: `Lending (${n})` })),
  views: { renting: "Renting", lending: "Lending" },
  rentingFailed: "Failed to load renting rentals",
  lendingFailed: "Failed to load lending rentals",
  noRenting: "You are not renting anything",
  noRentingText: "What you borrow appears here from the hand-over until its return is confirmed.",
  noLending: "You are not lending anything",
  noLendingText: "What you lend appears here from the hand-over until you confirm its return.",
  seeRequests: "See requests",
  period: "Period",
  paid: "Total paid",
  nothing: "Nothing",
  paidWith: (deposit: string) => `· deposit ${deposit}`,
  paidWithGratitude: (gratitude: string) => `· gratitude ${gratitude}`,
  borrowedFrom: "Borrowed from",
  lentTo: "Lent to",
  mailTo: (name: string) => `Write to ${name}`,
  // One rental.
  failed: "Failed to load this rental",
  gone: "Request not found",
  goneText: "It is not yours, it is gone, or its link is wrong.",
  seeRequest: "See your requests",
  borrower: "Borrower",
  owner: "Owner",
  you: "You",
  rating: (rating: string) => `${rating} out of 5`,
  none: "None",
  gratitude: "Gratitude",
  message: "Message",
  handedOver: "Hand-over",
  returned: "Return",
  confirmed: "Confirmation",
  notedBy: (name: string, when: string) => `Noted by ${name}, ${when}`,
  notedByYou: (when: string) => `Noted by you, ${when}`,
  picture: (index: number, count: number) => `Picture ${index} of ${count}`,
  pictures: "Pictures",
  rated: (stars: number) => plural(stars, (n) => ({ one: `You gave ${n} star`, other: `You gave ${n} stars` })),
  moreDays: "More days",
  asksMoreDays: (name: string, day: string) => `${name} asks to keep it until ${day}.`,
  moreDaysPast: "That day is past by now, and cannot be agreed to any more.",
  youAskedMoreDays: (day: string) => `You asked to keep it until ${day}.`,
  thenInAll: (price: string) => `In all it is ${price} then.`,
  staysFree: "It stays free.",
  // Its item.
  aboutItem: "About the item",
  loadingItem: "Loading item...",
  itemFailed: "Unable to Load Item",
  itemGone: "It cannot be opened any more: it was deleted, or is not shared with you now.",
  photos: "Photos",
  photoCount: (count: number) => plural(count, (n) => ({ other: n })),
  category: "Category",
  city: "City",
  completed: (count: number) => plural(count, (n) => ({ one: `${n} favor completed`, other: `${n} favors completed` })),
  askedOf: (name: string, days: string, text: string) => `${name}, ${days}. ${text}`,
  askedMoreOf: (name: string, days: string, cost: string, text: string) => `${name}, ${days}. ${cost} ${text}`,
  // What could not be done.
  tooLate: "This rental has changed meanwhile. Here is how it stands now.",
  notUpToDate: "This rental has changed meanwhile, and could not be brought up to date.",
  notAdded: "This rental has changed meanwhile. Your note and pictures were not added.",
  confirmable: "It was marked returned meanwhile, and you can confirm that now. What you typed is kept.",
  notedBefore: "It was noted already. Your note and pictures were not added.",
  taken: "This item is not available for the selected dates.",
  askedAlready: "You have asked for just these days in another request, which waits for an answer.",
  tooMany: "That is enough for today. Please try again tomorrow.",
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
export const actionWords = spoken<Record<RentalAction, ActionWords>>({
  [RentalAction.UNSPECIFIED]: { label: "", title: "", text: "", yes: "", done: "", failed: words.invalidAction },
  [RentalAction.ACCEPT]: {
    label: "Accept",
    title: "Accept this request?",
    text: "The days are booked then, and the borrower is told.",
    yes: "Accept",
    done: "Request accepted. The borrower was told.",
    failed: failed("accept request"),
  },
  [RentalAction.DECLINE]: {
    label: "Decline",
    title: "Decline this request?",
    text: "The borrower is told. This cannot be undone.",
    yes: "Decline",
    done: "Request declined",
    failed: failed("decline"),
  },
  [RentalAction.CANCEL]: {
    label: "Cancel request",
    title: "Cancel this request?",
    text: "The other side is told. This cannot be undone.",
    yes: "Cancel request",
    no: "Keep request",
    done: "Request cancelled",
    failed: failed("cancel"),
  },
  [RentalAction.MOVE]: {
    label: "Other days",
    title: "Ask for other days",
    text: "It is the same request, for the days that you choose here. The owner is told of them.",
    yes: "Send Rental Request",
    done: "The owner was asked for other days",
    failed: failed("send rental request"),
  },
  [RentalAction.START]: {
    label: "Handed over",
    title: "Start the rental",
    text: "It says that the item was handed over. A note and pictures of its condition are seen by both sides.",
    yes: "Start rental",
    done: "Rental started. Enjoy!",
    failed: failed("start rental"),
  },
  [RentalAction.RETURN]: {
    label: "Mark returned",
    title: "Mark as returned",
    text: "It says that the item is back. A note and pictures of its condition are seen by both sides.",
    yes: "Mark returned",
    done: "Marked as returned. The other side was told.",
    failed: failed("mark rental as returned"),
  },
  [RentalAction.COMPLETE]: {
    label: "Confirm return",
    title: "Confirm the return",
    text: "It says that the item is back in good condition. This is final. A note and pictures of its condition are seen by both sides.",
    yes: "Confirm return",
    done: "Rental completed. Thank you for sharing!",
    failed: failed("complete rental"),
  },
  [RentalAction.RATE]: {
    label: "Rate",
    title: "How was it?",
    text: "A rating is given once, and cannot be changed.",
    yes: "Rate",
    done: "Thank you for your rating",
    failed: failed("rate"),
  },
  [RentalAction.EXTEND]: {
    label: "Ask for more days",
    title: "Ask for more days",
    text: "The owner agrees or not. Until then the last day stays.",
    yes: "Ask for more days",
    done: "The owner was asked for more days",
    failed: failed("ask for more days"),
  },
  [RentalAction.ACCEPT_EXTENSION]: {
    label: "Agree",
    title: "Agree to more days?",
    text: "The days are booked then, and the borrower is told.",
    yes: "Agree",
    done: "The rental has its new last day",
    failed: failed("agree to more days"),
  },
  [RentalAction.DECLINE_EXTENSION]: {
    label: "Refuse",
    title: "Refuse more days?",
    text: "The last day stays as it is, and the borrower is told.",
    yes: "Refuse",
    done: "More days were refused",
    failed: failed("refuse more days"),
  },
  [RentalAction.WITHDRAW_EXTENSION]: {
    label: "Withdraw",
    title: "Ask for more days no longer?",
    text: "The last day stays as it is.",
    yes: "Withdraw",
    done: "You ask for no more days",
    failed: failed("withdraw"),
  },
});

/** The same once it was accepted: there is more than a request to be called off. */
export const calledOffWords = spoken<ActionWords>({
  ...actionWords[RentalAction.CANCEL],
  label: "Cancel rental",
  title: "Cancel this rental?",
  text: "The days are free again, and the other side is told. This cannot be undone.",
  yes: "Cancel rental",
  no: "Keep rental",
  done: "Rental cancelled",
});

/** Who hands it over has nothing to enjoy. */
export const handedOverWords = spoken<ActionWords>({
  ...actionWords[RentalAction.START],
  done: "Handed over. The borrower was told.",
});

/** The owner's own return confirms it in one step. */
export const takenBackWords = spoken<ActionWords>({
  ...actionWords[RentalAction.RETURN],
  label: "I have it back",
  title: "You have it back",
  text: "It says that the item is back, and confirms the return. A note and pictures of its condition are seen by both sides.",
  yes: "I have it back",
  done: "Rental completed. Thank you for sharing!",
});

export const handoverWords = spoken({
  note: "Note (optional)",
  noteExample: "All there, a scratch on the left side",
  addPicture: "Take a picture",
  morePictures: "Take another picture",
  atMost: (count: number) => plural(count, (n) => ({ other: `At most ${n} pictures` })),
  pictures: "Pictures of its condition",
  remove: (index: number) => `Remove picture ${index}`,
  sending: (index: number) => `Sending picture ${index}`,
  again: (index: number) => `Send picture ${index} again`,
  wrongFormat: "Only JPEG, PNG and WebP pictures can be sent.",
  unreadable: "This picture could not be read.",
  lost: "A picture could not be sent. Send it again, or remove it.",
  unsent: "A picture could not be sent. Send it again, or remove it.",
  notNoted: "A picture could not be read, so nothing was noted. Please remove it and try again.",
  tooLate: "It is being sent already. This picture was not added.",
  waitingFor: "Pictures are being sent...",
  returnedBy: (name: string) => `${name} has marked it returned meanwhile. What you send now confirms the return.`,
  noted: "It was noted already.",
  changed: "This rental has changed meanwhile.",
  gone: "The page was loaded anew, which your pictures did not outlast. Please take them again.",
});

export const rateWords = spoken({
  stars: "Stars",
  star: (count: number) => plural(count, (n) => ({ one: `${n} star`, other: `${n} stars` })),
  choose: "Please choose how many stars",
  meanings: ["Bad", "Not so good", "All right", "Good", "Great"],
});

export const dueWords = spoken({
  heading: "What is due",
  failed: "What is due could not be loaded.",
  asked: (name: string) => `${name} asks to borrow it`,
  askedMore: (name: string) => `${name} asks for more days`,
  confirm: (name: string) => `${name} brought it back. Confirm it`,
  return: (name: string) => `Return to ${name}`,
  getBack: (name: string) => `Comes back from ${name}`,
  pickUp: (name: string) => `Pick up from ${name}`,
  handOver: (name: string) => `Hand over to ${name}`,
  answer: "Answer",
});
