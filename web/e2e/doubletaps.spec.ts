// Two taps in a hurry: the second one hits nothing that comes in the place of what was tapped.
import type { Locator, Page } from "@playwright/test";
import { as, joined, twoFriends } from "./backstage";
import { fillFavor } from "./fill";
import { look } from "./looks";
import { expectHome, goTo, signIn, visit } from "./people";
import { DESKTOP, expect, MOTION, test } from "./test";

test.use(MOTION);

const ACTIVE = "**/*FavorsService/ListActiveFavors";

const dialog = (page: Page): Locator => page.getByRole("dialog");
const steps = (page: Page): Promise<number> => page.evaluate(() => window.history.length);

/** The middle of something, for taps that do not wait until it may be tapped. */
async function middle(place: Locator): Promise<[number, number]> {
  const box = await place.boundingBox();
  if (box === null) throw new Error("it has no place");
  return [box.x + box.width / 2, box.y + box.height / 2];
}

test.describe("on a desktop", () => {
  test.use(DESKTOP);

  test("two_clicks_decline_one_favor_whose_outcome_stays_with_it", async ({ page }) => {
    const { who, ben } = await twoFriends();
    for (const title of ["Water the basil", "Mend the gate", "Turn the compost", "Prune the roses"])
      await ben.askFavor(who, title);
    await signIn(page, who);

    // A notification opens the favor in its list, also where only the favor is named.
    await goTo(page, "Notifications");
    await page.getByRole("button", { name: /Prune the roses/ }).click();
    await expect(page.getByRole("button", { name: "I can help" })).toBeVisible();
    await expect(page).toHaveURL(/view=asked/);
    const list = page.getByRole("list", { name: "Asked of you" });
    await expect(list.getByRole("link", { name: "Prune the roses" })).toBeVisible();
    await visit(page, new URL(page.url()).pathname);
    await expect(page).toHaveURL(/view=asked/);

    // On Home an outcome names its favor.
    await goTo(page, "Home");
    const needs = page.getByRole("region", { name: "Needs your answer" });
    const first = (await needs.getByRole("heading", { level: 3 }).first().textContent()) ?? "";
    await needs.getByRole("button", { name: "I can't" }).first().click();
    await dialog(page).getByRole("button", { name: "Decline" }).click();
    const note = page.locator(".outcome .note");
    await expect(note).toHaveText(new RegExp(`${first}.*You declined this favor`));

    // The second of two clicks opens no other favor, and selects nothing.
    await visit(page, "/favors?view=asked");
    await expect(list.getByRole("listitem")).toHaveCount(3);
    const title = (await list.getByRole("link").first().textContent()) ?? "";
    const pane = page.getByRole("region", { name: "Favor Details" });
    await expect(pane.getByRole("heading", { name: title })).toBeVisible();
    await page.getByRole("button", { name: "I can't" }).click();
    const decline = dialog(page).getByRole("button", { name: "Decline" });
    await expect(decline).toBeVisible();
    // Until the question takes taps.
    await page.waitForTimeout(600);
    const { pathname } = new URL(page.url());
    await page.mouse.dblclick(...(await middle(decline)));
    await expect(page.getByText("You declined this favor")).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(pathname);
    await expect(list.getByRole("listitem")).toHaveCount(2);
    await expect(pane.getByRole("heading", { name: title })).toBeVisible();
    await expect(pane).toContainText("You declined this favor");
    expect(await page.evaluate(() => window.getSelection()?.toString())).toBe("");
  });
});

