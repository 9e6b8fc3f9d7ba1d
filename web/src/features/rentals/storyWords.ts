// The texts of a rental's story.
import { RentalEventKind } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { spoken } from "../../lib/tongue";

type Deed = { you: string; who: (name: string) => string };
const deed = (you: string, did: string): Deed => ({ you: `You ${you}`, who: (name) => `${name} ${did}` });
const same = (did: string): Deed => deed(did, did);

export const deedWords = spoken<Record<Exclude<RentalEventKind, RentalEventKind.LAPSED>, Deed>>({
  [RentalEventKind.UNSPECIFIED]: same("did something"),
  [RentalEventKind.ASKED]: same("asked to borrow it"),
  [RentalEventKind.MOVED]: same("asked for other days"),
  [RentalEventKind.ACCEPTED]: same("accepted"),
  [RentalEventKind.DECLINED]: same("declined"),
  [RentalEventKind.CANCELLED]: same("called it off"),
  [RentalEventKind.STARTED]: same("noted the hand-over"),
  [RentalEventKind.RETURNED]: same("noted the return"),
  [RentalEventKind.COMPLETED]: same("confirmed the return"),
  [RentalEventKind.EXTENSION_ASKED]: same("asked for more days"),
  [RentalEventKind.EXTENDED]: same("agreed to more days"),
  [RentalEventKind.EXTENSION_DECLINED]: same("refused more days"),
  [RentalEventKind.EXTENSION_WITHDRAWN]: same("asked for more days no longer"),
});

export const storyWords = spoken({
  heading: "The story so far",
  lapsed: "Its days passed without an answer",
  lapsedAccepted: "Its days passed, and no hand-over was noted",
  lapsedReturned: "Two weeks passed, and the return counts as confirmed",
  waitingForYou: "Waiting for your answer",
  waitingFor: (name: string) => `Waiting for ${name} to answer`,
  ends: "Its days are over, and it ends by itself",
  handOver: "The hand-over is next",
  giveBack: "It is out, and comes back next",
  wasDue: "It is out, and was due back",
  confirm: "Waiting for the return to be confirmed",
  end: "Back, and confirmed",
});
