// What is asserted of every screen: the picture is taken for people to look at, and machines look for what they can find.
import { test as base, expect, type Page, type TestInfo } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";

const SCHEMES = ["light", "dark"] as const;

/** A page whose console must stay quiet. */
export const test = base.extend<{ quiet: void }>({
  quiet: [
    async ({ page }, use) => {
      const said: string[] = [];
      page.on("console", (message) => message.type() === "error" && said.push(message.text()));
      page.on("pageerror", (error) => said.push(error.message));
      await use();
      expect(said, "errors in the console").toEqual([]);
    },
    { auto: true },
  ],
});

export async function expectNoSidewaysScroll(page: Page, name: string): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(over, `${name} is wider than its screen, by pixels`).toBe(0);
}

/** What is moving has arrived. What has just changed, as the scheme, begins to move with the next frame. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
}

/** The same, and nothing is a skeleton any more. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator(".mantine-Skeleton-root, .mantine-Loader-root").filter({ visible: true })).toHaveCount(0);
  await still(page);
}

/** For people to look at, in the ignored folder `screenshots`: taken where PICTURES is set, since they take longer than what is asserted. */
export async function picture(page: Page, info: TestInfo, name: string, options = {}): Promise<void> {
  if (process.env["PICTURES"] === undefined) return;
  await page.screenshot({ path: `screenshots/${name}.${info.project.name}.png`, scale: "css", ...options });
}

/**
 * What axe finds: each rule that is broken, and where. It comes into a document once, and tells nothing of what is in order: to name all of that takes it
 * longer than to look.
 */
async function brokenRules(page: Page, options: RunOptions): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async (run) => {
      const { violations } = await (Reflect.get(window, "axe") as typeof axe).run(run);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
    },
    { ...options, resultTypes: ["violations"] } satisfies RunOptions,
  );
}

/** Pictures of a screen in both schemes, and what axe finds in each: nothing. */
export async function look(page: Page, info: TestInfo, name: string): Promise<void> {
  await expectNoSidewaysScroll(page, name);
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    await settled(page);
    await picture(page, info, `${name}.${scheme}`);
    // Of what axe knows, only the colours can differ in the second scheme.
    const found = await brokenRules(
      page,
      scheme === "dark" ? { runOnly: { type: "rule", values: ["color-contrast"] } } : {},
    );
    expect.soft(found, `axe on ${name}, ${scheme}`).toEqual([]);
  }
}

/** From the next page on: each answer comes by itself, as on a slow network, the first after so long. @returns how much has jumped since. */
export async function watchShift(page: Page, first_ms = 0): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Object.assign(window, { shift: Reflect.get(window, "shift") + Reflect.get(entry, "value") });
    }).observe({ type: "layout-shift", buffered: true });
  });
  let waits_ms = first_ms;
  await page.route(/\/goodturn\.[^/]+\/(Get|List)/, async (route) => {
    waits_ms += 150;
    await new Promise((resolve) => setTimeout(resolve, waits_ms));
    await route.continue();
  });
  return () => page.evaluate(() => Reflect.get(window, "shift") as number);
}
