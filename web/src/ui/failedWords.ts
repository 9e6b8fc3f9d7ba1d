// The texts beside what failed.
import { spoken } from "../lib/tongue";

/** As a sentence, which another may follow. */
const ended = (text: string): string => (/\p{P}$/u.test(text) ? text : `${text}.`);

export const failedWords = spoken({
  unsent: "No connection. We kept what you typed.",
  failedBy: (failure: string, why: string) => `${ended(failure)} ${why}`,
  ended: (failure: string) => ended(failure),
  typedKept: "We kept what you typed.",
});
