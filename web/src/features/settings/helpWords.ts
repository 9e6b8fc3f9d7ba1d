// Help & FAQ: questions that members have, and their answers.
import { spoken } from "../../lib/tongue";

export const helpWords = spoken({
  topics: [
    {
      title: "How do I ask for a favor?",
      text: "Choose Request a Favor on Home, say what you need and when, choose friends or groups and post it. Everybody you chose is notified, and the first who accepts helps you. If you ask all friends, they offer their help, and you choose who does it.",
    },
    {
      title: "Who sees my favor?",
      text: "The friends you chose, or all your friends if you asked all of them. A draft is seen by nobody but you.",
    },
    {
      title: "How is a tip paid?",
      text: "Between the two of you, in cash or by any service that you both use. Goodturn moves no money and takes no share. When all is paid, mark the favor as settled.",
    },
    {
      title: "How do I lend something?",
      text: "Under Share Stuff, List Item: say what it is, what a day costs if anything, and who can see it. You accept or decline each request. Both of you note when it is handed over and when it comes back.",
    },
    {
      title: "How do I borrow something?",
      text: "Under Share Stuff, Browse, choose an item and the days, and ask. It is yours for these days once the owner accepts. You are reminded before it is due, and can ask for more days.",
    },
    {
      title: "What if something is late or broken?",
      text: "Write it down with pictures when you hand it over and when it comes back: both of you see that. Goodturn holds no deposit and settles no dispute. If a member worries you, you can report or block them.",
    },
    {
      title: "How do I find my friends?",
      text: "Under Friends, Find Friends, by their e-mail address or by a phone number that they verified. You are friends as soon as they accept your request. Who is not a member yet can be invited by e-mail.",
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
      title: "How do I get fewer mails?",
      text: "Settings, Notifications: for each topic choose whether it is mailed at once, once a day in the morning, or not at all. Each of these mails has a link to end them, too.",
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
