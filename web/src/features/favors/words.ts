// Every text of the favors area, as documented. Those of its cards: cardWords.ts and badgeWords.ts; of
// its form: formWords.ts; of the story of a favor: storyWords.ts; of those who help or offer to:
// offerWords.ts; of the payment: payWords.ts.
import { FavorAction } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { plural, spoken } from "../../lib/tongue";
import { failedWords } from "../../ui/failedWords";
import { browseWords } from "./browseWords";
import { answerWords } from "./cardWords";

export const words = spoken({
  title: "Favors",
  tabs: { active: "Active", completed: "Completed", browse: "Browse", create: "Create" },
  views: {
    yours: "Yours",
    asked: "Asked of you",
    helping: "You're helping",
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
  favorGone: "You can't see this favor",
  favorGoneWays:
    "It was deleted, it's no longer open to you, or only friends of the person who posted it can see it. If someone sent you this link, sign in with the account they know or send them a friend request.",
  noActive: "No active favors",
  noActiveText: "Ask for a hand with the small things. Neighbors like to be asked.",
  noCompleted: "No completed favors yet",
  noCompletedText: "Favors that neighbors do for you are kept here.",
  noCancelled: "No cancelled favors",
  noCancelledText: "Favors you cancel are kept here.",
  noAsked: "Nobody is waiting for your answer",
  noAskedText: "When a friend asks you for a favor, you'll see it here.",
  youDeclined: "You declined",
  yourOffers: "You offered to help",
  declinedFailed: "Failed to load declined favors",
  noHelping: "You're not helping with anything",
  noHelpingText: "Favors you accept stay here until they're done.",
  noHelped: "You haven't helped yet",
  noHelpedText: "Favors you do for friends are kept here.",
  appliedFailed: "Failed to load your offers to help",
  noApplied: "You haven't offered to help yet",
  noAppliedText: "When you offer to help a friend, the favor stays here until someone is chosen.",
  seeOpen: "See what friends need",
  createFavor: "Create Favor",
  findFriends: "Find Friends",
  seeAsked: "See favors asked of you",
  seeActive: "See active favors",
  newFavor: "Request a favor",
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
  steppedBackTooOften: "You've stepped back from this favor too many times.",
  changedTooOften: "You've changed your answer 20 times. You can still accept.",
  earlierSteps: "Earlier steps are not shown",
  tooLate: "This favor just changed. Here's the latest.",
  startInPast: "The start time cannot be in the past",
  confirm: "Confirm",
  tip: "Tip",
  helper: "Helper",
  contact: "Contact",
  asked: "Asked",
  mayHelp: "Accepted",
  accepted: (count: number, of: number) => plural(of, (n) => ({ other: `${count} of ${n}` })),
  where: "Where",
  friends: (count: number) => plural(count, (n) => ({ one: `${n} friend`, other: `${n} friends` })),
  asksYou: "is asking you for a favor",
  asksFriends: "is asking friends for a favor",
  askedForIt: "asked for a favor",
  reason: "Reason (optional)",
  thanks: "Thank-you note (optional)",
  cancelFavor: "Cancel favor",
  firstHelps: "Others may have been asked too. Whoever accepts first will help.",
  helpedAlready: "Someone is already helping. You can be a backup in case they step back.",
  othersHelp: "Someone else is helping. You don't need to do anything.",
  othersHelped: "Someone else helped.",
  othersBackUp: "Others may have been asked too. Whoever accepts first will help, and the rest are backups.",
  oneIsChosen: "Any friend can offer to help. Your friend chooses one, and we'll let everyone know.",
  youOffered: "You offered to help. We'll let you know when someone is chosen.",
  offerStands: "Someone else is helping. Your offer still stands in case help is needed again.",
  proposalWaits: "We'll let you know when it's answered. Until then, you can still help at the original time.",
  youAreBackUp: "You're a backup. If the helper steps back, it may be your turn.",
  whichFavors: "Which favors",
  askedCount: (count: number) => plural(count, (n) => ({ other: `Asked of you (${n})` })),
  askedOver: (count: number) => plural(count, (n) => ({ other: `Asked of you (${n}+)` })),
  view: "View",
  back: "Back",
  loadingFavor: "Loading favor...",
  notSent: (failure: string) => failedWords.failedBy(failure, failedWords.typedKept),
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
    text: "We'll let the friends you're asking know right away.",
    yes: words.confirm,
    done: words.published,
    failed: words.publishFailed,
  },
  [FavorAction.COMPLETE]: status(
    "Mark completed",
    "Mark as completed?",
    "This confirms that the favor is done.",
    "Favor marked as completed!",
  ),
  [FavorAction.SETTLE]: status(
    "Mark settled",
    "Mark as settled?",
    "This confirms that everything, including any tip, is settled. This is final.",
    "Favor marked as settled!",
  ),
  [FavorAction.CANCEL]: status(
    "Mark cancelled",
    "Cancel this favor?",
    "We'll let everyone you asked know. This cannot be undone.",
    "Favor marked as cancelled!",
  ),
  [FavorAction.DELETE]: {
    label: "Delete",
    title: "Delete this favor?",
    text: "It disappears for everyone. This cannot be undone.",
    yes: words.confirm,
    done: words.deleted,
    failed: words.deleteFailed,
  },
  [FavorAction.ACCEPT]: answer(
    answerWords.accept,
    "Can you help?",
    "If you're first, your friend will count on you.",
    "I can help",
    "You're helping. Thank you!",
  ),
  [FavorAction.DECLINE]: answer(
    answerWords.decline,
    "Decline this favor?",
    "We'll let your friend know. You can change your mind as long as nobody is helping.",
    "Decline",
    "You declined this favor",
  ),
  [FavorAction.ANOTHER_TIME]: answer(
    "Another time",
    "Propose another time",
    "When could you help?",
    "",
    "Your proposal was sent",
  ),
  [FavorAction.WITHDRAW]: answer(
    "Step back",
    "Step back from this favor?",
    "The first backup takes your place. If there is none, the favor is open again. We'll let your friend know.",
    "Step back",
    "You stepped back",
  ),
  [FavorAction.APPLY]: answer(
    browseWords.offer,
    "Offer to help?",
    "Your friend chooses from everyone who offers.",
    "Offer to help",
    "You offered to help. Thank you!",
  ),
  [FavorAction.CHOOSE]: status("Choose", "", "", "You chose who helps"),
  [FavorAction.ASK]: {
    label: "Ask one more friend",
    title: "Ask one more friend",
    text: "We'll ask them right away. They can answer like everyone else.",
    yes: "Ask",
    done: "We asked your friend",
    failed: words.askFailed,
  },
  [FavorAction.REPORT_MISSING_TIP]: {
    label: "Tip didn't arrive",
    title: "Tip didn't arrive?",
    text: "We'll let your friend know so they can look into it.",
    yes: "Tell them",
    done: "We let your friend know",
    failed: words.tellFailed,
  },
  [FavorAction.ACCEPT_TIME]: status("Use this time", "", "", "The favor has a new time"),
  [FavorAction.DECLINE_TIME]: answer("Decline", "", "", "Decline", "You declined the proposed time"),
});

