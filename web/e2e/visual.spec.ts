// Each screen and sheet once, in every size and scheme: axe, room for texts and targets, sideways
// scroll. The screens themselves stand in homeScreens.ts and its neighbors.
import type { Page, TestInfo } from "@playwright/test";
import { as, joined } from "./backstage";
import { boxOf } from "./boxes";
import { visualWalk } from "./everySize";
import { favorForm, favors, favorSheets } from "./favorScreens";
import { findingFriends, friends, groups, home, links, newcomer, signingUp } from "./homeScreens";
import { helping } from "./helpScreens";
import { items, rentals } from "./itemScreens";
import { linkedAccounts } from "./linkedAccounts";
import { look, still, test } from "./looks";
import { asDemo, DEMO, mailTo, signIn, visit } from "./people";
import { picture, security, settings } from "./settingsScreens";
import { DESKTOP, expect, PHONE } from "./test";

test("signing_in_and_up_is_for_every_eye", async ({ page }, info) => {
  await signingUp(await visualWalk(page, info));
});

test("empty_lists_show_a_new_member_the_next_step", async ({ page }, info) => {
  await signIn(page, await joined("Eve Lang"));
  await newcomer(await visualWalk(page, info));
});

test("home_and_the_settings_are_for_every_eye", async ({ page }, info) => {
  await asDemo(page);
  const walk = await visualWalk(page, info);
  await home(walk);
  await settings(walk);
  await picture(walk);
});

test("friends_and_groups_are_for_every_eye", async ({ page }, info) => {
  await asDemo(page);
  const walk = await visualWalk(page, info);
  await friends(walk);
  await findingFriends(walk);
  await groups(walk);
  await links(walk);
});

test("favors_are_for_every_eye", async ({ page }, info) => {
  await asDemo(page);
  await favors(await visualWalk(page, info));
});

test("the_sheets_of_a_favor_are_for_every_eye", async ({ page }, info) => {
  await asDemo(page);
  await favorSheets(await visualWalk(page, info));
});

test("the_form_of_a_favor_is_for_every_eye", async ({ page }, info) => {
  await asDemo(page);
  await favorForm(await visualWalk(page, info));
});

/** A desktop has room for two of one's own items beside each other. */
async function expectPairs(page: Page): Promise<void> {
  const own = page.getByRole("list", { name: "Your items" }).getByRole("listitem");
  for (const [size, areBeside] of [
    [DESKTOP.viewport, true],
    [PHONE.viewport, false],
  ] as const) {
    await page.setViewportSize(size);
    await still(page);
    const [first, second] = [await boxOf(own.nth(0)), await boxOf(own.nth(1))];
    expect(first.y === second.y).toBe(areBeside);
  }
}

test("items_and_rentals_are_for_every_eye", async ({ page }, info) => {
  await asDemo(page);
  await visit(page, "/share?tab=mine");
  await expectPairs(page);
  const walk = await visualWalk(page, info);
  await items(walk);
  await rentals(walk);
});

test("security_is_for_every_eye", async ({ page }, info) => {
  await linkedAccounts(page, ["Neighbors", "Google"]);
  await asDemo(page);
  await visit(page, "/settings/security");
  await expect(page.getByRole("list", { name: "Linked accounts" }).getByRole("listitem")).toHaveCount(2);
  await security(await visualWalk(page, info), DEMO.email);
});

test("a_favor_that_several_help_with_is_for_every_eye", async ({ page }, info) => {
  await helping(await visualWalk(page, info));
});

/** For screens whose layout may cut what members wrote, and for mails. */
async function lookInBothSizes(page: Page, info: TestInfo, name: string): Promise<void> {
  await look(page, info, name);
  await page.setViewportSize(DESKTOP.viewport);
  await still(page);
  await look(page, info, name);
  await page.setViewportSize(PHONE.viewport);
  await page.emulateMedia({ colorScheme: "light" });
}

test("long_words_and_names_keep_inside", async ({ page }, info) => {
  const [eve, wilhelmina] = [await joined("Eve Lang"), await joined("Wilhelmina Featherstonehaugh-Montgomery")];
  const other = await as(wilhelmina);
  await other.askToBeFriends(eve);
  await (await as(eve)).acceptFriends();
  await other.askFavor(eve, `${"Donaudampfschifffahrtsgesellschaft".repeat(4)} and then some more words to be long`);
  await signIn(page, eve);
  await expect(page.getByRole("heading", { name: "Needs your answer" })).toBeVisible();
  await lookInBothSizes(page, info, "long-home");
  await visit(page, "/favors?view=asked");
  await expect(page.getByRole("article").first()).toBeVisible();
  await lookInBothSizes(page, info, "long-list");
  await page.getByRole("article").first().getByRole("link").click();
  await expect(page.locator(".stick").getByRole("button", { name: "I can help" })).toBeVisible();
  await lookInBothSizes(page, info, "long-details");
});

test("mails_are_for_every_eye", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  const other = await as(await joined("Wilhelmina Featherstonehaugh-Montgomery"));
  await other.askToBeFriends(eve);
  for (const [name, says] of [
    ["mail-code", "Your verification code is"],
    ["mail-one", "New friend request"],
  ] as const) {
    const { number } = await mailTo(eve.email, says);
    await page.goto(`/dev/outbox/${number}`);
    await expect(page.getByRole("main").getByRole("heading")).toBeVisible();
    await lookInBothSizes(page, info, name);
  }
  await (await as(eve)).acceptFriends();
  const long = `${"Donaudampfschifffahrtsgesellschaft".repeat(3)} https://evil.example/win`;
  await Promise.all([other.askFavor(eve, long), other.askFavor(eve, "Water my balcony")]);
  const { number } = await mailTo(eve.email, "2 new notifications on Goodturn");
  await page.goto(`/dev/outbox/${number}`);
  await expect(page.getByRole("main").getByText("Water my balcony")).toBeVisible();
  await expect(page.getByRole("link", { name: /evil/ })).toHaveCount(0);
  await lookInBothSizes(page, info, "mail-several");
  // The page of all mails shows their text.
  await page.goto("/dev/outbox");
  await expect(page.getByRole("link", { name: "Preview" }).first()).toBeVisible();
});
