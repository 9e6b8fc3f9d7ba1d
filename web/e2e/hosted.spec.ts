// The hosted page, which applications send members to: each of its steps in every size and scheme,
// by keyboard, and back to the application.
import type { Page } from "@playwright/test";
import { expect, test } from "./test";
import { totp } from "./authenticator";
import { joined, offerOwnPage } from "./backstage";
import { visualWalk } from "./everySize";
import { hostedPage } from "./hostedPage";
import { codeFor, expectHome } from "./people";

const NEW = "another turn a day";

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function give(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Sign In").click();
}

async function signingIn(page: Page, email: string, see: (name: string) => Promise<void>): Promise<void> {
  await page.goto(await hostedPage());
  await expect(heading(page, "Sign in to Goodturn")).toBeVisible();
  await see("sign-in");
  await give(page, email, "not hers");
  await expect(page.getByRole("alert")).toHaveText("Incorrect username or password.");
  await see("wrong");
  await button(page, "Forgot password?").click();
  await expect(heading(page, "Forgot your password?")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await see("forgot");
  await button(page, "Send code").click();
  await expect(heading(page, "Choose a new password")).toBeVisible();
  const code = await codeFor(email, "new password");
  await page.getByLabel("Verification code").fill(code === "000000" ? "111111" : "000000");
  await page.getByLabel("New password").fill(NEW);
  await button(page, "Set new password").click();
  await expect(page.getByRole("alert")).toContainText("Invalid verification code");
  await see("reset");
  await page.getByLabel("Verification code").fill(code);
  await page.getByLabel("New password").fill(NEW);
  await button(page, "Set new password").click();
  await expect(page.getByRole("status")).toHaveText("Your new password is set. Please sign in.");
  await see("done");
}

/** Shows the page's steps one after another. */
async function eachStep(page: Page, see: (name: string) => Promise<void>): Promise<void> {
  const { email } = await joined("Eve Lang");
  await signingIn(page, email, see);

  // The application that wants a second factor of everybody.
  await page.goto(await hostedPage({ client_id: "strict" }));
  await give(page, email, NEW);
  await expect(heading(page, "Set up a second step")).toBeVisible();
  await expect(page.getByRole("img", { name: /authenticator/ })).toBeVisible();
  const secret = ((await page.locator("code").textContent()) ?? "").replaceAll(" ", "");
  await see("set-up");
  const sent = page.waitForRequest(/\/auth\/callback\?code=/);
  await page.getByLabel("Verification code").fill(totp(secret));
  await button(page, "Turn on and sign in").click();
  await sent;

  await page.goto(await hostedPage({ prompt: "login" }));
  await give(page, email, NEW);
  await expect(heading(page, "One more step")).toBeVisible();
  await expect(page.getByLabel("Verification code")).toBeFocused();
  await see("code");

  // Without the cookie, as in an hour.
  await page.context().clearCookies();
  await button(page, "Continue").click();
  await expect(page.getByText("This page has expired or was opened in another browser.")).toBeVisible();
  await see("late");
  await page.goto(await hostedPage({ client_id: "nobody" }));
  await expect(page.getByText("We don't recognize the app that sent you here.")).toBeVisible();
  await see("strange");
}

test("each_step_of_the_hosted_page_is_for_every_eye", async ({ page }, info) => {
  const { see } = await visualWalk(page, info);
  await eachStep(page, see);
});

test("the_keyboard_leads_through_the_hosted_page_back_into_the_app", async ({ page }) => {
  const eve = await joined("Eve Lang");
  await offerOwnPage(page);
  await page.goto("/");
  await button(page, "Continue with Neighbors").click();
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.keyboard.type(eve.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type("not hers");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toBeVisible();
  // What was typed is there, and what was wrong is asked for.
  await expect(page.getByLabel("Email")).toHaveValue(eve.email);
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
  for (const name of ["Forgot password?", "Sign In", "Cancel"]) {
    await page.keyboard.press("Tab");
    await expect(button(page, name)).toBeFocused();
  }
  await page.getByLabel("Password", { exact: true }).focus();
  await page.keyboard.type(eve.password);
  await page.keyboard.press("Enter");
  await expectHome(page);
});
