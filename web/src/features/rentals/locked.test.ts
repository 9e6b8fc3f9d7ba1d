// A note that is locked while it is sent can be read, in light and in dark.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { luminance } from "@mantine/core";
import { expect, it } from "vitest";
import { cssVariables, theme } from "../../ui/theme";

const sheet = readFileSync(join(import.meta.dirname, "rentals.css"), "utf8");
const LOCKED = "textarea:disabled:not(:placeholder-shown) {";

const rule = (): string => sheet.split(LOCKED)[1]?.split("}")[0] ?? "";
const tokenOf = (property: string): string => new RegExp(`\\b${property}: var\\((.*)\\)`).exec(rule())?.[1] ?? "";

function contrastOf(color: string, ground: string): number {
  const [darker = 0, lighter = 0] = [luminance(color), luminance(ground)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

it("words_that_are_locked_while_they_are_sent_can_be_read", () => {
  // Mantine draws a field that is disabled at little more than half.
  expect(rule()).toContain("opacity: 1;");
  const { light, dark } = cssVariables(theme as Parameters<typeof cssVariables>[0]);
  for (const tokens of [light, dark] as Record<string, string>[]) {
    const [color = "", ground = ""] = [tokens[tokenOf("color")], tokens[tokenOf("background")]];
    expect(contrastOf(color, ground)).toBeGreaterThanOrEqual(4.5);
  }
});
