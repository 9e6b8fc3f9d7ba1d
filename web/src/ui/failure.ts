// Says where it was tried that something could not be sent.
import { isUnreached } from "../lib/errors";
import { say } from "./said";

/** With Retry where the server was not reached, so that the same may go well later. */
export function sayFailure(error: unknown, text: string, retry: () => void): void {
  say(text, "no", isUnreached(error) ? retry : undefined);
}
