// The texts around the pages that links in mails lead to.
import { spoken } from "../lib/tongue";

export const linkWords = spoken({
  loading: "Looking at the link...",
  failed: "The link could not be looked at. Please try again.",
  over: "This link does not count any more",
  overText: "It has expired, or a part of it is missing. Nothing was changed.",
  toStart: "Go to Goodturn",
  notSaved: "Not Saved",
  tryAgain: "It could not be saved. Please try again.",
  networkError: "Network error",
});
