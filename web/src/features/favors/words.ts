// Every text of the favors area, as documented. Those of its cards: cardWords.ts; of its form: formWords.ts; of the story of a favor:
// storyWords.ts; of those who help or offer to: offerWords.ts; of the payment: payWords.ts.
import { FavorAction } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { plural, spoken } from "../../lib/tongue";
import { answerWords } from "./cardWords";

export const words = spoken({
  title: "Favors",
  tabs: { active: "Active", completed: "Completed", browse: "Browse", create: "Create" },
  views: {
    yours: "Yours",
    asked: "Asked of you",
    helping: "You are helping",
    completed: "Completed",
    helped: "You helped",
    cancelled: "Cancelled",
    open: "From friends",
    applied: "You offered help",
  },
  completedFailed: "Failed to load completed favors",
  cancelledFailed: "Failed to load cancelled favors",
  receivedFailed: "Failed to load received requests",
  favorFailed: "Failed to load this favor",
  loadingStory: "Loading the story...",
  storyFailed: "Failed to load the story",
  favorGone: "This favor is no longer there",
  favorGoneWays:
    "It was deleted, you are no longer asked, or only the friends of its creator can see it. Did somebody send you this link? Sign in with the account they know, or ask them to be friends.",
  noActive: "No active favors",
  noActiveText: "Ask for a hand with the small things. Neighbors like to be asked.",
  noCompleted: "No completed favors yet",
  noCompletedText: "When a neighbor has helped you, the favor and its thanks are kept here.",
  noCancelled: "No cancelled favors",
  noCancelledText: "What you call off is kept here.",
  noAsked: "Nobody is waiting for your answer",
  noAskedText: "When a friend asks you for a favor, it appears here.",
  youDeclined: "You declined",
  declinedFailed: "Failed to load what you declined",
  noHelping: "You are not helping with anything",
  noHelpingText: "A favor that you accept appears here until it is done.",
  noHelped: "You have not helped yet",
  noHelpedText: "A favor that you complete for a friend is kept here.",
  appliedFailed: "Failed to load what you offered to help with",
  noApplied: "You have not offered help yet",
  noAppliedText: "When a friend asks everybody and you offer to help, the favor appears here until somebody is chosen.",
  seeOpen: "See what friends ask",
  createFavor: "Create Favor",
  findFriends: "Find Friends",
  seeAsked: "See what you are asked",
  seeActive: "See active favors",
  newFavor: "New favor",
  editFavor: "Edit Favor",
  details: "Favor Details",
  post: "Post",
  published: "Favor published successfully! Recipients will be notified.",
  updated: "Favor updated successfully",
  deleted: "Favor deleted successfully",
  publishFailed: "Failed to publish favor. Please try again.",
  statusFailed: "Failed to update favor status. Please try again.",
  updateFailed: "Failed to update favor. Please try again.",
  deleteFailed: "Failed to delete favor. Please try again.",
  answerFailed: "Failed to send your answer. Please try again.",
  askFailed: "Failed to ask your friend. Please try again.",
  tellFailed: "Failed to send your message. Please try again.",
  steppedBackTooOften: "You have stepped back from this favor too often.",
  changedTooOften: "You have changed your answer 20 times. You can still accept.",
  earlierSteps: "Earlier steps are not shown",
  tooLate: "This favor has changed meanwhile. Here is how it stands now.",
  startInPast: "The start cannot be in the past",
  confirm: "Confirm",
  tip: "Tip",
  helper: "Helper",
  contact: "Contact",
  asked: "Asked",
  mayHelp: "Accepted",
  accepted: (count: number, of: number) => plural(of, (n) => ({ other: `${count} of ${n}` })),
  where: "Where",
  friends: (count: number) => plural(count, (n) => ({ one: `${n} friend`, other: `${n} friends` })),
  asksYou: "asks you for a favor",
  asksFriends: "asks friends for a favor",
  askedForIt: "asked for a favor",
  cancelFavor: "Cancel favor",
  firstHelps: "Somebody else may be asked too: the first to accept helps.",
  helpedAlready: "Somebody helps already. You can be a back-up, who helps when they step back.",
  othersHelp: "Somebody else is helping. Nothing is expected of you.",
  othersHelped: "Somebody else has helped.",
  othersBackUp: "Somebody else may be asked too: the first to accept helps, and those after are back-ups.",
  oneIsChosen: "Any friend can offer to help. One of them is chosen, and all are told.",
  youOffered: "You offered to help. You are told when somebody was chosen.",
  youAreBackUp: "You are a back-up: when the helper steps back, you may be the one who helps.",
  whichFavors: "Which favors",
  askedCount: (count: number) => plural(count, (n) => ({ other: `Asked of you (${n})` })),
  askedOver: (count: number) => plural(count, (n) => ({ other: `Asked of you (${n}+)` })),
  view: "View",
  back: "Back",
  loadingFavor: "Loading favor...",
  notSent: (failure: string) => `${failure} What you typed is kept.`,
});

/** What an action is called, what it asks before, and what it says after. */
export type ActionWords = { label: string; title: string; text: string; yes: string; done: string; failed: string };

