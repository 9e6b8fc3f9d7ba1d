// The app by keyboard: where the focus goes, and that nothing needs a pointer.
import type { Page } from "@playwright/test";
import { expect } from "./test";
import { test } from "./looks";
import { asDemo, DEMO, expectHome, goTo, visit } from "./people";

test("signing_in_needs_no_pointer", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Please enter both email and password.")).toHaveCount(1);
  const password = page.getByLabel("Password", { exact: true });
  await expect(password).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Email").focus();
  await page.keyboard.type(DEMO.email);
  await page.keyboard.press("Tab");
  await expect(password).toBeFocused();
  await page.keyboard.type(DEMO.password);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Show password" })).toBeFocused();
  await page.keyboard.press("Enter");
  // Showing the password does not send the form.
  await expect(password).toHaveAttribute("type", "text");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expectHome(page);
});

test("the_first_tab_stop_skips_to_the_content_and_a_new_screen_takes_the_focus", async ({ page }) => {
  await asDemo(page);
  // The heading stands there before the app, which then takes the place of the frame it stands in.
  await expect(page.getByRole("list", { name: "Recent Favors" })).toBeVisible();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("button", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await goTo(page, "Favors");
  await expect(page.getByRole("heading", { level: 1, name: "Favors" })).toBeFocused();
  await page.getByRole("tab", { name: "Active" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Completed" })).toHaveAttribute("aria-selected", "true");
});

/** Tab goes round in the sheet on top, and never to the page behind it. */
async function expectKeepsTab(page: Page): Promise<void> {
  for (const key of [...Array<string>(12).fill("Tab"), ...Array<string>(12).fill("Shift+Tab")]) {
    await page.keyboard.press(key);
    const isInside = await page.evaluate(() => {
      const dialog = [...document.querySelectorAll("dialog[open], [role=dialog]")].at(-1);
      return document.activeElement !== document.body && dialog?.contains(document.activeElement);
    });
    expect(isInside, `after ${key}`).toBe(true);
  }
}

test("a_sheet_takes_the_focus_keeps_it_and_gives_it_back", async ({ page }) => {
  await asDemo(page);
  for (const [path, opener, title, shown] of [
    ["/favors?tab=create", /^Start Choose/, "Select Date & Time", "Confirm"],
    ["/favors?tab=create", /^Who to ask/, "Who can help?", "Cancel"],
    ["/settings/security", /^Password/, "Change your password", "Change password"],
  ] as const) {
    await visit(page, path);
    const button = page.getByRole("button", { name: opener });
    await button.focus();
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("dialog", { name: title });
    await expect(sheet.getByRole("button", { name: shown })).toBeVisible();
    await expect(sheet.getByText(title, { exact: true }).first()).toBeFocused();
    await expectKeepsTab(page);
    await page.keyboard.press("Escape");
    await expect(sheet).toBeHidden();
    await expect(button).toBeFocused();
  }
  await visit(page, "/favors?view=asked");
  await page.getByRole("article").first().getByRole("link").click();
  await page.locator(".stick").getByRole("button", { name: "I can help" }).click();
  await expectKeepsTab(page);
});

test("a_question_offers_the_safe_answer_first", async ({ page }) => {
  await asDemo(page);
  await visit(page, "/settings");
  const button = page.getByRole("button", { name: "Sign Out" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByRole("button", { name: "Cancel" })).toBeFocused();
  await expectKeepsTab(page);
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(button).toBeFocused();
});
