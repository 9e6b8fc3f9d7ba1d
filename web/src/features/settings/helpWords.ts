// Help & FAQ: questions that members have, and their answers.
import { spoken } from "../../lib/tongue";

export const helpWords = spoken({
  topics: [
    {
      title: "How do I ask for a favor?",
      text: "Choose Request a Favor on Home, say what you need and when, choose friends and post it. Everybody you chose is notified, and the first who accepts helps you.",
    },
    {
      title: "Who sees my favor?",
      text: "Only the friends you chose. A draft is seen by nobody but you.",
    },
    {
      title: "How is a tip paid?",
      text: "Between the two of you, in cash or by any service that you both use. Goodturn moves no money and takes no share. When all is paid, mark the favor as settled.",
    },
    {
      title: "How do I find my friends?",
      text: "Under Friends, Find Friends, by their e-mail address or by a phone number that they verified. You are friends as soon as they accept your request.",
    },
    {
      title: "Can somebody who helps suggest another time?",
      text: "Yes. They answer with Another time and say what suits them. You change the favor or leave it as it is.",
    },
    {
      title: "What do my friends see of me?",
      text: "Your name, your picture and your e-mail address. Your phone number stays yours, and your payment usernames are shown only to those you help.",
    },
    {
      title: "I lost my password or my phone",
      text: "At the sign-in, “Forgot password?” sends you a code by e-mail. If a code of your authenticator is asked for, one of your recovery codes stands in for it.",
    },
    {
      title: "How do I leave?",
      text: "Settings, Your data: there you download all that is kept of you, and delete your account.",
    },
  ],
  more: "Did you not find your answer? Report a Problem reaches those who run this server.",
});
