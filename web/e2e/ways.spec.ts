// The ways through the history: each way back leads to another screen, what lies ahead stays there, and no words are lost on the way.
import { expect, type Page, test } from "@playwright/test";
import { as, joined, twoFriends } from "./backstage";
import { fillFavor } from "./fill";
import { look } from "./looks";
import { expectHome, goTo, isPhone, leaveForm, signIn } from "./people";
import { failLater } from "./relay";

const POSTED = "Your favor has been posted! Selected friends will be notified.";
const UPDATE = "**/*FavorsService/UpdateFavor";

const dialog = (page: Page) => page.getByRole("dialog");
const title = (page: Page) => page.getByLabel("Title");
const steps = (page: Page): Promise<number> => page.evaluate(() => window.history.length);

/** From Home by the list to the form that changes a favor of one's own. */
async function toEdit(page: Page): Promise<void> {
  await goTo(page, "Favors");
  await page.getByRole("article").first().getByRole("link").click();
  await page.getByRole("button", { name: "Edit favor" }).click();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeVisible();
}

/** The same with words that are not sent. */
async function toTyped(page: Page): Promise<void> {
  const eve = await joined("Eve Lang");
  await (await as(eve)).draft("Mend the fence");
  await signIn(page, eve);
  await toEdit(page);
  await title(page).fill("Mend the fence and the gate");
}

test("several_steps_back_from_typed_words_ask_and_lead_where_they_lead", async ({ page }) => {
  await toTyped(page);
  await page.evaluate(() => window.history.go(-3));
  await dialog(page).getByRole("button", { name: "Keep Editing" }).click();
  await expect(title(page)).toHaveValue("Mend the fence and the gate");
  await page.evaluate(() => window.history.go(-2));
  await dialog(page).getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("tab", { name: "Active" })).toBeVisible();
  await expect(page).toHaveURL(/\/favors$/);
  await page.waitForTimeout(300);
  await expect(page).toHaveURL(/\/favors$/);
  await page.goBack();
  await expectHome(page);
});

test("who_stays_with_typed_words_finds_what_lies_ahead", async ({ page }) => {
  test.skip(isPhone(page), "a phone has no way elsewhere from a form");
  await toTyped(page);
  await goTo(page, "Friends");
  await expect(page.getByRole("heading", { level: 1, name: "Friends" })).toBeVisible();
  await page.goBack();
  await expect(title(page)).toHaveValue("Mend the fence and the gate");
  await page.goBack();
  await dialog(page).getByRole("button", { name: "Keep Editing" }).click();
  await expect(dialog(page)).toBeHidden();
  await title(page).fill("Mend the gate");
  await page.goForward();
  await expect(page).toHaveURL(/\/friends$/);
  await page.goBack();
  await expect(title(page)).toHaveValue("Mend the gate");
  await page.goBack();
  await dialog(page).getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("button", { name: "Edit favor" })).toBeVisible();
});

test("who_goes_back_twice_at_once_loses_nothing", async ({ page }) => {
  await toTyped(page);
  await page.evaluate(() => {
    window.history.back();
    setTimeout(() => window.history.back());
  });
  // Where the second one comes late it answers the question, with no.
  await page.waitForTimeout(1500);
  await expect(page).toHaveURL(/edit=1/);
  await expect(title(page)).toHaveValue("Mend the fence and the gate");
});

test("words_are_discarded_only_by_who_says_so", async ({ page }) => {
  await toTyped(page);
  const favor = page.url().replace(/\?.*/, "");
  await page.goto("/friends");
  await page.goto(favor);
  const kept = page.getByText("You changed this favor and did not save it.");
  const discard = page.getByRole("button", { name: "Discard my words" });
  await discard.click();
  await expect(dialog(page)).toContainText("Discard Changes");
  await dialog(page).getByRole("button", { name: "Keep Editing" }).click();
  await expect(kept).toBeVisible();
  await discard.click();
  await dialog(page).getByRole("button", { name: "Discard" }).click();
  await expect(kept).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("button", { name: "Edit favor" })).toBeVisible();
  await expect(kept).toHaveCount(0);
});

test("a_blank_form_is_begun_anew_without_a_question", async ({ page }) => {
  await signIn(page, await joined("Eve Lang"));
  await page.goto("/favors?tab=create");
  await page.getByRole("button", { name: "Start New" }).click();
  await page.waitForTimeout(300);
  await expect(dialog(page)).toHaveCount(0);
  await title(page).fill("Mend the gate");
  await page.getByRole("button", { name: "Start New" }).click();
  await expect(dialog(page)).toBeVisible();
});

