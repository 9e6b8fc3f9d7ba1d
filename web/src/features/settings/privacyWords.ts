// Privacy & Terms, in plain words.
import { spoken } from "../../lib/tongue";

export const privacyWords = spoken({
  topics: [
    {
      title: "Who runs this",
      text: "Anyone can run a Goodturn server. The people who run this one keep your data and are responsible for it. They may also have terms of their own.",
    },
    {
      title: "What we store",
      text: "Your name, picture, email address, phone number, time zone and payment usernames; your friends and requests; favors and rentals with their answers, history and ratings; items with their pictures; notifications; and where you're signed in. Your password is stored only in a form nobody can read.",
    },
    {
      title: "Who sees it",
      text: "Friends see your name, picture and email address. A favor is visible to you and the friends you asked, an item to the people you list it for, and a rental to its owner and borrower, who see each other's email address once it's accepted. Nobody sees your phone number. We sell nothing, and the app has no ads or trackers.",
    },
    {
      title: "What stays on this device",
      text: "Your sign-in, anything you typed or chose but didn't send, your profile for a day, and whether the device is remembered. Signing out removes your sign-in, your unsent text and your profile.",
    },
    {
      title: "Your rights",
      text: "In Settings, Your data, you can download everything or delete your account at any time. Favors and rentals you shared with others stay in their history, without your name.",
    },
  ],
  terms: [
    {
      title: "What you agree to",
      text: "Ask and help like a good neighbor. Favors, tips and rentals are between members. Goodturn doesn't move money or vouch for anyone. The people who run the server can remove anyone who harms others.",
    },
  ],
});
