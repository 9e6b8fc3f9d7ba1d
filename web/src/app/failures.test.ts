// The text that typed words were kept follows a failure as a sentence of its own.
import { expect, it } from "vitest";
import { formWords } from "../features/favors/formWords";
import { words as favorWords } from "../features/favors/words";
import { words as groupWords } from "../features/groups/words";
import { words as profileWords } from "../features/profile/words";
import { borrowWords } from "../features/rentals/borrowWords";

it.each([
  ["favor_form", formWords.notSent],
  ["favor", favorWords.notSent],
  ["group", groupWords.notSent],
  ["profile", profileWords.keptSaved],
  ["request", borrowWords.unsent],
])("a_failure_of_a_%s_ends_before_the_next_sentence", (_what, failed) => {
  expect(failed("This favor is gone")).toBe("This favor is gone. We kept what you typed.");
  expect(failed("Please try again.")).toBe("Please try again. We kept what you typed.");
});
