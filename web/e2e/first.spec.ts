// What stands there first: before any script, and while things arrive.
import { expect, type Route, test } from "@playwright/test";
import { asDemo, expectHome } from "./people";

test("the_frame_stands_before_any_script", async ({ page }) => {
  const held: Route[] = [];
  await page.route("**/assets/index-*.js", (route) => void held.push(route));
  await page.goto("/", { waitUntil: "commit" });
  const frame = page.getByRole("status", { name: "Loading Goodturn" });
  await expect(frame.locator("svg")).toBeVisible();
  expect(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length)).toBe(1);
  await Promise.all(held.map((route) => route.continue()));
  await expect(frame).toHaveCount(0);
});

test("an_app_that_does_not_come_says_so", async ({ page }) => {
  await page.route("**/assets/index-*.js", (route) => route.abort());
  await page.goto("/", { waitUntil: "commit" });
  await expect(page.getByText("Goodturn could not be loaded. Check your connection.")).toBeVisible();
  await page.unroute("**/assets/index-*.js");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /^Welcome/ })).toBeVisible();
});

test("nothing_jumps_while_home_arrives", async ({ page }) => {
  await asDemo(page);
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Object.assign(window, { shift: Reflect.get(window, "shift") + Reflect.get(entry, "value") });
    }).observe({ type: "layout-shift", buffered: true });
  });
  // Each answer by itself, as a slow network has it.
  let waits_ms = 0;
  await page.route(/\/goodturn\.[^/]+\/(Get|List)/, async (route) => {
    waits_ms += 150;
    await new Promise((resolve) => setTimeout(resolve, waits_ms));
    await route.continue();
  });
  await page.reload();
  await expectHome(page);
  await expect(page.getByRole("list", { name: "Recent Favors" })).toBeVisible();
  await page.waitForTimeout(300);
  expect(await page.evaluate(() => Reflect.get(window, "shift") as number)).toBeLessThan(0.05);
});
