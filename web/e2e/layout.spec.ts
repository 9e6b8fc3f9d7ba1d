// Where things stand on the screen, and stay: failures, the line about the connection, sheets,
// columns, addresses.
import type { Page } from "@playwright/test";
import { DESKTOP, expect, PHONE, test } from "./test";
import { FavorResponse, RequestType } from "../src/gen/later/goodturn/favors/v1/favors_service_pb";
import { as, joined, twoFriends } from "./backstage";
import { boxOf } from "./boxes";
import { cutOut, setLetters } from "./everySize";
import { expectNoFaults } from "./layoutFaults";
import { expectNoSidewaysScroll, settled, still } from "./looks";
import { asDemo, choose, signIn, visit } from "./people";

test("a_failure_is_named_and_retry_stands_beside_it", async ({ page, context }) => {
  const eve = await joined("Eve Lang");
  await as(eve);
  await signIn(page, eve);
  await visit(page, "/settings/security");
  const list = page.getByRole("list", { name: "Where you're signed in" });
  const signOut = list.getByRole("button", { name: /^Sign out/ }).first();
  await expect(signOut).toBeVisible();
  await context.setOffline(true);
  await signOut.click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  const failed = page.getByRole("alert").filter({ hasText: "wasn't signed out." });
  await expect(failed).toContainText("wasn't signed out. No connection.");
  const retry = failed.getByRole("button", { name: "Retry" });
  const [button, text] = [await boxOf(retry), await boxOf(failed.locator(".said > span"))];
  expect(button.height).toBeGreaterThanOrEqual(44);
  expect(button.x).toBeGreaterThanOrEqual(text.x + text.width);
  await context.setOffline(false);
  await expect(failed).not.toContainText("No connection.");
  await retry.click();
  await expect(page.getByText(/ is signed out\.$/)).toBeVisible();
});

const barColors = (page: Page): Promise<(string | null)[]> =>
  page
    .locator("meta[name=theme-color]")
    .evaluateAll((bars) => [...new Set(bars.map((bar) => bar.getAttribute("content")))]);

test("the_bars_of_the_browser_follow_the_chosen_scheme", async ({ page }) => {
  const [light, dark] = ["#faf7f2", "#181512"];
  await page.emulateMedia({ colorScheme: "light" });
  await asDemo(page);
  await visit(page, "/settings");
  await choose(page, "Dark");
  await expect.poll(() => barColors(page)).toEqual([dark]);
  // Before the app has come.
  await page.route("**/assets/index-*.js", () => undefined);
  await page.reload({ waitUntil: "commit" });
  await expect(page.getByRole("status", { name: "Loading Goodturn" })).toBeVisible();
  expect(await barColors(page)).toEqual([dark]);
  await page.unroute("**/assets/index-*.js");
  await page.reload();
  await choose(page, "Automatic");
  await expect.poll(() => barColors(page)).toEqual([light]);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => barColors(page)).toEqual([dark]);
});

