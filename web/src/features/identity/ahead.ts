// The way to the calls of this area, which are loaded while somebody types. When they do not come, no call would arrive either.
import { words } from "./words";

export const calls = () => import("./calls");

const unreached = {
  failureOf: () => words.networkError,
  signInFailureOf: () => words.networkError,
  confirmFailureOf: () => words.networkError,
  resetFailureOf: () => words.networkError,
  hasReason: () => false,
  isCodeWrong: () => false,
  isUnreached: () => true,
} as const;

/** What tells one failure from another. */
export const failures = () => calls().catch(() => unreached);
