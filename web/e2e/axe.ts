// Accessibility checks with axe.
import type { Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";
import { expect } from "./test";

/** Naming all that is in order would take axe longer than looking. No page has frames or media. */
const QUICK: RunOptions = { resultTypes: ["violations"], iframes: false, preload: false };
const RULES = {
  all: QUICK,
  contrast: { ...QUICK, runOnly: { type: "rule", values: ["color-contrast"] } },
} satisfies Record<string, RunOptions>;

/** Axe finds nothing by all of its rules, or by the one about colors. A document gets it once. */
export async function expectAccessible(page: Page, name: string, rules: keyof typeof RULES): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(async (run) => {
    // A sheet stands over a screen that has had a look of its own.
    const isSheet = document.querySelector("[role=dialog]") !== null;
    const front = [...document.querySelectorAll("[role=dialog], dialog[open], [role=alert], [role=status]")];
    const context = isSheet ? { include: front } : document;
    const { violations } = await (Reflect.get(window, "axe") as typeof axe).run(context, run);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  }, RULES[rules]);
  expect.soft(found, `axe on ${name}`).toEqual([]);
}
