// The texts of a code that was sent: to type it, to have another, and why it was not taken; and why a new password was not.
import { spoken } from "../lib/tongue";

export const codeFormWords = spoken({
  networkError: "Network error",
  tooMany: "Too many attempts. Please try again later.",
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
  /** By what the identity protocol says of a new password that is refused. */
  passwordFaults: {
    "Password not long enough": "Your password is too short.",
    "Password too long": "Your password is too long.",
    "Password must have uppercase characters": "Your password needs at least one uppercase letter.",
    "Password must have lowercase characters": "Your password needs at least one lowercase letter.",
    "Password must have numeric characters": "Your password needs at least one number.",
    "Password must have symbol characters": "Your password needs at least one symbol.",
    "Password must not be the temporary one": "Please choose a password other than the temporary one.",
  },
});
