// The texts of the pages that links of invitations lead to.
import { spoken } from "../../lib/tongue";

export const words = spoken({
  join: {
    title: "Invitation",
    over: "This invitation no longer works",
    overText: "It was used, expired or withdrawn. You can still sign up and find your friends.",
    signUp: "Sign Up",
    signIn: "Sign In",
    isIn: (name: string) => `You're signed in as ${name}`,
    isInText: (name: string) =>
      `${name} sent this invitation to someone new. If that was you, look for a friend request from ${name}.`,
    isInUnknown: "Invitations are for people who aren't members yet.",
    requests: "Friend requests",
    home: "Home",
  },
  decline: {
    title: "Stop invitations",
    ask: "Stop getting invitations?",
    text: (address: string) => `Nobody on this server will be able to invite ${address} by email.`,
    textUnknown: "Nobody on this server will be able to invite you by email.",
    yes: "Stop invitations",
    done: "You won't get any more invitations.",
    doneText: "Nothing else changed. You can still sign up anytime.",
    allow: "Allow invitations again",
    allowed: "You can get invitations again.",
    allowedText: "You can stop them again with the same link.",
  },
});