test("the_line_about_no_connection_stands_on_top_of_the_tabs", async ({ page, context }) => {
  await asDemo(page);
  await settled(page);
  await context.setOffline(true);
  const banner = page.locator(".offline");
  await page.setViewportSize({ width: 360, height: 800 });
  expect((await boxOf(banner)).height).toBeLessThan(46);
  for (const [width, beside, room] of [
    [360, page.locator(".tabbar"), () => 1],
    [1280, page.locator(".rail .me"), (percent: number) => (20 * percent) / 100],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    for (const percent of [100, 150, 200]) {
      await setLetters(page, percent);
      await still(page);
      const [below, line] = [await boxOf(beside), await boxOf(banner)];
      const gap = below.y - line.y - line.height;
      expect(gap, `${width} px, ${percent} %`).toBeGreaterThan(-1);
      expect(gap, `${width} px, ${percent} %`).toBeLessThan(room(percent));
      expect(line.x + line.width).toBeLessThanOrEqual(width === 360 ? width : below.x + below.width + 1);
    }
  }
});

test("stale_lists_say_so_once_and_move_nothing", async ({ page }) => {
  const { who, own, ben } = await twoFriends();
  await own.draft("Mend the gate");
  await signIn(page, who);
  const list = page.getByRole("list", { name: "Recent Favors" });
  await expect(list).toBeVisible();
  await settled(page);
  const lengthOf = () => page.evaluate(() => document.documentElement.scrollHeight);
  const measured = async () => [(await boxOf(page.locator(".hero"))).y, (await boxOf(list)).y, await lengthOf()];
  const before = await measured();
  await page.route(/Service\/List(Active|Received)Favors$/, (route) => route.fulfill({ status: 503 }));
  await ben.askFavor(who, "Turn the compost");
  const said = page.getByText("This couldn't be refreshed.");
  await expect(said).toHaveCount(1, { timeout: 30_000 });
  await expect(page.getByRole("button", { name: "Retry" })).toHaveCount(1);
  expect(await measured()).toEqual(before);
  await page.unroute(/Service\/List(Active|Received)Favors$/);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(said).toHaveCount(0);
  await expect(page.getByText("Turn the compost").first()).toBeVisible();
});

test("large_letters_keep_words_under_the_name_and_faces_beside_it", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { who, own, ben, other } = await twoFriends();
  const party = await own.post("Set up the street party", [], { requestType: RequestType.PUBLIC });
  await ben.acts.applyToFavor({ id: party, message: "I bring two tables and my brother." });
  const gate = await own.post("Mend the gate", [other]);
  await ben.acts.respondToFavor({ id: gate, response: FavorResponse.ACCEPT });
  await signIn(page, who);
  await visit(page, `/favors/${party}`);
  const offer = page.getByRole("list", { name: "Offers to help" }).getByRole("listitem").first();
  await expect(offer).toBeVisible();
  for (const percent of [100, 170]) {
    await setLetters(page, percent);
    const [name, quote] = [await boxOf(offer.locator("p.b6")), await boxOf(offer.locator(".quote"))];
    expect(name.y + name.height, `${percent} %`).toBeLessThan(quote.y);
  }
  await visit(page, `/favors/${gate}`);
  const helper = page.locator(".factlist > div").filter({ hasText: "Helper" });
  const name = await boxOf(helper.locator("dd").first());
  // A way to their mail stands in it too.
  const face = await helper.locator(".face").first().boundingBox();
  expect(face === null || face.x + face.width <= name.x || face.y + face.height <= name.y).toBe(true);
});

test("a_sheet_keeps_its_height_while_it_is_searched_and_a_tablet_has_one_column", async ({ page }) => {
  await asDemo(page);
  await visit(page, "/favors?tab=create");
  await page.getByRole("button", { name: /^Who to ask/ }).click();
  const sheet = page.getByRole("dialog", { name: "Who can help?" });
  const priya = sheet.getByRole("checkbox", { name: /Priya Nair/ });
  await expect(priya).toBeVisible();
  await settled(page);
  const { height } = await boxOf(sheet);
  await sheet.getByRole("searchbox").fill("ben");
  await expect(priya).toBeHidden();
  expect((await boxOf(sheet)).height).toBe(height);
  await sheet.getByRole("tab", { name: /^Groups/ }).click();
  expect((await boxOf(sheet)).height).toBeGreaterThanOrEqual(height);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();

  await page.setViewportSize({ width: 820, height: 1180 });
  await still(page);
  const field = await boxOf(page.getByLabel("Title"));
  const post = await boxOf(page.getByRole("button", { name: "Post", exact: true }));
  expect(Math.abs(field.x + field.width - post.x - post.width)).toBeLessThan(2);
  expect(Math.abs(field.x - (820 - field.x - field.width))).toBeLessThan(2);
});

test("a_favor_without_actions_has_no_bar", async ({ page }) => {
  const { who, own, ben, other } = await twoFriends();
  await own.askFavor(other, "Mend the gate");
  await ben.complete("Mend the gate");
  await own.settle("Mend the gate");
  await signIn(page, who);
  await page.setViewportSize(DESKTOP.viewport);
  await visit(page, "/favors?tab=completed");
  const pane = page.getByRole("region", { name: "Favor Details" });
  await expect(pane.getByText("You marked it settled")).toBeVisible();
  expect(await pane.locator(".stick").evaluate((bar) => bar.getBoundingClientRect().height)).toBe(0);
});

