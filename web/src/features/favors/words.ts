// Every text of the favors area, as documented.
import { FavorAction, FavorCategory, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";

export const categoryWords: Record<FavorCategory, string> = {
  [FavorCategory.UNSPECIFIED]: "General",
  [FavorCategory.GENERAL]: "General Help",
  [FavorCategory.ERRANDS]: "Errands",
  [FavorCategory.PHYSICAL_HELP]: "Physical Help",
  [FavorCategory.PET_CARE]: "Pet Care",
};

export const statusWords: Record<FavorStatus, string> = {
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
};

export const words = {
  title: "Favors",
  tabs: { active: "Active", completed: "Completed", create: "Create" },
  views: {
    yours: "Yours",
    asked: "Asked of you",
    helping: "You are helping",
    completed: "Completed",
    cancelled: "Cancelled",
  },
  untitled: "Untitled Favor",
  noDescription: "No description provided",
  notSpecified: "Not specified",
  unknownRequester: "Unknown",
  tapToEdit: "Tap to edit",
  requestedBy: "Requested by",
  loading: "Loading favors...",
  activeFailed: "Failed to load active favors",
  completedFailed: "Failed to load completed favors",
  cancelledFailed: "Failed to load cancelled favors",
  receivedFailed: "Failed to load received requests",
  favorFailed: "Failed to load this favor",
  favorGone: "This favor is no longer there",
  noActive: "No active favors",
  noActiveText: "Ask for a hand with the small things. Neighbours like to be asked.",
  noCompleted: "No completed favors yet",
  noCompletedText: "When a neighbour has helped you, the favor and its thanks are kept here.",
  noCancelled: "No cancelled favors",
  noCancelledText: "What you call off is kept here.",
  noAsked: "Nobody is waiting for your answer",
  noAskedText: "When a friend asks you for a favor, it appears here.",
  noHelping: "You are not helping with anything",
  noHelpingText: "A favor that you accept appears here until it is done.",
  createFavor: "Create Favor",
  newFavor: "New favor",
  editFavor: "Edit Favor",
  details: "Favor Details",
  saveDraft: "Save as Draft",
  updateDraft: "Update Draft",
  post: "Post",
  startNew: "Start New",
  draftSaved: "Draft saved",
  posted: "Your favor has been posted! Selected friends will be notified.",
  published: "Favor published successfully! Recipients will be notified.",
  updated: "Favor updated successfully",
  deleted: "Favor deleted successfully",
  saveFailed: "Failed to save favor. Please try again.",
  createFailed: "Failed to create favor. Please try again.",
  publishFailed: "Failed to publish favor. Please try again.",
  statusFailed: "Failed to update favor status. Please try again.",
  updateFailed: "Failed to update favor. Please try again.",
  deleteFailed: "Failed to delete favor. Please try again.",
  answerFailed: "Failed to send your answer. Please try again.",
  tooLate: "This favor has changed meanwhile. Here is how it stands now.",
  needTitle: "Please enter a favor title",
  needDescription: "Please enter a favor description",
  needStart: "Please select when you need help",
  needRecipient: "Please select at least one recipient",
  needTime: "Please say when you could help",
  startInPast: "The start cannot be in the past",
  invalidDate: { title: "Invalid Date", text: "Confirmation deadline cannot be after the start date" },
  startFirst: "Please select start date first",
  badTip: "Please enter an amount such as 15 or 15.50, up to 1,000,000",
  notAFriend: "One of the people you chose is no longer a friend. Please choose again.",
  recipientsFailed: "Failed to load friends and groups",
  discard: {
    title: "Discard Changes",
    text: "What you have changed in this favor will be lost.",
    yes: "Discard",
    no: "Keep Editing",
  },
  clear: {
    title: "Start New",
    text: "This clears the form. A draft that you saved stays under Active.",
    yes: "Start New",
  },
  replace: {
    title: "Replace what you typed?",
    text: "The form holds a favor that you have not posted. The copy takes its place.",
    yes: "Replace",
  },
} as const;

/** What an action is called, what it asks before, and what it says after. */
type ActionWords = { label: string; title: string; text: string; done: string; failed: string };

const status = (name: string, title: string, text: string): ActionWords => ({
  label: `Mark ${name}`,
  title,
  text,
  done: `Favor marked as ${name}!`,
  failed: words.statusFailed,
});

const answer = (label: string, title: string, text: string, done: string): ActionWords => ({
  label,
  title,
  text,
  done,
  failed: words.answerFailed,
});

export const actionWords: Record<FavorAction, ActionWords> = {
  [FavorAction.UNSPECIFIED]: { label: "", title: "", text: "", done: "", failed: "" },
  [FavorAction.EDIT]: { label: "Edit favor", title: "", text: "", done: words.updated, failed: words.updateFailed },
  [FavorAction.PUBLISH]: {
    label: words.post,
    title: "Post this favor?",
    text: "The friends you chose are told at once.",
    done: words.published,
    failed: words.publishFailed,
  },
  [FavorAction.COMPLETE]: status("completed", "Mark as completed?", "It says that the help was given."),
  [FavorAction.SETTLE]: status(
    "settled",
    "Mark as settled?",
    "It says that the tip and everything else is resolved. This is final.",
  ),
  [FavorAction.CANCEL]: status(
    "cancelled",
    "Cancel this favor?",
    "Everybody who was asked is told. This cannot be undone.",
  ),
  [FavorAction.DELETE]: {
    label: "Delete",
    title: "Delete this favor?",
    text: "It disappears for everybody. This cannot be undone.",
    done: words.deleted,
    failed: words.deleteFailed,
  },
  [FavorAction.ACCEPT]: answer(
    "I can help",
    "Can you help?",
    "The first to accept helps, and is counted on.",
    "You are helping. Thank you!",
  ),
  [FavorAction.DECLINE]: answer(
    "I can't",
    "Decline this favor?",
    "It leaves your list, and the one who asked is told.",
    "You declined this favor",
  ),
  [FavorAction.ANOTHER_TIME]: answer(
    "Another time",
    "Offer another time",
    "When could you help?",
    "Your offer was sent",
  ),
  [FavorAction.WITHDRAW]: { label: "Step back", title: "", text: "", done: "", failed: words.statusFailed },
};
