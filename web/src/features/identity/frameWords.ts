// The texts around signing in and up, which are there before its forms.
import { spoken } from "../../lib/tongue";

export const words = spoken({
  welcomeBack: "Welcome back",
  welcomeBackSub: "Somebody nearby could use you today.",
  welcome: "Welcome to Goodturn",
  welcomeSub: "Ask for a hand. Lend one back.",
  checkMail: "Check your e-mail",
  codeSentTo: (address: string) => `We sent a code with 6 digits to ${address}`,
  forgot: "Forgot your password?",
  forgotSub: "We send you a code by e\u2011mail. With it you choose a new password.",
  newPassword: "Choose a new password",
  loading: "Loading",
  motto: "Good neighbors,\none favor at a time.",
});
