// The texts of the end of mails, by a link in one of them.
import { spoken } from "../../lib/tongue";

export const unsubscribeWords = spoken({
  title: "Fewer mails",
  ask: "Do you want fewer mails?",
  text: (address: string) => `Nothing is mailed to ${address} any more when:`,
  yes: "End these mails",
  done: "These mails have ended.",
  doneText: "It still stands in Notifications. In the settings you choose again what is mailed.",
});
