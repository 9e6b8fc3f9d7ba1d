// The texts of handing on the address of a thing.
import { spoken } from "../lib/tongue";

export const shareWords = spoken({
  copyLink: "Copy link",
  share: "Share",
  shareFailed: "Your browser couldn't share the link. Copy it instead.",
  itemText: "Anyone with a Goodturn account can open this link.",
  friendsText: "Only friends who can see the item can open this link.",
  favorText: "Any of your friends can open this link.",
});
