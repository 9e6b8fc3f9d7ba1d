// The texts of every report.
import { spoken } from "../lib/tongue";

export const reportFormWords = spoken({
  send: "Send",
  networkError: "Network error",
});
