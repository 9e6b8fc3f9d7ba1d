// Typed words belong to one tab and one member, over a sign-out and a session that ends elsewhere.
import type { Page } from "@playwright/test";
import { as, joined } from "./backstage";
import { expectLogin, signIn, signInAtTheDoor, signOut, visit } from "./people";
import { expect, test } from "./test";

const title = (page: Page) => page.getByLabel("Title");
const stored = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));

test("each_tab_has_its_own_words_and_a_sign_out_clears_all_of_them", async ({ page, context }) => {
  await signIn(page, await joined("Eve Lang"));
  const other = await context.newPage();
  for (const [tab, words] of [
    [page, "Water the basil"],
    [other, "Turn the compost"],
  ] as const) {
    await tab.goto("/favors?tab=create");
    await title(tab).fill(words);
  }
  await page.reload();
  await other.reload();
  await expect(title(page)).toHaveValue("Water the basil");
  await expect(title(other)).toHaveValue("Turn the compost");
  await page.getByRole("button", { name: "Start New" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start New" }).click();
  await other.reload();
  await expect(title(other)).toHaveValue("Turn the compost");
  await signOut(page);
  await expectLogin(other);
  expect(await stored(other)).not.toContain("compost");
});

test("typed_words_outlive_a_session_and_nobody_else_sees_them", async ({ page }) => {
  const [eve, ben] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  async function endElsewhere(): Promise<void> {
    await (await as(eve)).identity.globalSignOut({});
  }
  await signInAtTheDoor(page, eve);
  await visit(page, "/favors?tab=create");
  await title(page).fill("Turn the compost");
  await endElsewhere();
  await page.reload();
  await expectLogin(page);
  await signInAtTheDoor(page, eve);
  await visit(page, "/favors?tab=create");
  await expect(title(page)).toHaveValue("Turn the compost");
  await endElsewhere();
  await page.reload();
  await expectLogin(page);
  await signInAtTheDoor(page, ben);
  expect(await stored(page)).not.toContain("compost");
  await visit(page, "/favors?tab=create");
  await expect(title(page)).toHaveValue("");
});
