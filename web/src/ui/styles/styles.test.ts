// The style sheet has what the parts of Mantine need that the app uses, and no more comes with them unseen.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const src = join(import.meta.dirname, "..", "..");
const styles = join(src, "..", "node_modules/@mantine/core/styles");
const sheet = readFileSync(join(import.meta.dirname, "index.css"), "utf8");

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
  SegmentedControl: ["FloatingIndicator"],
  Tabs: ["UnstyledButton"],
  TextInput: ["Input"],
  Textarea: ["Input"],
};

function used(): Set<string> {
  const names = new Set<string>();
  for (const file of readdirSync(src, { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(file) || file.includes(".test.")) continue;
    const code = readFileSync(join(src, file), "utf8");
    for (const [, list = ""] of code.matchAll(/import \{([^}]*)\} from "@mantine\/core"/g))
      for (const name of list.split(",")) names.add(name.trim());
  }
  return names;
}

it("the_style_sheet_has_each_part_that_is_used", () => {
  const files = new Set(readdirSync(styles));
  const needed = [...used()].flatMap((name) => [name, ...(MADE_OF[name] ?? [])]);
  const missing = needed.filter(
    (name) => files.has(`${name}.layer.css`) && !sheet.includes(`@mantine/core/styles/${name}.layer.css`),
  );
  expect(missing).toEqual([]);
});
