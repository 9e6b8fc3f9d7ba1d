// The texts around signing in and up, which are there before its forms.
import { spoken } from "../../lib/tongue";

export const words = spoken({
  welcomeBack: "Welcome back",
  welcomeBackSub: "Someone nearby could use your help today.",
  welcome: "Welcome to Goodturn",
  welcomeSub: "Get a hand. Lend a hand.",
  checkMail: "Check your email",
  codeSentTo: (address: string) => `We sent a 6-digit code to ${address}`,
  forgot: "Forgot your password?",
  forgotSub: "We'll email you a code to choose a new password.",
  newPassword: "Choose a new password",
  loading: "Loading",
  motto: "Good neighbors,\none favor at a time.",
});
