// Rules over the sources that a linter does not know.
import { expect, it } from "vitest";
import page from "../index.html?raw";
import { textsIn } from "./testing/texts";
import { bareIn } from "./testing/theirs";

const sources = import.meta.glob<string>(["./{app,features,lib,ui}/**/*.{ts,tsx}", "!./**/*.test.*"], {
  eager: true,
  import: "default",
  query: "?raw",
});

const writes = (file: string): boolean =>
  /lib\/(countries|tongue|times|days|money|lists|rating|theirs)\.ts$/.test(file);
const isLib = (file: string): boolean => file.startsWith("./lib/");
const isWords = (file: string): boolean => /[wW]ords\.ts$/.test(file);

/** The lines, outside comments, that match. */
function linesWith(pattern: RegExp, isIt = (_file: string): boolean => true): string[] {
  return Object.entries(sources)
    .filter(([file]) => isIt(file))
    .flatMap(([file, text]) =>
      text
        .split("\n")
        .map((line, i) => ({ line, at: `${file}:${i + 1}` }))
        .filter(({ line }) => !/^\s*(\/\/|\*|\/\*)/.test(line) && pattern.test(line))
        .map(({ line, at }) => `${at} ${line.trim()}`),
    );
}

it("there_are_sources_to_look_at", () => expect(Object.keys(sources).length).toBeGreaterThan(40));

// While a query loads, and after it failed, its data is unknown. What an answer leaves out is empty, inside its `select`.
it("what_is_not_known_is_not_made_an_empty_list", () => {
  const empty = /(\?\?|\|\|)\s*\[\]|\bdata(: \w+)? = \[\]/;
  expect(linesWith(empty, (file) => !isLib(file)).filter((line) => !line.includes("select:"))).toEqual([]);
});

it("what_tries_again_is_retry", () => {
  expect(linesWith(/\bwords\.retry\b/i).every((line) => line.startsWith("./ui/Retry.tsx"))).toBe(true);
});

it("every_text_stands_in_the_words_of_its_area", () => {
  const parts = Object.entries(sources).filter(([file]) => !isWords(file) && !isLib(file));
  expect(parts.flatMap(([file, code]) => textsIn(file, code))).toEqual([]);
});

it("texts_are_found_wherever_they_are_shown", () => {
  const code = `
    throw new Error("Nobody reads this");
    const way = { label: "Open", to: "/inbox", sentence: "Two words" };
    say(gone ? "gone" : words.sent);
    const part = <p className="dim" title={"Who " + name}>Hello, {name} {done && \`\${name}, done\`} {a === "b"}</p>;`;
  const texts = textsIn("a.tsx", code).map((line) => line.split(" ").slice(1).join(" "));
  expect(texts.toSorted()).toEqual([", done", "Hello,", "Open", "Two words", "Who", "gone"]);
});

// A sentence that is put together from texts has the order of one language.
it("texts_are_not_put_together", () => {
  expect(
    linesWith(/\$\{\w*[wW]ords\.|[wW]ords\.[\w.]+\} \{|[wW]ords\.[\w.]+ \+ ["`]/, (file) => !isWords(file)),
  ).toEqual([]);
});

it("words_are_spoken", () => {
  const isSpoken = /export const \w+(: .*)? = (?!spoken[(<])/;
  expect(linesWith(isSpoken, isWords).filter((line) => !/_MAX = \d+;$|firstWords/.test(line))).toEqual([]);
});

// As the documents spell: "favor", "neighbor" and "color"; of "cancelled" they have the form with two l.
it("texts_have_american_spelling", () => {
  const british =
    /\b(behavi|col|endeav|fav|harb|hon|hum|lab|neighb|rum|vap)our|\b(canceled|canceling|centre|cheque|grey|licence|theatre)\b|\b(apolog|author|organ|recogn|real|summar)is(e|ing|ation)/i;
  expect(linesWith(british, isWords).filter((line) => /["`].*["`]/.test(line))).toEqual([]);
});

// Dates, numbers and lists are written by lib/, in the manner of the member's region.
it("nothing_is_written_in_a_fixed_order", () => {
  const fixed = /toLocale\w*String|"en-US"|new Intl\.|dayjs|toFixed\(|\.format\(["'`]|\.join\(", "\)/;
  expect(linesWith(fixed, (file) => !writes(file))).toEqual([]);
});

// One member's text never breaks another's screen: Words has it break, and keeps its direction to itself.
it("words_of_members_are_shown_by_words", () => {
  expect(Object.entries(sources).flatMap(([file, code]) => bareIn(file, code))).toEqual([]);
});

it("words_of_members_are_found_wherever_they_are_shown", () => {
  const code = `
    const row = { value: user.email, label: "Email" };
    const part = <p title={favor.title}>
      {favor.title || words.untitled} {name} <Words>{user.displayName}</Words> {words.title} {words.asks(name)}
      {event.message !== "" && <q>{event.message}</q>} {favor?.description} {mine ? you : nameOf(user)}
    </p>;`;
  const found = bareIn("a.tsx", code).map((line) => /^\S+ ([\w?.]+)/.exec(line)?.[1]);
  expect(found.toSorted()).toEqual([
    "event.message",
    "favor.title",
    "favor?.description",
    "name",
    "nameOf",
    "user.email",
  ]);
});

it("the_page_before_any_script_has_its_texts_from_words", () => {
  const shown = page.replaceAll(/<!--.*?-->|<style>.*?<\/style>|<script>.*?<\/script>|\{\{\w+\}\}/gs, "");
  const texts = shown.replaceAll(/<[^>]*>/g, "").match(/\S+/g) ?? [];
  const attributes = shown.match(/(aria-label|title|alt|name="description" content)="[^"]*\p{L}[^"]*"/gu) ?? [];
  expect([...texts, ...attributes]).toEqual([]);
});
