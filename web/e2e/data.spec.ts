// A member's own data: a copy of it as a file, and the end of the account.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { DESKTOP, expect } from "./test";
import { joined } from "./backstage";
import { entered } from "./calls";
import { test } from "./looks";
import { expectLogin, signIn } from "./people";

async function openData(page: Page): Promise<void> {
  await page.goto("/settings");
  await page.getByRole("link", { name: /^Your data/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your data" })).toBeFocused();
}

test.use(DESKTOP);

test("own_data_comes_as_a_file_and_a_typed_word_and_the_password_delete_the_account", async ({ page }) => {
  const eve = await joined("Eve Lang");
  await signIn(page, eve);
  await openData(page);
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download my data" }).click();
  const saved = await file;
  expect(saved.suggestedFilename()).toBe("goodturn-my-data.json");
  const data = JSON.parse(readFileSync(await saved.path(), "utf8")) as { identity: { email: string } };
  expect(data.identity.email).toBe(eve.email);
  await expect(page.getByText("Your data was downloaded.")).toBeVisible();

  await page.getByRole("button", { name: "Delete account" }).click();
  const form = page.getByRole("dialog", { name: "Delete your account" });
  await form.getByRole("button", { name: "Delete my account" }).click();
  await expect(form.getByText("Please type “delete”")).toBeVisible();
  await expect(form.getByLabel("Type “delete” to confirm")).toBeFocused();
  await form.getByLabel("Type “delete” to confirm").fill("Delete");
  await form.getByLabel("Your password").fill("not this one");
  await form.getByRole("button", { name: "Delete my account" }).click();
  await expect(form.getByText("That's not your password.")).toBeVisible();
  await expect(form.getByLabel("Your password")).toBeFocused();
  await form.getByLabel("Your password").fill(eve.password);
  await form.getByRole("button", { name: "Delete my account" }).click();
  await expectLogin(page);
  await expect(page.getByText("Your account was deleted.")).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("token")))).toEqual([]);
  await expect(entered(eve)).rejects.toThrow("Incorrect username or password.");
});
