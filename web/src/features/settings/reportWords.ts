// The texts of a report of a problem.
import { spoken } from "../../lib/tongue";

export const REPORT_LENGTH_MAX = 4000;

export const reportWords = spoken({
  text: "This goes to the people who run this server, with your name, so they can follow up.",
  label: "What happened?",
  empty: "Please say what happened",
  failed: "Report Not Sent",
  tryAgain: "Your report couldn't be sent. Please try again.",
  tooOften: "You've sent a lot of reports. Please try again later.",
  sent: "Thank you. We sent your report to the people who run this server.",
});
