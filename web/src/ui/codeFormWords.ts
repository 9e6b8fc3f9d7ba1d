// The texts of a code that was sent: to type it, to have another, and why it was not taken.
import { spoken } from "../lib/tongue";

export const codeFormWords = spoken({
  networkError: "Network error",
  tooMany: "Too many tries. Please wait a bit.",
  failedToSave: "We couldn't save this. Please try again.",
  enterCode: "Please enter the verification code",
  wrongCode: "Invalid verification code",
  expiredCode: "This code has expired. Request a new one.",
  resend: "Resend code",
  sentAgain: "We sent a new code.",
  notSentAgain: "We couldn't send a new code.",
  codeNotSent: "We couldn't send a code.",
  codeUnsure: "We didn't hear back, so the code may or may not have worked.",
  verify: "Verify",
});
