// What stands over a screen: the way back closes it and leaves the screen, and who closes it otherwise finds the history as it was.
import { expect, type Locator, type Page, type Route } from "@playwright/test";
import { as, joined, twoFriends } from "./backstage";
import { fillFavor } from "./fill";
import { test } from "./looks";
import { asDemo, expectHome, expectLogin, fillSignUp, goTo, isPhone, person, signIn, typeCode } from "./people";

/** All that the browser stores of the page. In the page. */
const kept = (): string => JSON.stringify({ ...localStorage, ...sessionStorage, state: history.state });

const steps = (page: Page): Promise<number> => page.evaluate(() => window.history.length);

/** The form of a favor, with Home behind it. */
async function toForm(page: Page): Promise<void> {
  await asDemo(page);
  // What is still coming moves what stands there.
  await expect(page.getByRole("list", { name: "Recent Favors" })).toBeVisible();
  await page.getByRole("button", { name: "Request a Favor" }).click();
  await page.getByLabel("Title").fill("Mend the gate");
}

const start = (page: Page) => page.getByRole("button", { name: /^Start Choose/ });
const calendarOf = (page: Page) => page.getByRole("dialog", { name: "Select Date & Time" });

test("back_closes_a_sheet_and_leaves_its_screen", async ({ page }) => {
  await toForm(page);
  await start(page).click();
  await expect(calendarOf(page).getByRole("button", { name: "Next month" })).toBeVisible();
  await page.goBack();
  await expect(calendarOf(page)).toBeHidden();
  await expect(page.getByLabel("Title")).toHaveValue("Mend the gate");
  await expect(start(page)).toBeFocused();
  // A sheet that was closed does not come again.
  await page.goForward();
  await expect(calendarOf(page)).toBeHidden();
  await expect(page.getByLabel("Title")).toHaveValue("Mend the gate");
  await page.goBack();
  await expectHome(page);
});

test("a_sheet_that_was_closed_is_no_step_on_the_way_back", async ({ page }) => {
  await toForm(page);
  const before = await steps(page);
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => page.getByRole("dialog").getByRole("button", { name: "Close" }).click(),
  ]) {
    await start(page).click();
    await expect(calendarOf(page)).toBeVisible();
    await close();
    await expect(calendarOf(page)).toBeHidden();
  }
  // The step that the sheet was is one forward now.
  expect(await steps(page)).toBe(before + 1);
  await page.goBack();
  await expectHome(page);
});

