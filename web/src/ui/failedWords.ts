// The texts beside what failed.
import { spoken } from "../lib/tongue";

export const failedWords = spoken({
  unsent: "There is no connection. What you typed is kept.",
  failedBy: (failure: string, why: string) => (/\p{P}$/u.test(failure) ? `${failure} ${why}` : `${failure}. ${why}`),
  typedKept: "What you typed is kept.",
});
