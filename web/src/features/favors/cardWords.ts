// The texts of a favor in a list, which Home shows too.
import { plural, spoken } from "../../lib/tongue";

/** What the answers are called that a card offers. */
export const answerWords = spoken({ accept: "I can help", decline: "I can't" });

export const cardWords = spoken({
  untitled: "Untitled Favor",
  noDescription: "No description provided",
  notSpecified: "Not specified",
  unknownRequester: "Unknown",
  tapToEdit: "Tap to edit",
  requestedBy: (name: string) => `Requested by ${name}`,
  requestedByYou: "Requested by you",
  loading: "Loading favors...",
  activeFailed: "Failed to load active favors",
  start: "Start",
  confirmBy: "Confirm by",
  timeProposed: "New time proposed",
  everyoneDeclined: "Everyone declined",
  willAsk: "Will ask",
  allFriends: "All your friends",
  chosen: (count: number) => plural(count, (n) => ({ other: `${n} chosen` })),
  nobodyChosen: "Nobody yet",
  clone: "Clone",
  cloneOf: (title: string) => `Clone ${title}`,
});
