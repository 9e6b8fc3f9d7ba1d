// Says where it was tried that something could not be sent.
import { isUnreached } from "../lib/errors";
import { type About, say } from "./said";

/** Where the server was not reached it says so, with Retry, since the same may go well later. */
export function sayFailure(error: unknown, text: string, retry: () => void, about?: About): void {
  const isLost = isUnreached(error);
  say(text, "no", { retry: isLost ? retry : undefined, isLost, about });
}