test("one_way_back_from_what_was_posted_leads_to_what_was_before_the_form", async ({ page }) => {
  const { who } = await twoFriends();
  await signIn(page, who);
  await goTo(page, "Favors");
  await page.getByRole("tab", { name: "Create" }).click();
  await fillFavor(page, "Water the basil");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByText(POSTED)).toBeVisible();
  await page.goBack();
  await expectHome(page);
});

test("one_way_back_leads_from_a_favor_that_was_cancelled_while_it_was_edited", async ({ page }) => {
  const [eve, other] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  const own = await as(eve);
  await (await as(other)).askToBeFriends(eve);
  await own.acceptFriends();
  await own.askFavor(other, "Water the basil");
  await signIn(page, eve);
  await toEdit(page);
  await own.cancel("Water the basil");
  await expect(page.getByRole("button", { name: "Save changes" })).toBeHidden();
  await expect(page).not.toHaveURL(/edit/);
  await page.goBack();
  await expect(page).toHaveURL(/\/favors$/);
});

test("two_taps_on_a_tab_are_one_step", async ({ page }) => {
  await signIn(page, await joined("Eve Lang"));
  const before = await steps(page);
  const tab = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Friends" });
  await tab.dblclick({ delay: 40 });
  await expect(page).toHaveURL(/\/friends$/);
  expect(await steps(page)).toBe(before + 1);
  await tab.click();
  expect(await steps(page)).toBe(before + 1);
  await page.goBack();
  await expectHome(page);
});

test("what_could_not_be_saved_after_its_form_was_left_is_said_on_its_favor", async ({ page }, info) => {
  await toTyped(page);
  const fail = await failLater(page, UPDATE);
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.goBack();
  await expect(page.getByText("Your changes are being saved…")).toBeVisible();
  fail();
  const failed = page.getByRole("alert").filter({ hasText: "Failed to update favor. Please try again." });
  await expect(failed).toContainText("What you typed is kept.");
  // The server can be reached.
  await expect(page.getByText("There is no connection")).toHaveCount(0);
  await look(page, info, "favor-unsent");
  await page.unroute(UPDATE);
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Favor updated successfully")).toBeVisible();
  await expect(failed).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Mend the fence and the gate" }).first()).toBeVisible();
});

test("what_could_not_be_saved_while_one_was_elsewhere_waits_where_it_was_tried", async ({ page }) => {
  await toTyped(page);
  const fail = await failLater(page, UPDATE);
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.evaluate(() => window.history.go(-3));
  await expectHome(page);
  fail();
  const toast = page.locator(".toast").filter({ hasText: "Failed to update favor." });
  await expect(toast).toContainText("What you typed is kept.");
  await toast.getByRole("link", { name: "Open" }).click();
  const failed = page.getByRole("alert").filter({ hasText: "Failed to update favor. Please try again." });
  await expect(failed).toBeVisible();
  await expect(title(page)).toHaveValue("Mend the fence and the gate");
  // Until it is tried, or other words are typed.
  await page.reload();
  await expect(failed).toBeVisible();
  await page.unroute(UPDATE);
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Favor updated successfully")).toBeVisible();
});

test("what_could_not_be_posted_after_the_form_was_left_waits_in_it", async ({ page }) => {
  await signIn(page, await joined("Eve Lang"));
  await goTo(page, "Favors");
  await page.getByRole("tab", { name: "Create" }).click();
  await title(page).fill("Mend the gate");
  await page.getByLabel("Description").fill("One hinge is loose.");
  const fail = await failLater(page, "**/*FavorsService/CreateFavor");
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await leaveForm(page);
  fail();
  const toast = page.locator(".toast").filter({ hasText: "Failed to save favor." });
  await expect(toast).toContainText("Your last try may have arrived all the same.");
  await page.unroute("**/*FavorsService/CreateFavor");
  await page.getByRole("tab", { name: "Create" }).click();
  // From now on the form says it.
  await expect(toast).toHaveCount(0);
  const failed = page.getByRole("alert").filter({ hasText: "Failed to save favor. Please try again." });
  await expect(failed).toContainText("What you typed is kept.");
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Draft saved")).toBeVisible();
  await expect(failed).toHaveCount(0);
});
