// The texts of signing up, of codes and of new passwords, as documented.
import { spoken } from "../../lib/tongue";

export const stepWords = spoken({
  confirmFailed: {
    title: "Verification Failed",
    fallback: "Confirmation failed",
    exception: "An unexpected error occurred during verification",
  },
  wrongOrClock: "Incorrect username or password. If you're sure they're right, check this device's date and time.",
  resent: "Verification code sent to your email",
  resendFailed: "Failed to resend code",
  verified: "Your email address is verified. Signing you in...",
  enterCode: "Please enter the verification code",
  forgotFailed: { title: "Code Not Sent", fallback: "Failed to send code" },
  sendCode: "Send code",
  setPassword: "Set new password",
  resetFailed: { title: "Password Not Changed", fallback: "Failed to set the new password" },
  noCode: "No code? Check your spam folder.",
  resend: "Resend code",
  haveAccount: "Already have an account?",
  signInInstead: "Sign in instead",
  resetPassword: "Reset your password",
  otherAddress: "Use another email address",
  verify: "Verify",
  createAccount: "Create account",
  fullName: "Full name",
  passwordAgain: "Confirm password",
  invitedBy: (name: string) => `${name} invited you. Their friend request will be waiting when you join.`,
  signUpFailed: { title: "Sign Up Failed", fallback: "Sign up failed" },
});
