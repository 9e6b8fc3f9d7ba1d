// Every text of signing in and up, as documented. Those that stand there first: frameWords.ts; of the steps behind the first form: stepWords.ts.
import { spoken } from "../../lib/tongue";

export const words = spoken({
  terms: "By continuing you agree to the terms and the privacy policy of those who run this server.",
  termsLink: "Terms",
  privacyLink: "Privacy",
  sessionEnded: "You were signed out. Sign in again to continue.",
  localTesting: "LOCAL TESTING MODE",
  continueAs: (name: string) => `Continue as ${name}`,
  signInFailed: { title: "Sign In Failed", fallback: "Sign in failed", exception: "An unexpected error occurred" },
  verifiedSignIn: "Your account is verified. Please sign in.",
  networkError: "Network error",
  enterBoth: "Please enter both email and password.",
  fillAll: "Please fill in all fields",
  badEmail: "Please enter a valid email address",
  forgot: "Forgot password?",
  byCode: "Send me a code instead",
  loadingStep: "Loading the next step...",
  backToSignIn: "Back to Sign In",
  passwordSet: "Your new password is set. Please sign in.",
  titleForgot: "Forgot password",
  titleIn: "Sign in",
  titleUp: "Sign up",
  signInOrUp: "Sign in or sign up",
  signIn: "Sign In",
  signUp: "Sign Up",
  email: "E-mail",
  password: "Password",
  unconfirmed:
    "This address is not verified yet. Type the code that we sent when you signed up, or have another one sent.",
});
