// Says where it was tried that something could not be sent.
import { isUnreached } from "../lib/errors";
import { say } from "./said";

/** Where the server was not reached it says so, with Retry, since the same may go well later. */
export function sayFailure(error: unknown, text: string, retry: () => void): void {
  const isLost = isUnreached(error);
  say(text, "no", isLost ? retry : undefined, isLost);
}
