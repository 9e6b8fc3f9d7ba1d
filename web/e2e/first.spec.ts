// What stands there first: before any script, and while things arrive.
import { expect, type Page, type Route, test } from "@playwright/test";
import { watchShift } from "./looks";
import { asDemo, expectHome, expectLogin } from "./people";

test("the_frame_stands_before_any_script", async ({ page }) => {
  const held: Route[] = [];
  await page.route("**/assets/index-*.js", (route) => void held.push(route));
  await page.goto("/", { waitUntil: "commit" });
  const frame = page.getByRole("status", { name: "Loading Goodturn" });
  await expect(frame.locator("svg")).toBeVisible();
  // It is noted with the frame that shows it, or a moment later.
  const painted = () => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length);
  await expect.poll(painted).toBe(1);
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

const PAPER = { light: "rgb(250, 247, 242)", dark: "rgb(24, 21, 18)" };

/** Notes the colour of the page in every frame, from the first one on. In the page. */
function watchPaper(): void {
  const papers = new Set<string>();
  Object.assign(window, { papers });
  const look = (): void => {
    // What is painted behind everything is that of the page, else of its body, else the browser's own, which is none here.
    const colors = [document.documentElement, document.body].map((element: Element | null) =>
      element === null ? "" : getComputedStyle(element).backgroundColor,
    );
    if (document.body !== null) papers.add(colors.find((color) => color !== "rgba(0, 0, 0, 0)") ?? "none");
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Opens the page on a slow network: the sheet comes late, and the script later. @returns the colours it had, one after another. */
async function papersOf(page: Page): Promise<string[]> {
  await page.addInitScript(watchPaper);
  await page.route(/\/assets\/index-[^/]*\.(css|js)$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, route.request().url().endsWith("css") ? 300 : 800));
    await route.continue();
  });
  await page.goto("/");
  await expectLogin(page);
  return page.evaluate(() => [...(Reflect.get(window, "papers") as Set<string>)]);
}

for (const scheme of ["light", "dark"] as const)
  test(`the_paper_is_${scheme}_in_every_frame_from_the_first_one_on`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await papersOf(page)).toEqual([PAPER[scheme]]);
  });

test("who_chose_another_scheme_than_the_systems_has_its_paper_before_sheet_and_script", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.addInitScript(() => localStorage.setItem("mantine-color-scheme-value", "dark"));
  await page.route("**/assets/early-*.js", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  expect(await papersOf(page)).toEqual([PAPER.dark]);
});

test("nothing_jumps_while_home_arrives", async ({ page }) => {
  await asDemo(page);
  const shift = await watchShift(page);
  await page.reload();
  await expectHome(page);
  // What is due comes last of all.
  await expect(page.getByRole("list", { name: "What is due" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Recent Favors" })).toBeVisible();
  await page.waitForTimeout(300);
  expect(await shift()).toBeLessThan(0.02);
});
