// The style sheets have what the parts of Mantine need that the app uses, and lengths that grow with the letters.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const src = join(import.meta.dirname, "..", "..");
const styles = join(src, "..", "node_modules/@mantine/core/styles");
const sheets = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".css"));
const sheetOf = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");
const sheet = sheets.map(sheetOf).join("\n");

/** What is built of others needs their files too. */
const MADE_OF: Partial<Record<string, readonly string[]>> = {
  ActionIcon: ["UnstyledButton", "Loader"],
  Button: ["UnstyledButton", "Loader"],
  Checkbox: ["InlineInput"],
  Drawer: ["ModalBase", "Overlay", "Paper", "CloseButton"],
  Modal: ["ModalBase", "Overlay", "Paper", "CloseButton"],
  NativeSelect: ["Input"],
  PasswordInput: ["Input", "ActionIcon"],
  PinInput: ["Input", "Group"],
  Radio: ["InlineInput"],
  SegmentedControl: ["FloatingIndicator"],
  Tabs: ["UnstyledButton"],
  TextInput: ["Input"],
  Textarea: ["Input"],
};

function parts(): { file: string; code: string }[] {
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."))
    .map((file) => ({ file, code: readFileSync(join(src, file), "utf8") }));
}

function used(): Set<string> {
  const names = new Set<string>();
  for (const { code } of parts()) {
    for (const [, list = ""] of code.matchAll(/(?:import|export) \{([^}]*)\} from "@mantine\/core"/g))
      for (const name of list.split(",")) names.add(name.trim());
  }
  return names;
}

/** A line, which stays as thin as it is, and what is out of focus. */
const PIXELS = /\b[0-3](\.\d+)?px|blur\([^)]*\)|\/\*.*?\*\//gs;

// Who sets letters larger has all of it larger, and the room that is left counted in letters.
it("lengths_grow_with_the_letters", () => {
  expect(sheet.replaceAll(PIXELS, "").match(/^.*\dpx.*$/gm) ?? []).toEqual([]);
});

it("lengths_in_parts_grow_with_the_letters_too", () => {
  const length = /\b(width|height|min\w+|max\w+|margin\w*|padding\w*|gap|top|right|bottom|left|fontSize)/;
  const fixed = new RegExp(`style=\\{\\{[^}]*(${length.source}: \\d|\\d{2,}px)`);
  const found = parts().filter(({ code }) => fixed.test(code));
  expect(found.map(({ file }) => file)).toEqual([]);
});

it("icons_have_a_size_that_the_style_sheet_knows", () => {
  const known = new Set(["24", ...[...sheet.matchAll(/tabler-icon\[width="(\d+)"/g)].map(([, size]) => size)]);
  const icons = parts().flatMap(({ file, code }) =>
    [...code.matchAll(/<Icon\w*[^>]*? size=\{(\d+)\}/g)].map(([, size]) => ({ file, size })),
  );
  expect(icons.length).toBeGreaterThan(20);
  expect(icons.filter(({ size }) => !known.has(size))).toEqual([]);
});

it("the_style_sheets_have_each_part_that_is_used", () => {
  const files = new Set(readdirSync(styles));
  const needed = [...used()].flatMap((name) => [name, ...(MADE_OF[name] ?? [])]);
  const missing = needed.filter(
    (name) => files.has(`${name}.css`) && !new RegExp(`@mantine/core/styles/${name}(\\.layer)?\\.css`).test(sheet),
  );
  expect(missing).toEqual([]);
});

// A sheet that comes later stands before the first one in the page, so that the first one's layer would win.
it("what_comes_with_its_part_is_in_no_layer", () => {
  const layered = sheets.filter((name) => sheetOf(name).includes(".layer.css"));
  expect(layered).toEqual(["index.css"]);
  expect(sheetOf("index.css").match(/styles\/\w+\.css/g)).toBeNull();
});

it("tabs_come_with_their_styles", () => {
  const bare = parts().filter(({ code }) => /import \{[^}]*\bTabs\b[^}]*\} from "@mantine\/core"/.test(code));
  expect(bare.map(({ file }) => file).filter((file) => file !== "ui/Tabs.tsx")).toEqual([]);
});

const classesIn = (code: string): string[] =>
  [...code.matchAll(/className="([^"]*)"/g)].flatMap(([, list = ""]) => list.split(" "));

// It stays on the page once it was loaded: what others call so too would look otherwise from then on.
it("the_sheet_of_ones_own_picture_names_nothing_that_other_parts_have", () => {
  const names = [...sheetOf("picture.css").matchAll(/^\s*\.([\w-]+)/gm)].map(([, name]) => name ?? "");
  // The same in all sheets.
  const own = new Set(names.filter((name) => name !== "sent"));
  const others = parts().filter(({ file }) => !file.includes("profile"));
  expect(own).toContain("picture-acts");
  expect(others.filter(({ code }) => classesIn(code).some((name) => own.has(name))).map(({ file }) => file)).toEqual(
    [],
  );
});
