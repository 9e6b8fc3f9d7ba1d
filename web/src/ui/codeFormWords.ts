// The texts of a code that was sent: to type it, to have another, and why it was not taken.
import { spoken } from "../lib/tongue";

export const codeFormWords = spoken({
  networkError: "Network error",
  tooMany: "Too many tries. Please wait a while.",
  failedToSave: "This could not be saved. Please try again.",
  enterCode: "Please enter the verification code",
  wrongCode: "Invalid verification code",
  expiredCode: "This code is too old. Ask for another one.",
  resend: "Resend code",
  sentAgain: "We sent another code.",
  notSentAgain: "No other code was sent.",
  codeNotSent: "No code was sent.",
  codeUnsure: "It is not known whether the code was taken: the answer did not come.",
  verify: "Verify",
});
