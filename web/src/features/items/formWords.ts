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
  amountSub: "Leave blank for none",
  free: "Leave blank to lend for free",
  currency: (code: string) => `Currency: ${code}`,
  maxDays: "Maximum rental period (days)",
  maxDaysSub: "Leave blank for no limit",
  policy: "Cancellation policy",
  city: "City",
  visibility: "Who can see it",
  friends: "Friends",
  everybody: "Public",
  onlyFriends: "Only your friends can find it and ask for it.",
  forEverybody: "Any member with the link can see it and ask for it. Friends can also find it in Browse.",
  groups: "Only these groups",
  groupsSub: "If you choose none, all your friends can see it.",
  groupsFailed: "Failed to load friends and groups",
  listNow: "List item immediately",
  listNowSub: "Otherwise it's saved, and only you can see it.",
  save: "Save (Not Listed)",
  list: "List for Friends",
  saveChanges: "Save Changes",
  wrong: "Validation Error",
  needTitle: "Please enter an item title",
  needDescription: "Please enter a description",
  needCategory: "Please select a category",
  badLink: "Please enter a link that starts with https:// or http://",
  badAmount: "Please enter an amount up to 1,000,000, with up to two decimal places",
  badDays: "Please enter 1 to 365 days, or leave it blank",
  tooManyGroups: (count: number) => plural(count, (n) => ({ other: `Please choose at most ${n} groups` })),
  groupGone: "One of the groups you chose was deleted. Please choose again.",
  saveFailed: "Failed to save item. Please try again.",
  listFailed: "Failed to list item. Please try again.",
  tooMany: "You've reached the limit for items.",
  gone: "This item no longer exists",
  saved: "Item saved. Only you can see it until you list it.",
  listed: {
    friends: "Item listed. Your friends can find it now.",
    groups: "Item listed. The groups you chose can find it now.",
    public: "Item listed. Any member with the link can see it now, and your friends can find it.",
  },
  updated: "Item updated successfully",
  withoutPictures: (count: number) =>
    plural(count, (n) => ({
      one: `Your item was saved, but ${n} picture couldn't be uploaded. Edit the item to try again.`,
      other: `Your item was saved, but ${n} pictures couldn't be uploaded. Edit the item to try again.`,
    })),
  addPicturesAgain: (count: number) =>
    plural(count, (n) => ({
      one: `Your item was saved, but ${n} picture couldn't be uploaded. Edit the item to add it again.`,
      other: `Your item was saved, but ${n} pictures couldn't be uploaded. Edit the item to add them again.`,
    })),
  unsentPictures: (count: number) =>
    plural(count, (n) => ({
      one: `Your item was saved, but ${n} picture couldn't be uploaded.`,
      other: `Your item was saved, but ${n} pictures couldn't be uploaded.`,
    })),
  notListedYet: (count: number) =>
    plural(count, (n) => ({
      one: `Your item was saved but isn't listed yet: ${n} picture couldn't be uploaded.`,
      other: `Your item was saved but isn't listed yet: ${n} pictures couldn't be uploaded.`,
    })),
  notListedAddAgain: (count: number) =>
    plural(count, (n) => ({
      one: `Your item was saved but isn't listed yet: ${n} picture couldn't be uploaded. Edit the item to add it again.`,
      other: `Your item was saved but isn't listed yet: ${n} pictures couldn't be uploaded. Edit the item to add them again.`,
    })),
  /** In the place of Cancel, which would not stop what is under way. */
  leave: "Close",
  goesOn: "Your item is still being saved. We'll let you know when it's done.",
  sendingAgain: "Uploading the pictures...",
  picturesSent: "Pictures uploaded.",
  lostPictures: "The page reloaded, so please add your pictures again.",
  notSent: (failure: string) => failedWords.failedBy(failure, failedWords.typedKept),
  sendingPictures: (left: number) =>
    plural(left, (n) => ({ one: "Uploading the last picture...", other: `Uploading pictures, ${n} to go...` })),
  finishingPictures: (left: number) =>
    plural(left, (n) => ({ one: "Finishing the last picture...", other: `Finishing pictures, ${n} to go...` })),
  changedElsewhere: (fields: string) =>
    `Changed elsewhere: ${fields}. Saving overwrites those changes with what you typed.`,
  load: "Load the newer version",
  discard: {
    title: "Discard Changes?",
    text: "You'll lose what you typed for this item.",
    yes: "Discard",
    no: "Keep Editing",
  },
  /** In the place of what is said there, where a try to save it was not answered. */
  discardSent:
    "You'll lose what you typed for this item. If it was already saved, it stays in My Listings, where only you can see it.",
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
  maxDays: "maximum rental period",
  policy: "cancellation policy",
  city: "city",
  isPublic: "who can see it",
  groups: "groups",
});
