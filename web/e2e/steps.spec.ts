// The steps of a sign-in beside the password, in the same form: codes, set-up, a new password.
import type { Page } from "@playwright/test";
import { DESKTOP, expect } from "./test";
import { asClient, keyOf, totp, withAuthenticator, wrongCode } from "./authenticator";
import { created, joined } from "./backstage";
import { look, test } from "./looks";
import { codeFor, expectHome, expectLogin, type Person, signOut, skipPhoneStep, typeCode } from "./people";

test.use(DESKTOP);

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function givePassword(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Sign In").click();
}

/** The newest code by mail, once it is none of those before. */
async function otherCodeFor(email: string, before: readonly string[]): Promise<string> {
  let code = "";
  await expect(async () => {
    code = await codeFor(email, "is signing in");
    expect(before).not.toContain(code);
  }).toPass();
  return code;
}

test("the_form_asks_for_the_code_of_an_authenticator_or_once_for_a_recovery_code", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  const { secret, recovery } = await withAuthenticator(eve);
  await page.goto("/");
  await givePassword(page, eve);
  await expect(heading(page, "Enter your code")).toBeVisible();
  await expect(page.getByLabel("Digit 1 of 6")).toBeFocused();
  await button(page, "Sign In").click();
  await expect(page.getByText("Please enter the verification code")).toBeVisible();
  await look(page, info, "step-code");
  await typeCode(page, wrongCode(secret));
  await expect(page.getByText("Invalid verification code")).toBeVisible();
  await look(page, info, "step-code-wrong");

  // Back leads to the password, as it was left.
  await page.goBack();
  await expectLogin(page);
  await expect(page.getByLabel("Email")).toHaveValue(eve.email);
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue(eve.password);
  await givePassword(page, eve);
  await expect(heading(page, "Enter your code")).toBeVisible();
  // The step does not outlast a reload: a code is nothing without its password.
  await page.reload();
  await expectLogin(page);
  await givePassword(page, eve);
  await expect(heading(page, "Enter your code")).toBeVisible();
  await typeCode(page, totp(secret));
  await expectHome(page);

  await signOut(page);
  const [code = ""] = recovery;
  for (const letsIn of [true, false]) {
    await givePassword(page, eve);
    await page.getByRole("button", { name: "Use a recovery code instead" }).click();
    await expect(heading(page, "Use a recovery code")).toBeVisible();
    await expect(page.getByLabel("Recovery code")).toBeFocused();
    if (letsIn) await look(page, info, "step-recovery");
    await page.getByLabel("Recovery code").fill(` ${code.toUpperCase()} `);
    await button(page, "Sign In").click();
    if (letsIn) {
      await expectHome(page);
      await signOut(page);
    } else await expect(page.getByText("Invalid verification code")).toBeVisible();
  }
});

test("a_code_by_mail_stands_in_for_the_password_and_may_be_wrong_five_times", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  const sendCode = button(page, "Email me a code instead");
  await page.goto("/");
  await sendCode.click();
  await expect(page.getByText("Please enter a valid email address")).toBeVisible();
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.getByLabel("Email").fill(eve.email);
  await sendCode.click();
  await expect(heading(page, "Check your email")).toBeVisible();
  await expect(page.getByText(`If there's an account for ${eve.email}`)).toBeVisible();
  const first = await codeFor(eve.email, "is signing in");
  for (let i = 0; i < 6; i += 1) {
    await typeCode(page, first === "000000" ? "111111" : "000000");
    if (i < 5) await expect(page.getByRole("alert").filter({ hasText: "Invalid verification code" })).toBeVisible();
    if (i < 5) await expect(page.locator("[data-loading]")).toHaveCount(0);
  }
  await expectLogin(page);
  await expect(page.getByText("Too many wrong codes. Please sign in again.")).toBeVisible();
  await look(page, info, "step-back");

  await sendCode.click();
  await expect(heading(page, "Check your email")).toBeVisible();
  const second = await otherCodeFor(eve.email, [first]);
  await button(page, "Resend code").click();
  await expect(page.getByText("Verification code sent to your email")).toBeVisible();
  await look(page, info, "step-mail");
  await typeCode(page, await otherCodeFor(eve.email, [first, second]));
  await expectHome(page);
});

test("a_second_factor_that_is_required_is_set_up_at_the_door", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  await asClient(page, "strict");
  await page.goto("/");
  await givePassword(page, eve);
  await expect(heading(page, "Set up a second step")).toBeVisible();
  await expect(page.getByRole("img", { name: /QR code for your authenticator/ })).toBeVisible();
  await look(page, info, "step-set-up");
  const secret = await keyOf(page);
  await typeCode(page, wrongCode(secret));
  await expect(page.getByText("Invalid verification code")).toBeVisible();
  await typeCode(page, totp(secret));
  await expectHome(page);
});

test("a_temporary_password_gives_way_to_one_of_ones_own", async ({ page }, info) => {
  const eve = await created("Eve Lang");
  await page.goto("/");
  await givePassword(page, eve);
  await expect(heading(page, "Choose a new password")).toBeVisible();
  const [first, second] = [page.getByLabel("New password", { exact: true }), page.getByLabel("Confirm new password")];
  await expect(first).toBeFocused();
  await look(page, info, "step-new-password");
  // An operator knows the temporary password: it does not become the own one.
  for (const password of [eve.password, "a good turn at night"]) {
    await first.fill(password);
    await second.fill(password);
    await button(page, "Set new password").click();
    if (password === eve.password)
      await expect(page.getByText("Please choose a password other than the temporary one.")).toBeVisible();
  }
  await skipPhoneStep(page);
  await signOut(page);
  await givePassword(page, eve);
  await expect(page.getByText("Incorrect username or password")).toBeVisible();
  await givePassword(page, { ...eve, password: "a good turn at night" });
  await expectHome(page);
});
