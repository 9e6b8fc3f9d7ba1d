// The texts of a favor in a list, which Home shows too.
import { FavorCategory, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { plural, spoken } from "../../lib/tongue";

export const categoryWords = spoken<Record<FavorCategory, string>>({
  [FavorCategory.UNSPECIFIED]: "General",
  [FavorCategory.GENERAL]: "General Help",
  [FavorCategory.ERRANDS]: "Errands",
  [FavorCategory.PHYSICAL_HELP]: "Physical Help",
  [FavorCategory.PET_CARE]: "Pet Care",
});

export const statusWords = spoken<Record<FavorStatus, string>>({
  [FavorStatus.UNSPECIFIED]: "unknown",
  [FavorStatus.DRAFT]: "draft",
  [FavorStatus.ACTIVE]: "active",
  [FavorStatus.ACCEPTED]: "accepted",
  [FavorStatus.COMPLETED]: "completed",
  [FavorStatus.SETTLED]: "settled",
  [FavorStatus.CANCELLED]: "cancelled",
  [FavorStatus.PENDING]: "pending",
  [FavorStatus.DECLINED]: "declined",
  [FavorStatus.OPEN]: "open",
});

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
  willAsk: "Will ask",
  allFriends: "All your friends",
  chosen: (count: number) => plural(count, (n) => ({ other: `${n} chosen` })),
  nobodyChosen: "Nobody yet",
  clone: "Clone",
  cloneOf: (title: string) => `Clone ${title}`,
});
