// Every screen for every eye and finger: with letters twice as large, on a small phone and on its side, at round edges, and without motion.
import { expect, type Page, test } from "@playwright/test";
import { eachScreen, expectRoom, type Insets, withLargeLetters } from "./eyes";
import { asDemo, isPhone } from "./people";

/** What a phone tells of its round corners and of what is cut out of its screen. */
async function cutOut(page: Page, insets: Insets): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Emulation.setSafeAreaInsetsOverride", { insets });
}

const sizeOf = (page: Page, selector: string): Promise<number> =>
  page
    .locator(selector)
    .first()
    .evaluate((e) => Number.parseFloat(getComputedStyle(e).fontSize));

/** The calendar of a new favor, without a choice. */
async function toCalendar(page: Page): Promise<void> {
  await asDemo(page);
  await page.goto("/favors?tab=create");
  await page.getByRole("button", { name: /^Start Choose/ }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Next month" })).toBeVisible();
}

test("with_letters_twice_as_large_all_of_it_is_there", async ({ playwright, page, baseURL }, info) => {
  test.slow();
  await page.goto("/");
  const usual = await sizeOf(page, "label");
  const { launchOptions, viewport, isMobile, hasTouch, locale, timezoneId } = info.project.use;
  const options = { baseURL, viewport, isMobile, hasTouch, locale, timezoneId };
  const launch = (args: string[]) =>
    playwright.chromium.launch({ ...launchOptions, args: [...(launchOptions?.args ?? []), ...args] });
  await withLargeLetters(launch, options, async (large) => {
    await large.goto("/");
    await expect(large.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await sizeOf(large, "label")).toBe(2 * usual);
    await expectRoom(large, info, "large-login");
    await asDemo(large);
    await eachScreen(large, (name) => expectRoom(large, info, `large-${name}`));
  });
});

test("with_letters_that_a_style_sheet_sets_twice_as_large_all_of_it_is_there", async ({ page }, info) => {
  test.skip(!isPhone(page), "a desktop has room");
  test.slow();
  // As readers have it who set letters for all pages: what is asked of the screen in letters does not follow.
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("html { font-size: 200% }");
    document.adoptedStyleSheets.push(sheet);
  });
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectRoom(page, info, "set-login");
  await asDemo(page);
  await eachScreen(page, (name) => expectRoom(page, info, `set-${name}`));
});

test("a_small_phone_has_room_and_fingers_hit", async ({ page }, info) => {
  test.skip(!isPhone(page), "a desktop has neither");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  await expectRoom(page, info, "360-login");
  await asDemo(page);
  const asked = page.getByRole("heading", { name: "Water my balcony tomatoes for a week" });
  expect(await asked.evaluate((title) => title.scrollHeight - title.clientHeight)).toBeLessThan(2);
  await eachScreen(page, (name) => expectRoom(page, info, `360-${name}`));
});

test("on_its_side_a_phone_shows_more_than_its_bars", async ({ page }, info) => {
  test.skip(!isPhone(page), "a desktop has no side to lie on");
  const insets = { top: 0, right: 47, bottom: 21, left: 47 };
  await page.setViewportSize({ width: 844, height: 390 });
  await cutOut(page, insets);
  await page.goto("/");
  await expectRoom(page, info, "side-login", { insets, isLow: true });
  await asDemo(page);
  await eachScreen(page, (name) => expectRoom(page, info, `side-${name}`, { insets, isLow: true }));
  // What came of an action stands beside the actions, and leaves them their room.
  await page.route("**/*FavorsService/RespondToFavor", (route) => route.fulfill({ status: 503 }));
  await page.goto("/favors?view=asked");
  await page.getByRole("article").first().getByRole("link").click();
  await page.getByRole("button", { name: "I can help" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "I can help" }).click();
  await expect(page.getByRole("button", { name: "Retry" })).toBeInViewport();
  await expectRoom(page, info, "side-failure", { insets, isLow: true });
});

test("the_calendar_has_room_wherever_there_is_little", async ({ playwright, page, baseURL }, info) => {
  test.skip(!isPhone(page), "a desktop has room");
  // On its side there is room for some weeks: this one is the first, under the names of the days.
  await page.setViewportSize({ width: 844, height: 390 });
  await toCalendar(page);
  await expect(page.locator("[data-today]")).toBeInViewport({ ratio: 1 });
  const [head, today, foot] = await Promise.all(
    ["thead", "[data-today]", ".foot"].map((place) => page.getByRole("dialog").locator(place).boundingBox()),
  );
  expect(today?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0) - 1);
  expect((today?.y ?? 0) + 2 * (today?.height ?? 0)).toBeLessThan(foot?.y ?? 0);

  const { launchOptions, isMobile, hasTouch, locale, timezoneId } = info.project.use;
  const options = { baseURL, viewport: { width: 360, height: 740 }, isMobile, hasTouch, locale, timezoneId };
  const launch = (args: string[]) =>
    playwright.chromium.launch({ ...launchOptions, args: [...(launchOptions?.args ?? []), ...args] });
  await withLargeLetters(launch, options, async (large) => {
    await toCalendar(large);
    await expectRoom(large, info, "large-360-calendar");
    const sheet = large.locator(".mantine-Drawer-content");
    expect(await sheet.evaluate((e) => e.scrollWidth - e.clientWidth)).toBe(0);
  });
});

test("nothing_stands_in_what_is_cut_out_of_the_screen", async ({ page }, info) => {
  test.skip(!isPhone(page), "a desktop has straight edges");
  const insets = { top: 47, right: 0, bottom: 34, left: 0 };
  await cutOut(page, insets);
  await asDemo(page);
  await eachScreen(page, (name) => expectRoom(page, info, `round-${name}`, { insets }));
  await page.goto("/favors?view=asked");
  await expect(page.getByRole("article").first()).toBeVisible();
  const heading = await page.getByRole("heading", { level: 1 }).boundingBox();
  expect(heading?.y).toBeGreaterThan(insets.top);
});

test("with_reduced_motion_nothing_flickers", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.route("**/*FavorsService/ListReceivedFavors", () => undefined);
  await asDemo(page);
  await expect(page.getByRole("status", { name: "Loading Home..." })).toBeVisible();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test("the_calendar_refuses_a_time_that_has_passed", async ({ page }) => {
  await asDemo(page);
  // About noon in the browser's zone. Yesterday, when its session was good too.
  const noon = new Date(Date.now() - 86_400_000);
  await page.clock.setFixedTime(noon.setUTCHours(17, 0, 0, 0));
  await page.goto("/favors?tab=create");
  await page.getByRole("button", { name: /^Start Choose/ }).click();
  const calendar = page.getByRole("dialog", { name: "Select Date & Time" });
  await calendar.locator("[data-today]").click();
  const passed = calendar.getByText("This time has passed");
  await expect(passed).toBeVisible();
  await expect(calendar.getByRole("button", { name: "Confirm" })).toBeDisabled();
  await calendar.locator("label").filter({ hasText: "PM" }).click();
  await expect(passed).toBeHidden();
  await calendar.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("button", { name: /^Start .*10:00 PM/ })).toBeVisible();
});

test("styles_that_come_with_a_part_are_not_overruled_by_the_first_ones", async ({ page }) => {
  await asDemo(page);
  await page.goto("/favors");
  const tab = page.getByRole("tab", { name: "Active" });
  await expect(tab).toHaveCSS("border-bottom-style", "solid");
  await expect(tab).toHaveCSS("border-bottom-width", "3px");
});
