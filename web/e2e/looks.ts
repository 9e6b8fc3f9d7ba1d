// Assertions about a screen as it is: no console errors, no sideways scroll, no axe violations in
// either scheme. Also takes screenshots.
import type { Page, TestInfo } from "@playwright/test";
import { expectAccessible } from "./axe";
import { test as base, expect } from "./test";

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

/** All motion is over. A change of the scheme begins to move with the next frame. */
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

/**
 * For people to look at, in the ignored folder `screenshots`. It needs PICTURES, since taking one
 * costs more than all that is asserted.
 */
export async function picture(page: Page, info: TestInfo, name: string, options = {}): Promise<void> {
  if (process.env["PICTURES"] === undefined) return;
  const path = `screenshots/${name}.${page.viewportSize()?.width ?? 0}.png`;
  await page.screenshot({ path, scale: "css", ...options });
  await info.attach(name, { path });
}

/** Pictures of a screen in both schemes, and what axe finds in each: nothing. */
export async function look(page: Page, info: TestInfo, name: string): Promise<void> {
  await expectNoSidewaysScroll(page, name);
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    await settled(page);
    await picture(page, info, `${name}.${scheme}`);
    // Only the colours can differ in the second scheme.
    await expectAccessible(page, `${name}, ${scheme}`, scheme === "dark" ? "contrast" : "all");
  }
}

/**
 * From the next page on each answer comes by itself, as on a slow network, the first after
 * `first_ms`. @returns how much has jumped since.
 */
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
