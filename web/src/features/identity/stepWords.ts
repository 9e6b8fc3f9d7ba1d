// The texts of signing up, of codes and of new passwords, as documented.
import { spoken } from "../../lib/tongue";

export const stepWords = spoken({
  confirmFailed: {
    title: "Verification Failed",
    fallback: "Confirmation failed",
    wrongCode: "Invalid verification code",
    exception: "An unexpected error occurred during verification",
  },
  resent: "Verification code sent to your email",
  resendFailed: "Failed to resend code",
  verified: "Your e\u2011mail address is verified. Signing you in…",
  enterCode: "Please enter the verification code",
  forgotFailed: { title: "No code was sent", fallback: "Failed to send code" },
  sendCode: "Send code",
  setPassword: "Set new password",
  resetFailed: {
    title: "Password Not Changed",
    fallback: "Failed to set the new password",
    wrongCode: "Invalid verification code",
  },
  noCode: "No code? Look in spam too.",
  resend: "Resend code",
  otherAddress: "Use another e\u2011mail address",
  verify: "Verify",
  createAccount: "Create account",
  fullName: "Full name",
  passwordAgain: "Confirm password",
  invitedBy: (name: string) => `${name} invites you. Their friend request waits for you when you are in.`,
  signUpFailed: { title: "Sign Up Failed", fallback: "Sign up failed" },
});
