// The texts of the pages that links of invitations lead to.
import { spoken } from "../../lib/tongue";

export const words = spoken({
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
    allow: "Allow invitations again",
    allowed: "Invitations can be mailed to you again.",
    allowedText: "By the same link you can end them once more.",
  },
});
