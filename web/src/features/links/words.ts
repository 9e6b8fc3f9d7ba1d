// The texts of the pages that links in mails lead to.
import { spoken } from "../../lib/tongue";

export const words = spoken({
  loading: "Looking at the link...",
  failed: "The link could not be looked at. Please try again.",
  over: "This link does not count any more",
  overText: "It has expired, or a part of it is missing. Nothing was changed.",
  toStart: "Go to Goodturn",
  networkError: "Network error",
  join: {
    title: "Invitation",
    over: "This invitation does not count any more",
    overText: "It was used, has expired or was called off. You can sign up all the same, and find your friends then.",
    signUp: "Sign Up",
    signIn: "Sign In",
    isIn: (name: string) => `You are signed in as ${name}`,
    isInText: (name: string) =>
      `${name} invites somebody who is not a member yet. If that is you, their friend request is among yours.`,
    isInUnknown: "An invitation is for somebody who is not a member yet.",
    requests: "Friend requests",
    home: "Home",
  },
  decline: {
    title: "No more invitations",
    ask: "Do you want no more invitations?",
    text: (address: string) => `Nobody on this Goodturn can have an invitation mailed to ${address} then.`,
    textUnknown: "Nobody on this Goodturn can have an invitation mailed to your address then.",
    yes: "No more invitations",
    done: "No more invitations are mailed to you.",
    doneText: "Nothing else has changed. You can still sign up whenever you like.",
    failed: "Not Saved",
    tryAgain: "It could not be saved. Please try again.",
  },
});
