// Texts in the manner of a region, and the pseudo-language.
import { afterEach, expect, it, vi } from "vitest";
import { pseudo } from "../testing/pseudo";
import { namesOf } from "./lists";
import { plural } from "./tongue";

const at = new Date(2026, 10, 21, 15, 30);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** What is written of a moment and of an amount where the browser has this locale. */
async function writtenIn(locale: string): Promise<string[]> {
  vi.spyOn(navigator, "language", "get").mockReturnValue(locale);
  vi.resetModules();
  const [{ exactTime, dayOf }, { moneyOf }] = await Promise.all([import("./times"), import("./money")]);
  return [exactTime(at, at), dayOf(at), moneyOf(1245, "USD")].map((text) => text.replaceAll(/\s/g, " "));
}

it.each([
  ["en-US", ["Sat, Nov 21 · 3:30 PM", "Nov 21, 2026", "$1,245.00 USD"]],
  ["en-GB", ["Sat 21 Nov · 15:30", "21 Nov 2026", "$1,245.00 USD"]],
  // The words are those of our texts, and their order is that of the region.
  ["de", ["Sat, 21 Nov · 15:30", "21 Nov 2026", "$1,245.00 USD"]],
  // What is no locale is none.
  ["en-US@posix", ["Sat, Nov 21 · 3:30 PM", "Nov 21, 2026", "$1,245.00 USD"]],
])("in_%s", async (locale, written) => expect(await writtenIn(locale)).toEqual(written));

it.each([
  [0, "0 friends"],
  [1, "1 friend"],
  [1200, "1,200 friends"],
])("%d_has_its_form", (count, text) =>
  expect(plural(count, (n) => ({ one: `${n} friend`, other: `${n} friends` }))).toBe(text),
);

it.each([
  [[], ""],
  [["Ben"], "Ben"],
  [["Ben", "Marcus"], "Ben and Marcus"],
  [["Ben", "Marcus", "Tom"], "Ben, Marcus and Tom"],
  [["Ben", "Marcus", "Tom", "Ana"], "Ben, Marcus and 2 others"],
])("%j_are_named_%s", (names, text) => expect(namesOf(names)).toBe(text));

it("the_pseudo_language_leaves_what_is_put_in", () => {
  const words = pseudo({
    retry: "Retry",
    none: "",
    asked: (names: readonly string[], count: number) => `${names.join(" + ")} asked ${count} times`,
    closed: (status: string) => (status === "" ? "Closed" : `It is ${status}`),
  });
  expect([words.retry, words.none]).toEqual(["[Réétrý]", ""]);
  expect(words.asked(["Ana", "Ben"], 3)).toBe("[Ana + Ben ååskééd 3 tîîméés]");
  expect([words.closed(""), words.closed("[gööñéé]")]).toEqual(["[Çlöösééd]", "[Îît îîs [gööñéé]]"]);
});

const lengthOf = (words: object): number =>
  Object.values(words).reduce((sum, text) => sum + (typeof text === "string" ? text.length : 0), 0);

it("the_words_of_an_area_can_be_in_it_and_are_longer", async () => {
  const { words: plain } = await import("../features/friends/words");
  vi.stubGlobal("goodturnSpoken", pseudo);
  vi.resetModules();
  const { words } = await import("../features/friends/words");
  expect(words.title).toBe("[Frîîééñds]");
  expect(lengthOf(words) / lengthOf(plain)).toBeGreaterThan(1.3);
  expect(lengthOf(words) / lengthOf(plain)).toBeLessThan(1.5);
});
