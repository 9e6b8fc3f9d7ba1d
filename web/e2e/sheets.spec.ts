// Back closes a sheet or a question and leaves its screen. Other ways out leave no step behind.
import type { Page } from "@playwright/test";
import { keyOf, totp } from "./authenticator";
import { joined } from "./backstage";
import { look, test as quiet } from "./looks";
import { expectHome, openSecurity, signIn, typeCode } from "./people";
import { failLater } from "./relay";
import { expect, MOTION, test } from "./test";

test.use(MOTION);

const steps = (page: Page): Promise<number> => page.evaluate(() => window.history.length);
/** The number of sheets that the present entry of the history stands for. In the page. */
const depth = (): number => (window.history.state as { layer?: number }).layer ?? 0;

quiet("back_closes_a_sheet_or_a_question_and_other_ways_out_are_no_steps", async ({ page }) => {
  await signIn(page, await joined("Eve Lang"));
  await expect(page.getByRole("region", { name: "First steps" })).toBeVisible();
  await page.getByRole("button", { name: "Request a Favor" }).click();
  const title = page.getByLabel("Title");
  await title.fill("Mend the gate");
  const before = await steps(page);
  const start = page.getByRole("button", { name: /^Start Choose/ });
  const calendar = page.getByRole("dialog", { name: "Select Date & Time" });
  const dialog = page.getByRole("dialog");

  // Back closes a sheet, and Forward does not open it again.
  await start.click();
  await expect(calendar.getByRole("button", { name: "Next month" })).toBeVisible();
  await page.goBack();
  await expect(calendar).toBeHidden();
  await expect(title).toHaveValue("Mend the gate");
  await expect(start).toBeFocused();
  await page.goForward();
  await expect(calendar).toBeHidden();
  await expect(title).toHaveValue("Mend the gate");
  await expect.poll(() => page.evaluate(depth)).toBe(0);

  // The step that a sheet was is one forward after it was closed otherwise.
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => dialog.getByRole("button", { name: "Close" }).click(),
  ]) {
    await start.click();
    await expect(calendar).toBeVisible();
    await close();
    await expect(calendar).toBeHidden();
  }
  expect(await steps(page)).toBe(before + 1);

  // A question stays until it is answered: a tap beside it is no answer, and Back is a no.
  const startNew = page.getByRole("button", { name: "Start New" });
  await startNew.click();
  await expect(dialog).toBeVisible();
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(title).toHaveValue("Mend the gate");

  // A sheet that was open when the page was loaded anew is no step either.
  await start.click();
  await expect(calendar).toBeVisible();
  await page.reload();
  await expect(title).toHaveValue("Mend the gate");
  await expect.poll(() => page.evaluate(depth)).toBe(0);

  // A link in a sheet takes the place of the sheet.
  const asked = page.getByRole("button", { name: /^Who to ask/ });
  await asked.click();
  await dialog.getByRole("link", { name: "Find Friends" }).click();
  await expect(page).toHaveURL(/friends\/find/);
  await page.goBack();
  await expect(asked).toBeVisible();
  await expect(dialog).toBeHidden();

  // A blank form is begun anew without a question.
  await startNew.click();
  await dialog.getByRole("button", { name: "Start New" }).click();
  await expect(title).toHaveValue("");
  await expect(dialog).toBeHidden();
  await startNew.click();
  await page.waitForTimeout(300);
  await expect(dialog).toHaveCount(0);
  await page.goBack();
  await expectHome(page);
});

quiet("recovery_codes_ask_before_they_are_left_until_they_are_kept", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  await signIn(page, eve);
  await openSecurity(page);
  await page.getByRole("button", { name: /^Authenticator app/ }).click();
  const form = page.getByRole("dialog", { name: "Authenticator app" });
  await typeCode(page, totp(await keyOf(page)));
  const codes = form.getByRole("list", { name: "10 recovery codes" });
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  const shown = await codes.textContent();
  const question = page.getByRole("dialog", { name: "Leave without your recovery codes?" });
  const ways: (() => Promise<unknown>)[] = [
    () => page.goBack(),
    () => page.keyboard.press("Escape"),
    () => form.getByRole("button", { name: "Close" }).click(),
    () => page.mouse.click(5, 5),
    () => page.evaluate(() => window.history.go(-2)),
  ];
  const stay = question.getByRole("button", { name: "Stay" });
  const stays = [() => stay.click(), () => page.keyboard.press("Escape")];
  for (const leave of ways)
    for (const answer of stays) {
      await leave();
      await expect(question).toBeVisible();
      await answer();
      await expect(question).toBeHidden();
      await expect(codes).toHaveText(shown ?? "");
    }
  await page.goBack();
  await expect(question).toBeVisible();
  await look(page, info, "security-recovery-leave");
  await stay.click();
  await form.getByRole("button", { name: "I saved them" }).click();
  await expect(form).toBeHidden();
  await expect(question).toBeHidden();
  // Codes that were downloaded are kept.
  await page.getByRole("button", { name: /^Authenticator app/ }).click();
  await form.getByRole("button", { name: "New recovery codes" }).click();
  const make = page.getByRole("dialog", { name: "Create new recovery codes?" });
  await make.getByRole("button", { name: /^Create/ }).click();
  await form.getByRole("button", { name: "Download" }).click();
  await page.goBack();
  await expect(form).toBeHidden();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
});

test("a_sheet_stays_after_two_taps_and_its_failure_is_told_after_it_was_left", async ({ page }) => {
  const eve = await joined("Eve Lang");
  await signIn(page, eve);
  await page.getByRole("link", { name: "Settings" }).filter({ visible: true }).click();
  await page.getByRole("link", { name: /^Sign-in and security/ }).click();
  const row = page.getByRole("button", { name: /^Email/ });
  await expect(row).toBeVisible();
  // Until what the screen itself brought takes taps.
  await page.waitForTimeout(600);
  await row.dblclick({ delay: 30 });
  const sheet = page.getByRole("dialog", { name: "Change your email address" });
  await expect(sheet).toBeVisible();
  await page.waitForTimeout(600);
  await expect(sheet).toBeVisible();
  await page.goBack();
  await expect(sheet).toBeHidden();

  // A password change that fails after its sheet was closed may have been made.
  await page.getByRole("button", { name: /^Password/ }).click();
  const form = page.getByRole("dialog", { name: "Change your password" });
  await form.getByLabel("Current password").fill(eve.password);
  await form.getByLabel("New password", { exact: true }).fill("another turn a day");
  await form.getByLabel("Confirm new password").fill("another turn a day");
  const fail = await failLater(page, "**/*IdentityService/ChangePassword");
  await form.getByRole("button", { name: "Change password" }).click();
  await page.goBack();
  await expect(form).toBeHidden();
  fail();
  const unknown = "your password may or may not have changed";
  await expect(page.getByRole("alert").filter({ hasText: unknown })).toBeVisible();
});
