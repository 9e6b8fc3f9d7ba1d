// The texts of a report of a problem.
import { spoken } from "../../lib/tongue";

export const REPORT_LENGTH_MAX = 4000;

export const reportWords = spoken({
  text: "It goes to those who run this server, with your name, so that they can ask you.",
  label: "What happened?",
  empty: "Please say what happened",
  failed: "Report Not Sent",
  tryAgain: "Your report could not be sent. Please try again.",
  tooOften: "You have sent many reports today. Please try again tomorrow.",
  sent: "Thank you. Your report is with those who run this server.",
});
