// Every text of one's own data: a copy of it, and its end.
import { spoken } from "../../lib/tongue";

export const words = spoken({
  title: "Your data",
  back: "Back to Settings",
  networkError: "Network error",
  copy: {
    title: "A copy of your data",
    text: "All that is kept of you, as one file that other programs can read: your account, friends, favors, items, rentals and notifications.",
    download: "Download my data",
    file: "goodturn-my-data.json",
    done: "Your data is downloaded.",
    failed: "Your data could not be downloaded. Please try again.",
    tooOften: "You have downloaded your data several times today. Please try again tomorrow.",
  },
  remove: {
    title: "Delete your account",
    text: "Your account ends for good. Nobody can bring it back.",
    open: "Delete account",
    goes: "What goes",
    goesList: [
      "Your name, picture, address, number and password",
      "Your friends, and requests that wait for an answer",
      "Favors that you asked for and that are still open",
      "Items that you lend, their pictures, and loans that were agreed",
      "Your notifications, devices and sign-ins everywhere",
    ],
    stays: "What stays",
    staysList: [
      "Favors and rentals that others had a part in: they keep them, with “Former member” in place of your name",
    ],
    word: "delete",
    label: (word: string) => `Type “${word}” to confirm`,
    wrong: (word: string) => `Please type “${word}”`,
    yes: "Delete my account",
    failed: "Account Not Deleted",
    itemsOut: "You have lent or borrowed something that is not back yet. Settle that first.",
    tryAgain: "Your account could not be deleted. Please try again.",
    done: "Your account is deleted.",
  },
});