/** Where the lines of an address begin. In the page. */
function linesOf(address: Element): string[] {
  const lines: string[] = [];
  const walk = document.createTreeWalker(address, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let last = Number.NaN;
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode())
    for (let i = 0; i < (node.nodeValue?.length ?? 0); i += 1) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const { top } = range.getBoundingClientRect();
      if (Math.abs(top - last) > 4 || lines.length === 0) lines.push("");
      lines.push(`${lines.pop() ?? ""}${node.nodeValue?.charAt(i) ?? ""}`);
      last = top;
    }
  return lines;
}

test("an_address_is_broken_behind_its_signs", async ({ page }) => {
  await asDemo(page);
  await visit(page, "/settings");
  await setLetters(page, 200);
  const address = page.getByText("ana@goodturn.example").filter({ visible: true }).first();
  const lines = await address.evaluate(linesOf);
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.slice(0, -1).filter((line) => !/[@.]$/.test(line))).toEqual([]);
});

test("a_small_phone_shows_whole_titles_and_one_line_of_tabs", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await asDemo(page);
  const asked = page.getByRole("heading", { name: "Water my balcony tomatoes for a week" });
  expect(await asked.evaluate((title) => title.scrollHeight - title.clientHeight)).toBeLessThan(2);
  for (const tab of ["browse", "active"]) {
    await visit(page, `/share?tab=${tab}`);
    await settled(page);
    const tops = await page.getByRole("tab").evaluateAll((tabs) => tabs.map((one) => one.getBoundingClientRect().top));
    expect([tops.length, new Set(tops).size]).toEqual([5, 1]);
  }
});

/** The narrowest phone, and a desktop that shows everything twice as large. */
test("nothing_is_wider_than_the_smallest_screens", async ({ page }) => {
  await asDemo(page);
  for (const path of [
    "/",
    "/friends",
    "/friends/mine",
    "/friends/groups",
    "/favors",
    "/favors?view=asked",
    "/favors?tab=create",
    "/inbox",
    "/settings",
    "/settings/security",
    "/settings/data",
  ]) {
    await visit(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await settled(page);
    for (const size of [
      { width: 320, height: 640 },
      { width: 640, height: 400 },
    ]) {
      await page.setViewportSize(size);
      await still(page);
      await expectNoSidewaysScroll(page, `${path} at ${size.width} px`);
    }
  }
});

test("a_phone_on_its_side_shows_more_than_its_bars", async ({ page }) => {
  const insets = { top: 0, right: 47, bottom: 21, left: 47 };
  await page.setViewportSize({ width: 844, height: 390 });
  await cutOut(page, insets);
  await asDemo(page);
  // There is room for some weeks: this one is the first, under the names of the days.
  await visit(page, "/favors?tab=create");
  await page.getByRole("button", { name: /^Start Choose/ }).click();
  const calendar = page.getByRole("dialog");
  await expect(calendar.getByRole("button", { name: "Next month" })).toBeVisible();
  await expect(page.locator("[data-today]")).toBeInViewport({ ratio: 1 });
  const head = await boxOf(calendar.locator("thead"));
  const today = await boxOf(calendar.locator("[data-today]"));
  expect(today.y).toBeGreaterThanOrEqual(head.y + head.height - 1);
  expect(today.y + 2 * today.height).toBeLessThan((await boxOf(calendar.locator(".foot"))).y);
  await page.keyboard.press("Escape");
  await expect(calendar).toBeHidden();

  // The result of an action appears beside the buttons and leaves room for them.
  await page.route("**/*FavorsService/RespondToFavor", (route) => route.fulfill({ status: 503 }));
  await visit(page, "/favors?view=asked");
  await page.getByRole("article").first().getByRole("link").click();
  await page.locator(".stick").getByRole("button", { name: "I can help" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "I can help" }).click();
  await expect(page.getByRole("button", { name: "Retry" })).toBeInViewport();
  await settled(page);
  await expectNoFaults(page, "a failure on its side", { insets, isLow: true });

  await page.setViewportSize(PHONE.viewport);
  await cutOut(page, { top: 47, right: 0, bottom: 34, left: 0 });
  await visit(page, "/favors?view=asked");
  await expect(page.getByRole("article").first()).toBeVisible();
  expect((await boxOf(page.getByRole("heading", { level: 1 }))).y).toBeGreaterThan(47);
});
