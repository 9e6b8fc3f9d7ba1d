// What is shown once: every way out of it asks, unless it was kept.
import { expect } from "@playwright/test";
import { keyOf, totp } from "./authenticator";
import { joined } from "./backstage";
import { look, test } from "./looks";
import { openSecurity, signIn, typeCode } from "./people";

test("recovery_codes_are_left_only_by_who_says_so", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  await signIn(page, eve);
  await openSecurity(page);
  await page.getByRole("button", { name: /^Authenticator app/ }).click();
  const form = page.getByRole("dialog", { name: "Authenticator app" });
  await typeCode(page, totp(await keyOf(page)));
  await form.getByRole("button", { name: "Turn on" }).click();
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
  const stays = [() => question.getByRole("button", { name: "Stay" }).click(), () => page.keyboard.press("Escape")];
  for (const leave of ways)
    for (const stay of stays) {
      await leave();
      await expect(question).toBeVisible();
      await stay();
      await expect(question).toBeHidden();
      await expect(codes).toHaveText(shown ?? "");
    }
  await page.goBack();
  await expect(question).toBeVisible();
  await look(page, info, "security-recovery-leave");
  await question.getByRole("button", { name: "Stay" }).click();
  await form.getByRole("button", { name: "I have kept them" }).click();
  await expect(form).toBeHidden();
  await expect(question).toBeHidden();
  // What was downloaded is kept.
  await page.getByRole("button", { name: /^Authenticator app/ }).click();
  await form.getByRole("button", { name: "New recovery codes" }).click();
  await page.getByRole("dialog", { name: "Make new recovery codes?" }).getByRole("button", { name: /^Make/ }).click();
  await form.getByRole("button", { name: "Download" }).click();
  await page.goBack();
  await expect(form).toBeHidden();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
});
