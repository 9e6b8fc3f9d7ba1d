// The texts of every report.
import { spoken } from "../lib/tongue";

export const reportFormWords = spoken({
  send: "Send report",
  networkError: "Network error",
});
