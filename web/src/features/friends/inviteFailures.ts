// Why an invitation was not sent.
import { hasReason, textOf } from "../../lib/errors";
import { inviteWords as words } from "./inviteWords";
import { words as friendsWords } from "./words";

const FAILURES = {
  SELF_REQUEST: friendsWords.thatIsYou,
  RATE_LIMITED: words.tooOften,
  LIMIT_REACHED: friendsWords.limitReached,
};

/** The title and the text of a failure; of a wrong address by their own. */
export function inviteFailureOf(error: unknown): { title: string; text: string } {
  if (hasReason(error, "INVALID_ARGUMENT")) return words.badEmail;
  return { title: words.failed.title, text: textOf(error, FAILURES, words.failed.text) };
}
