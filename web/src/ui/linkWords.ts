// The texts around the pages that links in mails lead to.
import { spoken } from "../lib/tongue";

export const linkWords = spoken({
  loading: "Checking the link...",
  failed: "We couldn't check this link. Please try again.",
  over: "This link no longer works",
  overText: "It expired, or part of it is missing. Nothing was changed.",
  toStart: "Go to Goodturn",
  notSaved: "Not Saved",
  tryAgain: "We couldn't save that. Please try again.",
  networkError: "Network error",
});
