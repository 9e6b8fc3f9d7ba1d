// While things load nothing jumps, nothing unknown is named, and nothing is asked twice.
import type { Page, Route } from "@playwright/test";
import { as, joined, twoFriends } from "./backstage";
import { expectHome, signIn, visit } from "./people";
import { goOffline } from "./relay";
import { DESKTOP, expect, PHONE, test } from "./test";

/** Holds back what a page asks for, until it is let go. */
async function hold(page: Page, url: string) {
  const held: Route[] = [];
  await page.route(url, (route) => void held.push(route));
  return {
    count: () => held.length,
    letGo: async () => {
      await expect.poll(() => held.length).toBeGreaterThan(0);
      for (const route of held.splice(0)) await route.continue();
    },
  };
}

/** The calls of a page, without the live stream: the name of each, and what it asked. */
function watchCalls(page: Page): { all: string[]; names: () => string[] } {
  const all: string[] = [];
  page.on("request", (request) => {
    const name = /\/goodturn\.[^/]+\/(\w+)$/.exec(request.url())?.[1];
    if (name !== undefined && name !== "WatchNotifications")
      all.push(`${name} ${request.postDataBuffer()?.toString("hex")}`);
  });
  return { all, names: () => all.map((call) => call.split(" ")[0] ?? "").toSorted() };
}

test("home_names_nothing_before_it_is_known_and_loses_no_press", async ({ page }) => {
  await signIn(page, await joined("Eve Lang"));
  const steps = await hold(page, "**/assets/FirstSteps-*.js");
  const requests = await hold(page, "**/*FriendsService/ListFriendRequests");
  await page.reload();
  const loading = page.getByRole("status", { name: "Loading Home..." });
  await expect(loading).toBeVisible();
  await expect(page.getByText("First steps")).toHaveCount(0);
  await requests.letGo();
  await page.unroute("**/*FriendsService/ListFriendRequests");
  // Its code is on its way too.
  await expect.poll(steps.count).toBe(1);
  await expect(loading).toBeVisible();
  await expect(page.getByText("First steps")).toHaveCount(0);
  await steps.letGo();
  await expect(page.getByRole("region", { name: "First steps" })).toBeVisible();
  await page.unroute("**/assets/FirstSteps-*.js");

  // A press goes on to the same link that was drawn anew meanwhile.
  const code = await hold(page, "**/assets/SignedIn-*.js");
  const beside = page.waitForResponse(/\/beside-.*\.js/);
  await page.reload();
  await beside;
  const settings = page.getByRole("link", { name: "Settings" }).filter({ visible: true });
  await settings.hover();
  const pressed = await settings.elementHandle();
  await page.mouse.down();
  await code.letGo();
  await expect.poll(() => pressed?.evaluate((link) => link.isConnected)).toBe(false);
  await expectHome(page);
  await page.mouse.up();
  await expect(page.getByRole("button", { name: "Sign Out" })).toBeVisible();
});

test("a_screen_has_its_shape_and_its_way_back_before_its_code_has_come", async ({ page }) => {
  await signIn(page, await joined("Eve Lang"));
  const code = await hold(page, "**/assets/FavorsScreen-*.js");
  await page.route("**/*FavorsService/ListActiveFavors", () => undefined);

  // A list does not jump.
  const loading = page.getByRole("status", { name: /^Loading/ });
  const card = loading.locator(".card").first();
  const topOfCard = async () => Math.round((await card.boundingBox())?.y ?? 0);
  for (const { viewport } of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    await page.goto("/favors");
    await expect(page.locator(".tabshape")).toBeVisible();
    // Elements that have just been taken away have no place.
    let top = 0;
    await expect.poll(async () => (top = await topOfCard())).toBeGreaterThan(0);
    await code.letGo();
    await expect(page.getByRole("tab", { name: "Active" })).toBeVisible();
    await expect.poll(async () => Math.abs((await topOfCard()) - top)).toBeLessThanOrEqual(4);
  }

  // A form has nothing of a list, and no arrow on a desktop.
  await page.goto("/favors?tab=create");
  await expect(page.getByRole("status", { name: "Loading..." })).toBeVisible();
  await expect(page.locator(".mantine-Skeleton-root").first()).toBeVisible();
  await expect(loading.locator(".card")).toHaveCount(0);
  const arrow = page.getByRole("button", { name: "Back" });
  await page.setViewportSize(DESKTOP.viewport);
  await expect(arrow).toBeHidden();
  await page.setViewportSize(PHONE.viewport);
  await expect(arrow).toBeVisible();
  const heading = page.getByRole("heading", { level: 1, name: "Request a favor" });
  const leftOf = async (): Promise<number> => (await heading.boundingBox())?.x ?? 0;
  let left = 0;
  await expect.poll(async () => (left = await leftOf())).toBeGreaterThan(0);
  await code.letGo();
  await expect(page.getByLabel("Title")).toBeVisible();
  expect(await leftOf()).toBe(left);
  await page.reload();
  await arrow.click();
  await expect(page).toHaveURL(/\/favors$/);
});

