// Help & FAQ: questions that members have, and their answers.
import { spoken } from "../../lib/tongue";

export const helpWords = spoken({
  topics: [
    {
      title: "How do I request a favor?",
      text: "Tap Request a Favor on Home, say what you need and when, choose friends or groups, and post it. Everyone you chose is notified, and whoever accepts first will help you. If you ask all your friends, they offer to help and you choose who does it.",
    },
    {
      title: "Who sees my favor?",
      text: "The friends you chose, or all your friends if you asked all of them. Only you can see a draft.",
    },
    {
      title: "How is a tip paid?",
      text: "Between the two of you, in cash or with any service you both use. Goodturn doesn't move money or take a cut. Once it's paid, mark the favor as settled.",
    },
    {
      title: "How do I lend something?",
      text: "Go to Share Stuff, List Item. Say what it is, the price per day if there is one, and who can see it. You accept or decline each request. Either of you can mark it as handed over. The borrower marks it returned, and you confirm.",
    },
    {
      title: "How do I borrow something?",
      text: "Go to Share Stuff, Browse. Choose an item and the dates, and ask. It's yours for those dates once the owner accepts. We'll remind you before it's due, and you can ask for more days.",
    },
    {
      title: "What if something is late or broken?",
      text: "Add notes and pictures when it's handed over and when it's returned. You can both see them. Goodturn doesn't hold deposits or settle disputes. If you're concerned about someone, you can report or block them.",
    },
    {
      title: "How do I find my friends?",
      text: "Go to Friends, Find Friends, and search by email address or verified phone number. You're friends as soon as the other person accepts. If someone isn't a member yet, you can invite them by email.",
    },
    {
      title: "Can a helper suggest another time?",
      text: "Yes. They choose Another time and say what works for them. You can use the time they propose or decline it.",
    },
    {
      title: "What can my friends see about me?",
      text: "Your name, picture and email address. Your phone number stays private, and only people you help and people who owe you for a rental see your payment usernames.",
    },
    {
      title: "How do I get fewer emails?",
      text: "Go to Settings, Notifications, and choose Everything, Important or Quiet. To choose for each topic (instantly, once a day in the morning, or not at all), tap Customize. Each of these emails also has a link to stop them.",
    },
    {
      title: "I lost my password or my phone",
      text: "At sign-in, “Forgot password?” emails you a code. If you're asked for an authenticator code, you can use a recovery code instead.",
    },
    {
      title: "How do I leave?",
      text: "Go to Settings, Your data. There you can download everything we store about you and delete your account.",
    },
  ],
  more: "Didn't find your answer? Report a Problem goes to the people who run this server.",
});
