// The first moments of a page: its frame before any script, its paper, and that nothing jumps while
// things arrive.
import type { Page, Route } from "@playwright/test";
import { expect, test } from "./test";
import { joined } from "./backstage";
import { boxOf } from "./boxes";
import { settled, watchShift } from "./looks";
import { asDemo, expectHome, expectLogin, signIn } from "./people";

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
  await expect(page.getByText("Goodturn couldn't load. Check your connection.")).toBeVisible();
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
    // The paper is that of the page, else of its body, else the browser's own, which is none here.
    const colors = [document.documentElement, document.body].map((element: Element | null) =>
      element === null ? "" : getComputedStyle(element).backgroundColor,
    );
    if (document.body !== null) papers.add(colors.find((color) => color !== "rgba(0, 0, 0, 0)") ?? "none");
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Opens the page. @returns the colors it had, one after another. */
async function papersOf(page: Page): Promise<string[]> {
  await page.goto("/");
  await expectLogin(page);
  return page.evaluate(() => [...(Reflect.get(window, "papers") as Set<string>)]);
}

test("the_paper_has_its_color_in_every_frame_from_the_first_one_on", async ({ page }) => {
  await page.addInitScript(watchPaper);
  // On a slow network the style sheet comes late, and the scripts later.
  await page.route(/\/assets\/(index|early)-[^/]*\.(css|js)$/, async (route) => {
    const url = route.request().url();
    const wait_ms = url.endsWith("css") ? 300 : url.includes("early") ? 500 : 800;
    await new Promise((resolve) => setTimeout(resolve, wait_ms));
    await route.continue();
  });
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await papersOf(page)).toEqual([PAPER[scheme]]);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.evaluate(() => localStorage.setItem("mantine-color-scheme-value", "dark"));
  expect(await papersOf(page), "the scheme that somebody chose").toEqual([PAPER.dark]);
});

test("nothing_jumps_while_home_arrives", async ({ page }) => {
  await asDemo(page);
  const shift = await watchShift(page);
  await page.reload();
  await expectHome(page);
  // The list of due things arrives last.
  await expect(page.getByRole("list", { name: "What's due" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Recent Favors" })).toBeVisible();
  await settled(page);
  expect(await shift()).toBeLessThan(0.02);
});

async function expectPlaces(page: Page, path: string, row: string): Promise<void> {
  const shift = await watchShift(page, 500);
  await page.goto(path);
  const bone = await boxOf(page.locator("main .list > div").first());
  const first = await boxOf(page.locator(`main ${row}`).first());
  expect(Math.abs(first.y - bone.y)).toBeLessThan(2);
  await settled(page);
  expect(await shift()).toBeLessThan(0.02);
}

test("security_stands_where_its_skeleton_stood", async ({ page }) => {
  // The demo member is signed in by many tests, and each sign-in is a row.
  await signIn(page, await joined("Eve Lang"));
  await expectPlaces(page, "/settings/security", ".ntf.mid");
});

test("the_inbox_stands_where_its_skeleton_stood", async ({ page }) => {
  await asDemo(page);
  await expectPlaces(page, "/inbox", ".ntf");
});

test("share_stuff_stands_where_its_skeleton_stood", async ({ page }) => {
  await asDemo(page);
  const held: Route[] = [];
  await page.route("**/assets/ShareTabs-*.js", (route) => void held.push(route));
  await page.goto("/share");
  const [field, bone] = [page.locator("main .mantine-Skeleton-root").first(), page.locator("main .thingshapes > *")];
  const [search, first] = [await boxOf(field), await boxOf(bone.first())];
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await Promise.all(held.map((route) => route.continue()));
  const typed = await boxOf(page.getByRole("searchbox"));
  const thing = await boxOf(page.getByRole("article").first().locator(".shot"));
  expect(Math.abs(search.y - typed.y)).toBeLessThan(2);
  expect(Math.abs(first.y - thing.y)).toBeLessThan(2);
  expect(Math.abs(first.height - thing.height)).toBeLessThan(2);
});
