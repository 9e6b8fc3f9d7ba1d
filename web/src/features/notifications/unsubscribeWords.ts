// The texts of the end of mails, by a link in one of them.
import { spoken } from "../../lib/tongue";

export const unsubscribeWords = spoken({
  title: "Fewer emails",
  ask: "Do you want fewer emails?",
  text: (address: string) => `We'll stop emailing ${address} when:`,
  yes: "Stop these emails",
  done: "You won't get these emails anymore.",
  doneText: "You'll still get these notifications in the app. You can turn the emails back on in Settings.",
});