/** The same where somebody helps already. */
export const backUpWords = spoken<Record<FavorAction.ACCEPT | FavorAction.WITHDRAW, ActionWords>>({
  [FavorAction.ACCEPT]: answer(
    browseWords.backUp,
    "Be a backup?",
    "Someone is already helping. If they step back, it may be your turn.",
    "Be a backup",
    "You're a backup. Thank you!",
  ),
  [FavorAction.WITHDRAW]: answer(
    "Step back",
    "Step back as a backup?",
    "You won't take over if the helper steps back. We'll let your friend know.",
    "Step back",
    "You stepped back",
  ),
});

/** The same while a proposal of another time waits for the creator. */
export const proposalWords = spoken<Record<FavorAction.ACCEPT | FavorAction.DECLINE, ActionWords>>({
  [FavorAction.ACCEPT]: answer(
    "Help at the original time",
    "Help at the original time?",
    "This withdraws your proposal. If you're first, your friend will count on you.",
    "I can help",
    actionWords[FavorAction.ACCEPT].done,
  ),
  [FavorAction.DECLINE]: answer(
    "Withdraw",
    "Withdraw your proposal?",
    "We'll let your friend know you can't help. You can change your mind as long as nobody is helping.",
    "Withdraw",
    "Your proposal was withdrawn",
  ),
});

/** The same for a draft, which nobody else has seen. */
export const draftWords = spoken<Record<FavorAction.CANCEL | FavorAction.DELETE, ActionWords>>({
  [FavorAction.CANCEL]: {
    ...actionWords[FavorAction.CANCEL],
    text: "Nobody has been asked yet. You'll find it under Cancelled. This cannot be undone.",
  },
  [FavorAction.DELETE]: { ...actionWords[FavorAction.DELETE], text: "It disappears for good. This cannot be undone." },
});

/** The same for an offer of help. */
export const offerBackWords = spoken<ActionWords>(
  answer(
    "Withdraw my offer",
    "Withdraw your offer?",
    "You'll no longer be on the list of offers.",
    "Withdraw",
    "Your offer was withdrawn",
  ),
);
