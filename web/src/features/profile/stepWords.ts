// The texts of the phone-number step, as documented.
import { spoken } from "../../lib/tongue";

export const stepWords = spoken({
  title: "Your phone number",
  sub: "People who know your number can use it to find you. Nobody can see it.",
  codeTitle: "Verify your number",
  codeSub: "So nobody else can use it.",
  label: "Phone number",
  loading: "Loading...",
  go: "Continue",
  skip: "Skip for now",
  later: "Verify it later",
  ask: {
    title: "Skip for now?",
    text: "You can add your phone number later in Settings.",
    yes: "Skip for now",
  },
  skipFailed: "We couldn't skip this step. Please try again.",
  failed: "Number Not Saved",
  saved: "Your phone number is saved.",
  networkError: "Network error",
});
