// The texts of a rental's story.
import { RentalEventKind } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { spoken } from "../../lib/tongue";

type Deed = { you: string; who: (name: string) => string };
const deed = (you: string, did: string): Deed => ({ you: `You ${you}`, who: (name) => `${name} ${did}` });
const same = (did: string): Deed => deed(did, did);

export const deedWords = spoken<Record<Exclude<RentalEventKind, RentalEventKind.LAPSED>, Deed>>({
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
  [RentalEventKind.PAID]: same("marked the rental as paid"),
  [RentalEventKind.DEPOSIT_RECEIVED]: same("marked the deposit as paid"),
  [RentalEventKind.DEPOSIT_RETURNED]: same("marked the deposit as returned"),
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
