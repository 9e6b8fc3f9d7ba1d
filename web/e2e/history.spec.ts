// The ways through the history: Back leads where the arrow leads, and no words are lost.
import type { Page } from "@playwright/test";
import { as, joined, twoFriends } from "./backstage";
import { test } from "./looks";
import { asDemo, choose, expectHome, expectLogin, goTo, leaveForm, signIn, visit } from "./people";
import { DESKTOP, expect } from "./test";

const dialog = (page: Page) => page.getByRole("dialog");
const title = (page: Page) => page.getByLabel("Title");
const edit = (page: Page) => page.getByRole("button", { name: "Edit favor" });
const save = (page: Page) => page.getByRole("button", { name: "Save changes" });

const openFirst = (page: Page) => page.getByRole("article").first().getByRole("link").click();

/** From a favor of one's own to the form that changes it, with words that are not sent. */
async function change(page: Page, words: string): Promise<void> {
  await edit(page).click();
  await title(page).fill(words);
}

test("back_from_a_form_asks_before_words_are_lost_and_then_leads_on", async ({ page }) => {
  const { who, own, other } = await twoFriends();
  await own.draft("Mend the fence");
  await signIn(page, who);
  await goTo(page, "Favors");
  await openFirst(page);

  // Nothing would be lost. The second of two taps on the arrow goes nowhere.
  await edit(page).click();
  await page.goBack();
  await edit(page).click();
  await expect(save(page)).toBeVisible();
  await page.locator("header.top button").first().dblclick({ delay: 30 });
  await page.waitForTimeout(600);
  await expect(page.getByRole("heading", { name: "Favor Details" })).toBeVisible();

  const words = "Mend the fence and the gate";
  await change(page, words);
  await page.goBack();
  await expect(dialog(page)).toContainText("Discard Changes");
  await dialog(page).getByRole("button", { name: "Keep Editing" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(title(page)).toHaveValue(words);

  // Several steps back ask too, and lead where they would have led.
  await page.evaluate(() => window.history.go(-3));
  await dialog(page).getByRole("button", { name: "Keep Editing" }).click();
  await expect(title(page)).toHaveValue(words);
  await page.evaluate(() => window.history.go(-2));
  await dialog(page).getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("tab", { name: "Active" })).toBeVisible();
  await expect(page).toHaveURL(/\/favors$/);
  await page.waitForTimeout(300);
  await expect(page).toHaveURL(/\/favors$/);

  // Two steps back at once lose nothing.
  await openFirst(page);
  await edit(page).click();
  await expect(title(page)).toHaveValue("Mend the fence");
  await title(page).fill(words);
  await page.evaluate(() => {
    window.history.back();
    setTimeout(() => window.history.back());
  });
  // A second one that comes late answers the question, with no.
  await page.waitForTimeout(1500);
  await expect(page).toHaveURL(/edit=1/);
  await expect(title(page)).toHaveValue(words);

  // A new page does not ask, since its words are found again.
  const favor = page.url().replace(/\?.*/, "");
  await page.goto("/friends");
  await page.goto(favor);
  const kept = page.getByText("You have unsaved changes to this favor.");
  await expect(kept).toBeVisible();
  await page.getByRole("button", { name: "Keep Editing" }).click();
  await expect(title(page)).toHaveValue(words);
  await page.goBack();
  await dialog(page).getByRole("button", { name: "Discard" }).click();
  await change(page, words);
  await page.goto(favor);
  const discard = page.getByRole("button", { name: "Discard my changes" });
  await discard.click();
  await expect(dialog(page)).toContainText("Discard Changes");
  await dialog(page).getByRole("button", { name: "Keep Editing" }).click();
  await expect(kept).toBeVisible();
  await discard.click();
  await dialog(page).getByRole("button", { name: "Discard" }).click();
  await expect(kept).toHaveCount(0);
  await page.reload();
  await expect(edit(page)).toBeVisible();
  await expect(kept).toHaveCount(0);

  await change(page, "Paint the fence");
  await save(page).click();
  await expect(page.getByText("Favor updated successfully")).toBeVisible();
  await expect(edit(page)).toBeVisible();
  await expect(dialog(page)).toBeHidden();

  // One way back leads from a favor that was cancelled while it was edited.
  await own.askFavor(other, "Water the basil");
  await visit(page, "/favors");
  await page.getByRole("link", { name: "Water the basil" }).click();
  await edit(page).click();
  await expect(save(page)).toBeVisible();
  await own.cancel("Water the basil");
  await expect(save(page)).toBeHidden();
  await expect(page).not.toHaveURL(/edit/);
  await page.goBack();
  await expect(page).toHaveURL(/\/favors$/);
});

test.describe("on a desktop", () => {
  test.use(DESKTOP);

  // A phone has no way elsewhere from a form.
  test("staying_with_typed_words_keeps_what_lies_ahead", async ({ page }) => {
    const eve = await joined("Eve Lang");
    await (await as(eve)).draft("Mend the fence");
    await signIn(page, eve);
    await goTo(page, "Favors");
    await openFirst(page);
    await change(page, "Mend the fence and the gate");
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
    await expect(edit(page)).toBeVisible();
  });
});

test("the_arrow_leads_back_to_the_same_list_and_place", async ({ page }) => {
  await asDemo(page);
  await goTo(page, "Favors");
  await page.getByRole("tab", { name: "Completed" }).click();
  await choose(page, "Cancelled");
  await expect(page).toHaveURL(/view=cancelled/);
  await openFirst(page);
  const arrow = page.getByRole("button", { name: "Back" });
  await arrow.click();
  await expect(page).toHaveURL(/tab=completed&view=cancelled/);
  // Tabs have left no trace: before the list there was Home.
  await page.goBack();
  await expectHome(page);

  const recent = page.getByRole("list", { name: "Recent Favors" });
  const path = await recent.getByRole("link").first().getAttribute("href");
  await recent.getByRole("link").last().click();
  await expect(page.getByRole("heading", { level: 1, name: "Favor Details" })).toBeVisible();
  await arrow.click();
  await expectHome(page);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await page.getByRole("link", { name: "Settings" }).filter({ visible: true }).click();
  await page.getByRole("button", { name: "Close" }).click();
  await expectHome(page);

  // The form of a favor leads back to where it was opened.
  await page.getByRole("button", { name: "Request a Favor" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Request a favor" })).toBeFocused();
  await leaveForm(page);
  await expectHome(page);
  await goTo(page, "Favors");
  await page.getByRole("tab", { name: "Create" }).click();
  await leaveForm(page);
  await expect(page.getByRole("tab", { name: "Active" })).toBeVisible();

  // The arrow leads to the list when nothing is behind.
  const fresh = await page.context().newPage();
  await fresh.goto(path ?? "");
  await fresh.getByRole("button", { name: "Back" }).click();
  await expect(fresh.getByRole("heading", { level: 1, name: "Favors" })).toBeVisible();

  // A link that leads to no favor says so and leads on.
  for (const id of ["123", "not%20an%20id", crypto.randomUUID()]) {
    await visit(fresh, `/favors/${id}`);
    await expect(fresh.getByText("You can't see this favor")).toBeVisible();
    await expect(fresh.getByText("Failed to load this favor")).toHaveCount(0);
    await visit(fresh, "/favors");
    await expect(fresh.getByRole("tab", { name: "Active" })).toBeVisible();
  }
  await visit(fresh, `/favors/${crypto.randomUUID()}`);
  await fresh.getByRole("link", { name: "See active favors" }).click();
  await expect(fresh).toHaveURL(/\/favors$/);
});

test("an_address_without_a_page_says_so_and_the_way_back_leads_on", async ({ page }) => {
  const none = page.getByRole("heading", { level: 1, name: "Page not found" });
  await page.goto("/x/y/z");
  await expect(none).toBeVisible();
  await expect(page.getByText("Route: /x/y/z")).toBeVisible();
  await page.getByRole("link", { name: "Go to Goodturn" }).click();
  await expectLogin(page);

  await asDemo(page);
  await goTo(page, "Friends");
  await visit(page, "/settings/nothing");
  await expect(none).toBeFocused();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await page.getByRole("link", { name: "Go to Home" }).click();
  await expectHome(page);
  await page.goBack();
  await expect(none).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/friends$/);

  for (const path of ["/Share/?tab=mine", "/share///?tab=mine"]) {
    await page.goto(path);
    await expect(page.getByRole("tab", { name: "My Listings" })).toHaveAttribute("aria-selected", "true");
    await expect(page).toHaveURL(/\/share\?tab=mine$/);
  }
});