test("a_sheet_that_was_open_when_the_page_was_loaded_anew_is_no_step_either", async ({ page }) => {
  await toForm(page);
  await start(page).click();
  await expect(calendarOf(page)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue("Mend the gate");
  await expect.poll(() => page.evaluate(() => (window.history.state as { layer?: number }).layer ?? 0)).toBe(0);
  await page.goBack();
  await expectHome(page);
});

test("what_leads_elsewhere_from_a_sheet_takes_its_place", async ({ page }) => {
  await signIn(page, await joined("Eve Lang"));
  await page.goto("/favors?tab=create");
  await page.getByRole("button", { name: /^Who to ask/ }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Find Friends" }).click();
  await expect(page).toHaveURL(/friends\/find/);
  await page.goBack();
  await expect(page.getByRole("button", { name: /^Who to ask/ })).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("back_answers_a_question_and_leaves_its_screen", async ({ page }) => {
  await toForm(page);
  await page.getByRole("button", { name: "Start New" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByLabel("Title")).toHaveValue("Mend the gate");
  await page.getByRole("button", { name: "Start New" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start New" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("");
  await page.goBack();
  await expectHome(page);
});

test("the_steps_of_the_door_are_steps_of_the_way_back", async ({ page }) => {
  const { email } = person("Eve Lang");
  await page.goto("/");
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Digit 1 of 6")).toBeFocused();
  await typeCode(page, "1234");
  await page.getByLabel("New password", { exact: true }).fill("another turn a day");
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await expect(page.getByLabel("E-mail")).toHaveValue(email);
  // The way forward leads to the step as it was left, which was in memory only.
  await page.goForward();
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
  await expect(page.getByLabel("Digit 4 of 6")).toHaveValue("4");
  await expect(page.getByLabel("New password", { exact: true })).toHaveValue("another turn a day");
  expect(await page.evaluate(kept)).not.toContain("another turn a day");
  await page.goBack();
  await page.goBack();
  await expectLogin(page);
  await page.evaluate(() => window.history.go(2));
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
  await expect(page.getByLabel("Digit 4 of 6")).toHaveValue("4");
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await page.goBack();
  await expectLogin(page);
  await expect(page.getByLabel("E-mail")).toHaveValue(email);
});

test("back_from_the_code_is_the_sign_up_as_it_was", async ({ page }) => {
  const eve = person("Eve Lang");
  await fillSignUp(page, eve);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible();
  await typeCode(page, "1234");
  await page.goBack();
  await expect(page.getByLabel("Full name")).toHaveValue(eve.name);
  await expect(page.getByLabel("E-mail")).toHaveValue(eve.email);
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue(eve.password);
  expect(await page.evaluate(kept)).not.toContain(eve.password);
  // Whatever was typed since: the code went to this address.
  await page.getByLabel("E-mail").fill("somebody@e2e.example");
  await page.goForward();
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible();
  await expect(page.getByText(eve.email)).toBeVisible();
  await expect(page.getByLabel("Digit 4 of 6")).toHaveValue("4");
});

test("a_sheet_answers_a_tap_before_its_contents_have_come", async ({ page }) => {
  const held: Route[] = [];
  await page.route("**/assets/CalendarSheet-*.js", (route) => void held.push(route));
  await toForm(page);
  await start(page).click();
  await expect(calendarOf(page).getByRole("status", { name: "Loading" })).toBeVisible();
  const height = (): Promise<number> => calendarOf(page).evaluate((e) => e.getBoundingClientRect().height);
  const before = await height();
  for (const route of held) await route.continue();
  await expect(calendarOf(page).getByRole("button", { name: "Next month" })).toBeVisible();
  // Nothing jumps.
  expect(Math.abs((await height()) - before)).toBeLessThan(24);
});

test("what_was_typed_to_offer_another_time_is_there_again", async ({ page }) => {
  await asDemo(page);
  await page.goto("/favors?view=asked");
  await page.getByRole("article").first().getByRole("link").click();
  const open = () => page.getByRole("button", { name: "Another time" }).click();
  await open();
  const field = page.getByRole("dialog", { name: "Offer another time" }).getByRole("textbox");
  await field.fill("Rather on Sunday");
  await page.goBack();
  await expect(field).toBeHidden();
  await open();
  await expect(field).toHaveValue("Rather on Sunday");
  await page.reload();
  await open();
  await expect(field).toHaveValue("Rather on Sunday");
});

test("a_question_that_destroys_nothing_has_a_calm_cancel", async ({ page }) => {
  await asDemo(page);
  const plain = await page.evaluate(() => getComputedStyle(document.body).color);
  await page.getByRole("button", { name: "I can help" }).first().click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Cancel" })).toHaveCSS("color", plain);
});

test("the_second_of_two_taps_answers_no_question_and_chooses_nothing", async ({ page }) => {
  await toForm(page);
  const place = await start(page).boundingBox();
  if (place === null) throw new Error("the field has a place");
  const at = [place.x + place.width / 2, place.y + place.height / 2] as const;
  await page.mouse.click(...at);
  await expect(calendarOf(page)).toBeVisible();
  // Wherever the second one falls, it is nobody's.
  const hit = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.className ?? "", at);
  expect(hit).toMatch(/mantine-(Drawer|Modal)-root/);
  await page.mouse.click(...at);
  await expect(calendarOf(page)).toBeVisible();
});

test("the_second_of_two_taps_closes_no_sheet_that_the_first_opened", async ({ page }) => {
  await asDemo(page);
  await page.goto("/settings/security");
  const row = page.getByRole("button", { name: /^E-mail/ });
  await expect(row).toBeVisible();
  // Until what the screen itself brought takes taps.
  await page.waitForTimeout(600);
  await row.dblclick({ delay: 30 });
  const sheet = page.getByRole("dialog", { name: "Change your e-mail address" });
  await expect(sheet).toBeVisible();
  await page.waitForTimeout(600);
  await expect(sheet).toBeVisible();
});

test("the_second_of_two_taps_on_the_way_back_goes_nowhere", async ({ page }) => {
  test.skip(!isPhone(page), "a desktop has the favor beside its list");
  const eve = await joined("Eve Lang");
  await (await as(eve)).draft("Mend the gate");
  await signIn(page, eve);
  await goTo(page, "Favors");
  await page.getByRole("article").first().getByRole("link").click();
  await page.getByRole("button", { name: "Edit favor" }).click();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeVisible();
  await page.locator("header.top button").first().dblclick({ delay: 30 });
  await page.waitForTimeout(600);
  await expect(page.getByRole("heading", { name: "Favor Details" })).toBeVisible();
});

/** Up to Done, which stands where Post is. */
async function choose(page: Page, isFirst: boolean): Promise<void> {
  if (isFirst) return fillFavor(page, "Water the basil", () => Promise.resolve());
  await page.getByRole("button", { name: /^Who to ask/ }).click();
  await expect(page.getByRole("checkbox", { name: /Ben Ortega/ })).toBeChecked();
  // Until the sheet takes taps.
  return page.waitForTimeout(600);
}

test("the_second_of_two_taps_that_close_a_sheet_hits_nothing_under_it", async ({ page }) => {
  const { who } = await twoFriends();
  await signIn(page, who);
  await page.goto("/favors?tab=create");
  const posts: string[] = [];
  page.on("request", (request) => request.url().endsWith("/CreateFavor") && posts.push(request.url()));
  const done = page.getByRole("button", { name: "Done" });
  const post = page.getByRole("button", { name: "Post", exact: true });
  for (const delay of [60, 200, 330]) {
    await choose(page, delay === 60);
    const at = await middleOf(done);
    await page.mouse.click(...at);
    await page.waitForTimeout(delay);
    await page.mouse.click(...at);
    await expect(done).toBeHidden();
    await page.waitForTimeout(300);
    expect(posts).toEqual([]);
  }
  // A tap that is meant is heard.
  await choose(page, false);
  await page.mouse.click(...(await middleOf(done)));
  const at = await middleOf(post);
  await page.waitForTimeout(500);
  await page.mouse.click(...at);
  await expect(page.getByText("Your favor has been posted!")).toBeVisible();
  expect(posts).toHaveLength(1);
});

async function middleOf(place: Locator): Promise<[number, number]> {
  const box = await place.boundingBox();
  if (box === null) throw new Error("it has no place");
  return [box.x + box.width / 2, box.y + box.height / 2];
}