test("a_sheet_opens_before_its_code_and_says_when_that_is_lost", async ({ page, context }) => {
  const url = "**/assets/CalendarSheet-*.js";
  await page.route(url, (route) => route.abort());
  await signIn(page, await joined("Eve Lang"));
  await visit(page, "/favors?tab=create");
  const start = page.getByRole("button", { name: /^Start Choose/ });
  await expect(page.getByRole("button", { name: /^Who to ask/ })).toBeVisible();
  await goOffline(page);
  await start.click();
  const calendar = page.getByRole("dialog", { name: "Select Date & Time" });
  const retry = calendar.getByRole("button", { name: "Retry" });
  await expect(retry).toBeInViewport({ ratio: 1 });
  // Nothing stands over it.
  await retry.click();
  await expect(retry).toBeInViewport({ ratio: 1 });
  await page.unroute(url);
  await context.setOffline(false);
  const next = calendar.getByRole("button", { name: "Next month" });
  await expect(next).toBeVisible();

  const code = await hold(page, url);
  const height = (): Promise<number> => calendar.evaluate((e) => e.getBoundingClientRect().height);
  for (const { viewport } of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    await page.reload();
    await start.click();
    await expect(calendar.getByRole("status", { name: "Loading" })).toBeVisible();
    const before = await height();
    await code.letGo();
    await expect(next).toBeVisible();
    // Nothing jumps.
    expect(Math.abs((await height()) - before)).toBeLessThan(24);
  }
});

test("home_asks_each_thing_once", async ({ page }) => {
  // Nobody changes anything of this member meanwhile: a change would be told, and asked for again.
  const sofia = { email: "sofia@goodturn.example", password: "goodturn-demo" };
  // Calls that come after Home are not made by the next page.
  const due = page.waitForResponse(/ListRentals/);
  await signIn(page, sofia);
  await expect(page.getByRole("list", { name: "Recent Favors" })).toBeVisible();
  await due;
  const { profile } = await as(sofia);
  const zone = async () => (await profile.getProfile({})).profile?.details?.timeZone;
  await expect.poll(zone).toBe(test.info().project.use.timezoneId);
  const stream = page.waitForResponse(/WatchNotifications/);
  const calls = watchCalls(page);
  await page.reload();
  await expect(page.getByRole("list", { name: "Recent Favors" })).toBeVisible();
  await stream;
  await page.waitForTimeout(1500);
  expect(new Set(calls.all).size, calls.names().join(" ")).toBe(calls.all.length);
  // One of them loads what friends ask.
  expect(calls.all.length, calls.names().join(" ")).toBeLessThanOrEqual(9);
});

test("an_own_answer_asks_again_only_for_what_it_changed", async ({ page }) => {
  const { who, ben } = await twoFriends();
  await ben.askFavor(who, "Lift the piano");
  // A stream that begins tells again of what was asked just now.
  const stream = page.waitForResponse(/WatchNotifications/);
  await signIn(page, who);
  await expect(page.getByRole("heading", { name: "Needs your answer" })).toBeVisible();
  await stream;
  await page.waitForTimeout(1000);
  const calls = watchCalls(page);
  await page.getByRole("button", { name: "I can help" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "I can help" }).click();
  await expect(page.getByText("Nobody is waiting for your answer.")).toBeVisible();
  await page.waitForTimeout(1500);
  const names = calls.names();
  expect(names).not.toContain("ListActiveFavors");
  expect(names.filter((name) => name === "ListReceivedFavors")).toHaveLength(1);
});

test.describe("with code that is fetched ahead", () => {
  test.use({ prefetch: true });

  test("a_style_sheet_that_was_lost_ahead_comes_with_the_next_part", async ({ page }) => {
    const { own, other } = await twoFriends();
    const item = await own.lend("Cake tin");
    await signIn(page, other);
    let asked = 0;
    await page.route("**/assets/form-*.css", (route) => {
      asked += 1;
      return asked === 1 ? route.abort() : route.continue();
    });
    // The part that is needed later comes ahead, after another that needs the same sheet.
    const ahead = page.waitForResponse("**/assets/BorrowScreen-*.js");
    await page.goto(`/share/items/${item}`);
    const day = page.getByRole("table").getByRole("button", { disabled: false }).first();
    await day.click();
    await day.click();
    await ahead;
    await page.getByRole("button", { name: "Request to Borrow" }).click();
    await expect(page.locator(".opener")).toHaveCSS("display", "flex");
  });
});