test("two_taps_answer_one_request_take_one_step_and_retry_once", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  const own = await as(eve);
  for (const name of ["Lena Novak", "Marcus Hill", "Priya Nair"])
    await (await as(await joined(name))).askToBeFriends(eve);
  for (const title of ["Fence", "Gate", "Roses", "Basil", "Piano"]) await own.draft(title);
  await page.route(ACTIVE, (route) => route.abort());
  await signIn(page, eve);

  // Two taps on a tab are one step.
  const before = await steps(page);
  const nav = page.getByRole("navigation", { name: "Main" });
  const tab = nav.getByRole("link", { name: "Friends" });
  await tab.dblclick({ delay: 40 });
  await expect(page).toHaveURL(/\/friends$/);
  expect(await steps(page)).toBe(before + 1);
  await tab.click();
  expect(await steps(page)).toBe(before + 1);
  await page.goBack();
  await expectHome(page);

  // Two taps answer one request, and a third one, a moment later, is meant.
  await visit(page, "/friends/requests");
  const decline = page.getByRole("button", { name: /^Decline / });
  await expect(decline).toHaveCount(3);
  const at = await middle(decline.first());
  await page.mouse.dblclick(...at);
  await expect(page.getByText("Friend Request Declined")).toBeVisible();
  await expect(decline).toHaveCount(2);
  await page.waitForTimeout(600);
  await page.mouse.click(...at);
  await expect(decline).toHaveCount(1);

  // Two taps on Retry open nothing of the list that comes in its place.
  await visit(page, "/favors");
  const retry = page.getByRole("main").getByRole("button", { name: "Retry" });
  await expect(retry).toBeVisible();
  await look(page, info, "failed");
  await retry.evaluate((button) => {
    const { x, y } = button.getBoundingClientRect();
    new MutationObserver((_changes, watch) => {
      if (document.querySelector("main article") === null) return;
      watch.disconnect();
      // When everybody has heard of the change, and before it is painted.
      queueMicrotask(() => {
        const hit = document.elementFromPoint(x + 20, y + 20);
        const what = hit?.closest("a, button, .shield, article")?.className ?? "nothing";
        document.documentElement.dataset["hit"] = what;
      });
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.unroute(ACTIVE);
  const place = await retry.boundingBox();
  await page.mouse.dblclick((place?.x ?? 0) + 20, (place?.y ?? 0) + 20);
  await expect(page.getByRole("article").first()).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-hit", "shield");
  await expect(page).toHaveURL(/\/favors$/);
});

/** The class of what a tap at this place hits. In the page. */
const classAt = (at: [number, number]) => document.elementFromPoint(...at)?.className ?? "";

/** Up to Done, which stands where Post is. */
async function choose(page: Page, isFirst: boolean): Promise<void> {
  if (isFirst) return fillFavor(page, "Water the basil", () => Promise.resolve());
  await page.getByRole("button", { name: /^Who to ask/ }).click();
  await expect(page.getByRole("checkbox", { name: /Ben Ortega/ })).toBeChecked();
  // Until the sheet takes taps.
  return page.waitForTimeout(600);
}

test("two_taps_open_one_sheet_and_close_one_sheet", async ({ page }) => {
  const { who } = await twoFriends();
  await signIn(page, who);
  await goTo(page, "Favors");
  await page.getByRole("tab", { name: "Create" }).click();

  // Wherever the second tap falls, the sheet that the first one opened does not hear it.
  const start = page.getByRole("button", { name: /^Start Choose/ });
  const calendar = page.getByRole("dialog", { name: "Select Date & Time" });
  const opens = await middle(start);
  await page.mouse.click(...opens);
  await expect(calendar).toBeVisible();
  expect(await page.evaluate(classAt, opens)).toMatch(/mantine-(Drawer|Modal)-root/);
  await page.mouse.click(...opens);
  await expect(calendar).toBeVisible();
  await page.goBack();
  await expect(calendar).toBeHidden();

  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/CreateFavor")) posts.push(request.url());
  });
  const done = page.getByRole("button", { name: "Done" });
  const post = page.getByRole("button", { name: "Post", exact: true });
  for (const delay of [60, 200, 330]) {
    await choose(page, delay === 60);
    const at = await middle(done);
    await page.mouse.click(...at);
    await page.waitForTimeout(delay);
    await page.mouse.click(...at);
    await expect(done).toBeHidden();
    await page.waitForTimeout(300);
    expect(posts).toEqual([]);
  }
  // A tap that is meant is heard.
  await choose(page, false);
  await page.mouse.click(...(await middle(done)));
  const at = await middle(post);
  await page.waitForTimeout(500);
  await page.mouse.click(...at);
  await expect(page.getByText("Your favor has been posted!")).toBeVisible();
  expect(posts).toHaveLength(1);
  // One way back leads to the screen before the form.
  await expect(page).toHaveURL(/\/favors$/);
  await page.goBack();
  await expectHome(page);
});
