// The texts of a rental's story.
import { RentalEventKind } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { spoken } from "../../lib/tongue";

type Deed = { you: string; who: (name: string) => string };
const deed = (you: string, did: string): Deed => ({ you: `You ${you}`, who: (name) => `${name} ${did}` });
const same = (did: string): Deed => deed(did, did);

export type MoneyKind =
  | RentalEventKind.PAID
  | RentalEventKind.NOT_PAID
  | RentalEventKind.REFUNDED
  | RentalEventKind.DEPOSIT_RECEIVED
  | RentalEventKind.DEPOSIT_NOT_RECEIVED
  | RentalEventKind.DEPOSIT_RETURNED
  | RentalEventKind.DEPOSIT_NOT_RETURNED;

export const deedWords = spoken<Record<Exclude<RentalEventKind, RentalEventKind.LAPSED | MoneyKind>, Deed>>({
  [RentalEventKind.UNSPECIFIED]: same("made a change"),
  [RentalEventKind.ASKED]: same("asked to borrow it"),
  [RentalEventKind.MOVED]: same("asked for different dates"),
  [RentalEventKind.ACCEPTED]: same("accepted"),
  [RentalEventKind.DECLINED]: same("declined"),
  [RentalEventKind.CANCELLED]: same("cancelled"),
  [RentalEventKind.STARTED]: same("marked it as handed over"),
  [RentalEventKind.RETURNED]: same("marked it as returned"),
  [RentalEventKind.COMPLETED]: same("confirmed the return"),
  [RentalEventKind.EXTENSION_ASKED]: same("asked for more days"),
  [RentalEventKind.EXTENDED]: same("agreed to more days"),
  [RentalEventKind.EXTENSION_DECLINED]: same("declined more days"),
  [RentalEventKind.EXTENSION_WITHDRAWN]: same("withdrew the request for more days"),
});

/** An empty amount means that it is not known. */
type MoneyDeed = { you: (amount: string) => string; who: (name: string, amount: string) => string };
function marked(what: string, as: string): MoneyDeed {
  const did = (amount: string): string => `marked ${what} as ${as}${amount === "" ? "" : ` (${amount})`}`;
  return { you: (amount) => `You ${did(amount)}`, who: (name, amount) => `${name} ${did(amount)}` };
}

export const moneyWords = spoken<Record<MoneyKind, MoneyDeed>>({
  [RentalEventKind.PAID]: marked("the rental", "paid"),
  [RentalEventKind.NOT_PAID]: marked("the rental", "not paid"),
  [RentalEventKind.REFUNDED]: marked("the payment", "settled"),
  [RentalEventKind.DEPOSIT_RECEIVED]: marked("the deposit", "paid"),
  [RentalEventKind.DEPOSIT_NOT_RECEIVED]: marked("the deposit", "not paid"),
  [RentalEventKind.DEPOSIT_RETURNED]: marked("the deposit", "returned"),
  [RentalEventKind.DEPOSIT_NOT_RETURNED]: marked("the deposit", "not returned"),
});
export const gratitudeWords = spoken<Partial<Record<RentalEventKind, MoneyDeed>>>({
  [RentalEventKind.PAID]: marked("the rental and gratitude", "paid"),
  [RentalEventKind.NOT_PAID]: marked("the rental and gratitude", "not paid"),
});

export const storyWords = spoken({
  heading: "The story so far",
  lapsed: "The dates passed without a response",
  lapsedAccepted: "The dates passed without a handover",
  lapsedReturned: "Confirmed automatically after two weeks",
  waitingForYou: "Waiting for your answer",
  waitingFor: (name: string) => `Waiting for ${name} to answer`,
  ends: "The dates have passed, so it will close on its own",
  handOver: "Handover is next",
  giveBack: "On loan, return is next",
  wasDue: "On loan and overdue",
  confirm: "Waiting for the return to be confirmed",
  end: "Returned and confirmed",
});
