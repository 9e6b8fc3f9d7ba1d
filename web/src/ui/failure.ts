// Says where it was tried that something could not be sent.
import { isUnreached } from "../lib/errors";
import { toast } from "./toast";

/** With Retry where the server was not reached, so that the same may go well later. */
export function toastFailure(error: unknown, text: string, retry: () => void): void {
  toast({ tone: "no", text, ...(isUnreached(error) ? { retry } : {}) });
}
