// Every text of one's own data: a copy of it, and its end.
import { spoken } from "../../lib/tongue";

export const words = spoken({
  title: "Your data",
  back: "Back to Settings",
  networkError: "Network error",
  copy: {
    title: "A copy of your data",
    text: "Everything we store about you, in one file that other programs can read: your account, friends, favors, items, rentals and notifications.",
    download: "Download my data",
    file: "goodturn-my-data.json",
    done: "Your data was downloaded.",
    failed: "We couldn't download your data. Please try again.",
    tooOften: "You've downloaded your data several times today. Please try again tomorrow.",
  },
  remove: {
    title: "Delete your account",
    text: "This deletes your account for good. Nobody can bring it back.",
    open: "Delete account",
    goes: "What's deleted",
    goesList: [
      "Your name, picture, email address, phone number and password",
      "Your friends and unanswered requests",
      "Favors you requested that are still open",
      "Items you lend and their pictures. Accepted rentals are cancelled.",
      "Your notifications, devices and sign-ins",
    ],
    stays: "What stays",
    staysList: ["Favors and rentals with others, without your name"],
    word: "delete",
    label: (word: string) => `Type “${word}” to confirm`,
    wrong: (word: string) => `Please type “${word}”`,
    password: "Your password",
    passwordHint: "You can leave this blank if you signed in within the last 10 minutes.",
    passwordNeeded:
      "Enter your password. If you don't have one, sign out, sign in again, and come back within 10 minutes.",
    wrongPassword: "That's not your password.",
    tooOften: "Too many wrong passwords. Please wait a while, then try again.",
    yes: "Delete my account",
    failed: "Account Not Deleted",
    itemsOut: "Something you lent or borrowed isn't back yet. Please take care of that first.",
    tryAgain: "We couldn't delete your account. Please try again.",
    done: "Your account was deleted.",
  },
});
