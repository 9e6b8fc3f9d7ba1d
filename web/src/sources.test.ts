// Rules over the sources that a linter does not know.
import { expect, it } from "vitest";

const sources = import.meta.glob<string>(["./{app,features,ui}/**/*.{ts,tsx}", "!./**/*.test.*"], {
  eager: true,
  import: "default",
  query: "?raw",
});

/** The lines, outside comments, that match. */
function linesWith(pattern: RegExp): string[] {
  return Object.entries(sources).flatMap(([file, text]) =>
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
  expect(linesWith(empty).filter((line) => !line.includes("select:"))).toEqual([]);
});
