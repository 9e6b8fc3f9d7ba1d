// The frame around every screen: what it asks for, where back leads, where the focus is, and what it does without the server.
import { expect, type Page, type Route, test } from "@playwright/test";
import { as, joined } from "./backstage";
import {
  asDemo,
  choose,
  codeFor,
  expectHome,
  fillSignUp,
  goTo,
  isPhone,
  person,
  signIn,
  signInAtTheDoor,
  skipPhoneStep,
  visit,
} from "./people";

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

async function befriended(name: string) {
  const [who, ben] = [await joined(name), await joined("Ben Ortega")];
  const other = await as(ben);
  await other.askToBeFriends(who);
  await (await as(who)).acceptFriends();
  return { who, ben: other };
}

test("home_asks_each_thing_once", async ({ page }) => {
  // Nobody changes anything of hers meanwhile, which would be told.
  const due = page.waitForResponse(/ListRentals/);
  const sofia = { email: "sofia@goodturn.example", password: "goodturn-demo" };
  await signIn(page, sofia);
  await expect(page.getByRole("list", { name: "Recent Favors" })).toBeVisible();
  // What comes after Home is not asked by the next page, nor what is asked anew where it is another day in the browser's zone.
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
  expect(calls.all.length, calls.names().join(" ")).toBeLessThanOrEqual(8);
});

test("an_own_answer_asks_again_only_what_it_changed", async ({ page }) => {
  const { who, ben } = await befriended("Eve Lang");
  await ben.askFavor(who, "Lift the piano");
  // What was asked just now is told again to a stream that begins, however late it does.
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

test("the_arrow_goes_back_to_the_same_list_and_place", async ({ page }) => {
  test.skip(!isPhone(page), "a desktop shows list and favor side by side");
  await asDemo(page);
  await goTo(page, "Favors");
  await page.getByRole("tab", { name: "Completed" }).click();
  await choose(page, "Cancelled");
  await expect(page).toHaveURL(/view=cancelled/);
  await page.getByRole("article").first().getByRole("link").click();
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page).toHaveURL(/tab=completed&view=cancelled/);
  // Tabs have left no trace: before the list there was Home.
  await page.goBack();
  await expectHome(page);

  await page.getByRole("list", { name: "Recent Favors" }).getByRole("link").last().click();
  await expect(page.getByRole("heading", { level: 1, name: "Favor Details" })).toBeVisible();
  await page.getByRole("button", { name: "Back" }).click();
  await expectHome(page);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await page.getByRole("link", { name: "Settings" }).filter({ visible: true }).click();
  await page.getByRole("button", { name: "Close" }).click();
  await expectHome(page);
});

test("where_nothing_is_behind_the_arrow_leads_to_the_list", async ({ page }) => {
  test.skip(!isPhone(page), "a desktop shows list and favor side by side");
  await asDemo(page);
  const path = await page.getByRole("list", { name: "Recent Favors" }).getByRole("link").first().getAttribute("href");
  const fresh = await page.context().newPage();
  await fresh.goto(path ?? "");
  await fresh.getByRole("button", { name: "Back" }).click();
  await expect(fresh.getByRole("heading", { level: 1, name: "Favors" })).toBeVisible();
});

test("a_notification_opens_the_favor_in_its_list", async ({ page }) => {
  const { who, ben } = await befriended("Eve Lang");
  await ben.askFavor(who, "Prune the roses");
  await signIn(page, who);
  await goTo(page, "Notifications");
  await page.getByRole("button", { name: /Prune the roses/ }).click();
  await expect(page.getByRole("button", { name: "I can help" })).toBeVisible();
  if (isPhone(page)) return;
  await expect(page).toHaveURL(/view=asked/);
  await expect(
    page.getByRole("list", { name: "Asked of you" }).getByRole("link", { name: "Prune the roses" }),
  ).toBeVisible();
  // Also when it stands there already.
  await visit(page, new URL(page.url()).pathname);
  await expect(page).toHaveURL(/view=asked/);
});

test("a_favor_that_was_deleted_says_so", async ({ page }) => {
  await asDemo(page);
  await page.goto(`/favors/${crypto.randomUUID()}`);
  await expect(page.getByText("This favor is no longer there")).toBeVisible();
  await page.getByRole("link", { name: "See active favors" }).click();
  await expect(page).toHaveURL(/\/favors$/);
});

/** Something has the focus, and not the page as a whole. */
const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.tagName ?? "none");

test("the_focus_is_never_lost", async ({ page }) => {
  const { who, ben } = await befriended("Eve Lang");
  await ben.askFavor(who, "Carry the ladder");
  await (await as(await joined("Lena Novak"))).askToBeFriends(who);
  await signInAtTheDoor(page, who);
  await expect.poll(() => focused(page)).not.toBe("BODY");
  await page.goto("/friends/requests");
  await page.getByRole("button", { name: "Decline Lena Novak" }).click();
  await expect(page.getByText("All caught up!")).toBeVisible();
  await expect.poll(() => focused(page)).not.toBe("BODY");

  await page.goto("/favors?view=asked");
  await page.getByRole("article").first().getByRole("link").click();
  if (!isPhone(page)) await expect(page.getByRole("region", { name: "Favor Details" })).toBeFocused();
  await page.getByRole("button", { name: "I can help" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "I can help" }).click();
  await expect(page.getByRole("button", { name: "Mark completed" })).toBeVisible();
  await expect.poll(() => focused(page)).not.toBe("BODY");
});

test("the_code_is_typed_at_once", async ({ page }) => {
  const eve = person("Eve Lang");
  await fillSignUp(page, eve);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible();
  await expect(page.getByLabel("Digit 1 of 6")).toBeFocused();
  await page.keyboard.type(await codeFor(eve.email));
  await page.getByRole("button", { name: "Verify" }).click();
  await skipPhoneStep(page);
});

test("who_goes_back_from_a_question_says_no_and_a_second_tap_is_no_answer", async ({ page }) => {
  await asDemo(page);
  await page.getByRole("link", { name: "Settings" }).filter({ visible: true }).click();
  const out = page.getByRole("button", { name: "Sign Out" });
  await out.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(out).toBeVisible();
});

test("a_press_is_not_lost_when_what_was_pressed_is_drawn_anew", async ({ page }) => {
  await asDemo(page);
  const held: Route[] = [];
  await page.route("**/assets/SignedIn-*.js", (route) => void held.push(route));
  const beside = page.waitForResponse(/\/beside-.*\.js/);
  await page.reload();
  await beside;
  const settings = page.getByRole("link", { name: "Settings" }).filter({ visible: true });
  await settings.hover();
  const pressed = await settings.elementHandle();
  await page.mouse.down();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await Promise.all(held.map((route) => route.continue()));
  await expect.poll(() => pressed?.evaluate((link) => link.isConnected)).toBe(false);
  await expectHome(page);
  await page.mouse.up();
  await expect(page.getByRole("button", { name: "Sign Out" })).toBeVisible();
});
