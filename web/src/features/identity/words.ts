// Every text of signing in and up, as documented. Those that stand there first: frameWords.ts; of the steps behind the first form: stepWords.ts.
import { spoken } from "../../lib/tongue";

export const words = spoken({
  terms: "By continuing, you agree to this server's terms and privacy policy.",
  localTesting: "LOCAL TESTING MODE",
  continueAs: (name: string) => `Continue as ${name}`,
  signInFailed: { title: "Sign In Failed", fallback: "Sign in failed", exception: "An unexpected error occurred" },
  verifiedSignIn: "Your account is verified. Please sign in.",
  networkError: "Network error",
  enterBoth: "Please enter both email and password.",
  fillAll: "Please fill in all fields",
  badEmail: "Please enter a valid email address",
  forgot: "Forgot password?",
  byCode: "Email me a code instead",
  loadingStep: "Loading the next step...",
  backToSignIn: "Back to Sign In",
  passwordSet: "Your new password is set. Please sign in.",
  titleForgot: "Forgot password",
  titleIn: "Sign in",
  titleUp: "Sign up",
  signInOrUp: "Sign in or sign up",
  signIn: "Sign In",
  signUp: "Sign Up",
  email: "Email",
  password: "Password",
  unconfirmed: "This address isn't verified yet. Enter the code we sent when you signed up, or request a new one.",
});
