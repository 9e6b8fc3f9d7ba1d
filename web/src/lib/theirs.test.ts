// What members have written stands among our texts and changes nothing around it.
import { expect, it } from "vitest";
import { spoken } from "./tongue";
import { calm, isolated } from "./theirs";

const pile = "\u0301".repeat(60);

it.each([
  ["Zoë Nguyễn", "Zoë Nguyễn"],
  [`Za${pile}lgo`, `Za${"\u0301".repeat(4)}lgo`],
  ["👩‍👧 ❤️ 🇩🇪", "👩‍👧 ❤️ 🇩🇪"],
  ["one\n\ntwo", "one\n\ntwo"],
  [`one${"\n \n".repeat(90)}two`, "one\n\ntwo"],
])("%j_is_calm_as_%j", (text, shown) => expect(calm(text)).toBe(shown));

it.each([
  ["Ana Ruiz", "Ana Ruiz"],
  ["שרה", "\u2068שרה\u2069"],
  ["Ana\u200f", "\u2068Ana\u200f\u2069"],
  ["محمد 12", "\u2068محمد 12\u2069"],
])("%j_stands_in_a_sentence_as_%j", (text, shown) => expect(isolated(text)).toBe(shown));

it("what_is_put_into_a_text_is_isolated_wherever_it_is_put", () => {
  const words = spoken({
    plain: "Sent",
    deep: { asks: (name: string, count: number) => `${name} asks ${count}` },
    all: (names: readonly string[]) => names.join(" and "),
  });
  expect(words.plain).toBe("Sent");
  expect(words.deep.asks("שרה", 2)).toBe("\u2068שרה\u2069 asks 2");
  expect(words.all(["Ana", "שרה"])).toBe("Ana and \u2068שרה\u2069");
});
