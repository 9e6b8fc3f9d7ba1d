// The texts of the form of an item, as documented.
import { plural, spoken } from "../../lib/tongue";
import { failedWords } from "../../ui/failedWords";

export const formWords = spoken({
  title: "Title",
  description: "Description",
  category: "Category",
  link: "Online reference link (optional)",
  linkExample: "https://",
  price: "Price per day",
  deposit: "Deposit",
  amountSub: "Empty means none",
  free: "Empty means free",
  currency: (code: string) => `Currency: ${code}`,
  maxDays: "Longest rental, in days",
  maxDaysSub: "Empty means no limit",
  policy: "Cancellation policy",
  city: "City",
  visibility: "Who can see it",
  friends: "Friends",
  everybody: "Public",
  onlyFriends: "Only your friends find it, and may ask for it.",
  forEverybody: "Every member who has its link may see it and ask for it. Friends find it when they browse.",
  groups: "Only these groups",
  groupsSub: "Where you choose none, all your friends see it.",
  groupsFailed: "Failed to load friends and groups",
  listNow: "List item immediately",
  listNowSub: "Otherwise it is saved, and nobody else sees it.",
  save: "Save (Not Listed)",
  list: "List for Friends",
  saveChanges: "Save Changes",
  wrong: "Validation Error",
  needTitle: "Please enter an item title",
  needDescription: "Please enter a description",
  needCategory: "Please select a category",
  badLink: "Please enter a link that begins with https:// or http://",
  badAmount: "Please enter an amount of at most 1,000,000 with at most two decimal places",
  badDays: "Please enter a number of days from 1 to 365, or leave it empty",
  tooManyGroups: (count: number) => plural(count, (n) => ({ other: `Please choose at most ${n} groups` })),
  groupGone: "One of the groups you chose was deleted. Please choose again.",
  saveFailed: "Failed to save item. Please try again.",
  listFailed: "Failed to list item. Please try again.",
  tooMany: "You have as many items as there may be.",
  gone: "This item is no longer there",
  saved: "Item saved. Nobody else sees it until you list it.",
  listed: "Item listed. Your friends can find it now.",
  updated: "Item updated successfully",
  withoutPictures: (count: number) =>
    plural(count, (n) => ({
      one: `Your item was saved, but ${n} picture could not be sent. Edit the item to try again.`,
      other: `Your item was saved, but ${n} pictures could not be sent. Edit the item to try again.`,
    })),
  addPicturesAgain: (count: number) =>
    plural(count, (n) => ({
      one: `Your item was saved, but ${n} picture could not be sent. Edit the item to add it again.`,
      other: `Your item was saved, but ${n} pictures could not be sent. Edit the item to add them again.`,
    })),
  unsentPictures: (count: number) =>
    plural(count, (n) => ({
      one: `Your item was saved, but ${n} picture could not be sent.`,
      other: `Your item was saved, but ${n} pictures could not be sent.`,
    })),
  notListedYet: (count: number) =>
    plural(count, (n) => ({
      one: `Your item was saved, but is not listed yet: ${n} picture could not be sent.`,
      other: `Your item was saved, but is not listed yet: ${n} pictures could not be sent.`,
    })),
  notListedAddAgain: (count: number) =>
    plural(count, (n) => ({
      one: `Your item was saved, but is not listed yet: ${n} picture could not be sent. Edit the item to add it again.`,
      other: `Your item was saved, but is not listed yet: ${n} pictures could not be sent. Edit the item to add them again.`,
    })),
  /** In the place of Cancel, which would not stop what is under way. */
  leave: "Close",
  goesOn: "Your item is still being sent. You are told when that is done.",
  sendingAgain: "Sending the pictures...",
  picturesSent: "The pictures are sent.",
  lostPictures: "The page was loaded anew, which your pictures did not outlast. Please choose them again.",
  notSent: (failure: string) => failedWords.failedBy(failure, failedWords.typedKept),
  sendingPictures: (left: number) =>
    plural(left, (n) => ({ one: "Sending the last picture...", other: `Sending pictures, ${n} to go...` })),
  finishingPictures: (left: number) =>
    plural(left, (n) => ({ one: "Finishing the last picture...", other: `Finishing a picture, ${n} to go...` })),
  changedElsewhere: (fields: string) => `Changed elsewhere: ${fields}. Saving puts what you typed in its place.`,
  load: "Load the newer version",
  discard: {
    title: "Discard Changes?",
    text: "What you have typed for this item will be lost.",
    yes: "Discard",
    no: "Keep Editing",
  },
  /** In the place of what is said there, where a try to save it was not answered. */
  discardSent:
    "What you have typed for this item will be lost. It may be saved already: then it stays in My Listings, and nobody else sees it.",
});

/** How the fields are called in a sentence. */
export const fieldWords = spoken({
  title: "title",
  description: "description",
  category: "category",
  url: "reference link",
  price: "price per day",
  deposit: "deposit",
  currency: "currency",
  maxDays: "longest rental",
  policy: "cancellation policy",
  city: "city",
  isPublic: "who can see it",
  groups: "groups",
});
