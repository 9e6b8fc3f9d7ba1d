// Privacy & Terms, in plain words.
import { spoken } from "../../lib/tongue";

export const privacyWords = spoken({
  topics: [
    {
      title: "Who runs this",
      text: "Goodturn is a program that anybody can run. Those who run this server keep your data and answer for it. They may have terms of their own beside these.",
    },
    {
      title: "What is kept",
      text: "Your name, picture, e-mail address, phone number, time zone and payment usernames; your friends and requests; favors and rentals with their answers, story and ratings; items with their pictures; notifications; and where you are signed in. Your password is kept only in a form that cannot be read.",
    },
    {
      title: "Who sees it",
      text: "Friends see your name, picture and e-mail address. A favor is seen by you and the friends you asked, an item by those you list it for, a rental by its two sides, who see each other's e-mail address once it is agreed. Your phone number is shown to nobody. Nothing is sold, and no advertiser or tracker is part of the app.",
    },
    {
      title: "What this device keeps",
      text: "Your sign-in, what you typed or chose and did not send, your profile for a day, and whether the device is remembered. Signing out removes the sign-in, your words and the profile.",
    },
    {
      title: "Your rights",
      text: "Under Settings, Your data, you download everything at any time, and delete your account. What others had a part in stays theirs, without your name.",
    },
  ],
  terms: [
    {
      title: "What you agree to",
      text: "Ask and help as a good neighbor would. Favors, tips and loans are agreed between members: Goodturn moves no money and vouches for nobody. Whoever harms others can be shut out by those who run the server.",
    },
  ],
});