// The documents have "Confirm" in the questions of status actions. An answer is called what it is.
const status = (label: string, title: string, text: string, done: string): ActionWords => ({
  label,
  title,
  text,
  yes: words.confirm,
  done,
  failed: words.statusFailed,
});

const answer = (label: string, title: string, text: string, yes: string, done: string): ActionWords => ({
  label,
  title,
  text,
  yes,
  done,
  failed: words.answerFailed,
});

export const actionWords = spoken<Record<FavorAction, ActionWords>>({
  [FavorAction.UNSPECIFIED]: { label: "", title: "", text: "", yes: "", done: "", failed: "" },
  [FavorAction.EDIT]: {
    label: "Edit favor",
    title: "",
    text: "",
    yes: "",
    done: words.updated,
    failed: words.updateFailed,
  },
  [FavorAction.PUBLISH]: {
    label: words.post,
    title: "Post this favor?",
    text: "The friends you chose are told at once.",
    yes: words.confirm,
    done: words.published,
    failed: words.publishFailed,
  },
  [FavorAction.COMPLETE]: status(
    "Mark completed",
    "Mark as completed?",
    "It says that the help was given.",
    "Favor marked as completed!",
  ),
  [FavorAction.SETTLE]: status(
    "Mark settled",
    "Mark as settled?",
    "It says that the tip and everything else is resolved. This is final.",
    "Favor marked as settled!",
  ),
  [FavorAction.CANCEL]: status(
    "Mark cancelled",
    "Cancel this favor?",
    "Everybody who was asked is told. This cannot be undone.",
    "Favor marked as cancelled!",
  ),
  [FavorAction.DELETE]: {
    label: "Delete",
    title: "Delete this favor?",
    text: "It disappears for everybody. This cannot be undone.",
    yes: words.confirm,
    done: words.deleted,
    failed: words.deleteFailed,
  },
  [FavorAction.ACCEPT]: answer(
    answerWords.accept,
    "Can you help?",
    "You are counted on then, unless somebody else was faster.",
    "I can help",
    "You are helping. Thank you!",
  ),
  [FavorAction.DECLINE]: answer(
    answerWords.decline,
    "Decline this favor?",
    "The one who asked is told. As long as nobody helps, you can change your mind.",
    "Decline",
    "You declined this favor",
  ),
  [FavorAction.ANOTHER_TIME]: answer(
    "Another time",
    "Offer another time",
    "When could you help?",
    "",
    "Your offer was sent",
  ),
  [FavorAction.WITHDRAW]: answer(
    "Step back",
    "Step back from this favor?",
    "The first back-up helps in your place. Where there is none, it is open again. The one who asked is told.",
    "Step back",
    "You stepped back",
  ),
  [FavorAction.APPLY]: answer(
    "Offer to help",
    "Offer to help?",
    "The one who asks chooses among those who offer help.",
    "Offer to help",
    "You offered to help. Thank you!",
  ),
  [FavorAction.CHOOSE]: status("Choose", "", "", "You chose who helps"),
  [FavorAction.ASK]: {
    label: "Ask one more friend",
    title: "Ask one more friend",
    text: "They are asked at once, and may answer like all others.",
    yes: "Ask",
    done: "Your friend was asked",
    failed: words.askFailed,
  },
  [FavorAction.REPORT_MISSING_TIP]: {
    label: "The tip did not arrive",
    title: "The tip did not arrive?",
    text: "The one who asked is told, and can look into it.",
    yes: "Tell them",
    done: "The one who asked was told",
    failed: words.tellFailed,
  },
  [FavorAction.ACCEPT_TIME]: status("Take this time", "", "", "The favor has its new time"),
});

/** The same where somebody helps already. */
export const backUpWords = spoken<Record<FavorAction.ACCEPT | FavorAction.WITHDRAW, ActionWords>>({
  [FavorAction.ACCEPT]: answer(
    "Be a back-up",
    "Be a back-up?",
    "Somebody helps already. When they step back, you may be the one who helps.",
    "Be a back-up",
    "You are a back-up. Thank you!",
  ),
  [FavorAction.WITHDRAW]: answer(
    "Step back",
    "Step back as a back-up?",
    "You do not help any more when the helper steps back. The one who asked is told.",
    "Step back",
    "You stepped back",
  ),
});

/** The same for a draft, which nobody else has seen. */
export const draftWords = spoken<Record<FavorAction.CANCEL | FavorAction.DELETE, ActionWords>>({
  [FavorAction.CANCEL]: {
    ...actionWords[FavorAction.CANCEL],
    text: "Nobody has been asked. It is kept under Cancelled. This cannot be undone.",
  },
  [FavorAction.DELETE]: { ...actionWords[FavorAction.DELETE], text: "It disappears for good. This cannot be undone." },
});

/** The same for an offer of help. */
export const offerBackWords = spoken<ActionWords>(
  answer(
    "Take my offer back",
    "Take your offer back?",
    "You are not among those who offer help any more.",
    "Take it back",
    "Your offer was taken back",
  ),
);
