// The texts of signing out, and of going on with another account.
import { spoken } from "../lib/tongue";

export const signOutWords = spoken({
  signOutFailed: "Failed to sign out. Please try again.",
  signedOutHere:
    "You're signed out on this device. Keep this page open so we can finish signing you out once you're back online.",
  signedOut: "You're fully signed out.",
  otherAccount: "Use another account",
  otherAsk: {
    title: "Use another account",
    text: "You'll be signed out. Sign in with the other account to come back to this page.",
    yes: "Sign Out",
  },
});
