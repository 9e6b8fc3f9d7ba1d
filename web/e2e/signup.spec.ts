// Signing up, signing in and a forgotten password: history, reloads, wrong codes, no connection.
import type { Page } from "@playwright/test";
import { confirmed, signUpElsewhere } from "./backstage";
import { look } from "./looks";
import { codeFor, expectLogin, fillSignUp, person, skipPhoneStep, typeCode } from "./people";
import { expect, test } from "./test";

/** Everything that the browser stores of the page. In the page. */
const stored = (): string =>
  JSON.stringify([{ ...localStorage }, { ...sessionStorage }, window.history.state as unknown]);

const digit = (page: Page, n: number) => page.getByLabel(`Digit ${n} of 6`);
/** The digits that are drawn as wrong. */
const wrongDigits = (page: Page) => page.locator(".mantine-PinInput-input[data-error]");
const email = (page: Page) => page.getByLabel("Email");
const password = (page: Page) => page.getByLabel("Password", { exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name });

test("signing_up_survives_back_a_reload_and_no_connection", async ({ page, context }, info) => {
  const eve = person("Eve Lang");
  await fillSignUp(page, eve);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(heading(page, "Check your email")).toBeVisible();
  // The code is typed at once.
  await expect(digit(page, 1)).toBeFocused();
  await page.keyboard.type("1234");

  // Back is the form as it was, and forward the step as it was: the code went to that address.
  await page.goBack();
  await expect(page.getByLabel("Full name")).toHaveValue(eve.name);
  await expect(email(page)).toHaveValue(eve.email);
  await expect(password(page)).toHaveValue(eve.password);
  expect(await page.evaluate(stored)).not.toContain(eve.password);
  await email(page).fill("somebody@e2e.example");
  await page.goForward();
  await expect(heading(page, "Check your email")).toBeVisible();
  await expect(page.getByText(eve.email)).toBeVisible();
  await expect(digit(page, 4)).toHaveValue("4");

  // The last digit sends the code, and a busy button sends nothing twice. A wrong code begins anew.
  const code = await codeFor(eve.email);
  const verify = page.getByRole("button", { name: "Verify" });
  let calls = 0;
  await page.route("**/*IdentityService/ConfirmSignUp", async (route) => {
    calls += 1;
    await expect(verify).toHaveAttribute("aria-disabled", "true");
    await verify.press("Enter");
    await expect(verify).toBeFocused();
    await route.continue();
  });
  await typeCode(page, code === "000000" ? "111111" : "000000");
  await expect(page.getByText("Invalid verification code")).toBeVisible();
  await expect(digit(page, 1)).toBeFocused();
  expect(calls).toBe(1);
  await page.unroute("**/*IdentityService/ConfirmSignUp");

  // A code that could not be checked is not wrong.
  await page.reload();
  await expect(digit(page, 1)).toBeFocused();
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await page.keyboard.type(code);
  await expect(page.getByText("Network error")).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("No connection.");
  await expect(wrongDigits(page)).toHaveCount(0);
  await expect(digit(page, 1)).toHaveValue(code.charAt(0));
  await context.setOffline(false);
  await page.getByRole("alert").getByRole("button", { name: "Retry" }).click();

  // The password was in memory only. What is said ends with the next try, or with other words.
  const verified = page.getByText("Your account is verified. Please sign in.");
  await expect(verified).toBeVisible();
  await password(page).fill("not the password");
  await page.getByRole("button", { name: "Sign In" }).click();
  const refused = page.getByRole("alert").filter({ hasText: "Sign In Failed" });
  await expect(refused).toBeVisible();
  await expect(verified).toHaveCount(0);
  await password(page).fill(eve.password);
  await expect(refused).toHaveCount(0);

  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(refused).toContainText("No connection. We kept what you typed.");
  await look(page, info, "sign-in-lost");
  await context.setOffline(false);
  await refused.getByRole("button", { name: "Retry" }).click();
  await skipPhoneStep(page);
});

test("an_address_that_was_never_verified_leads_to_its_code", async ({ page, context }, info) => {
  const eve = person("Eve Lang");
  await signUpElsewhere(eve);
  await page.goto("/");
  await expectLogin(page);
  // The form says that there is no connection, on each of its steps.
  await context.setOffline(true);
  const offline = page.getByText("You're offline. You can't sign in right now.");
  await expect(offline).toBeInViewport();
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await expect(offline).toBeVisible();
  await context.setOffline(false);
  await expect(offline).toBeHidden();
  await page.goBack();

  await email(page).fill(eve.email);
  await password(page).fill(eve.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("This address isn't verified yet.")).toBeVisible();
  await expect(digit(page, 1)).toBeFocused();
  await look(page, info, "verify-unconfirmed");
  await typeCode(page, await codeFor(eve.email));
  await skipPhoneStep(page);
});

test("the_steps_of_a_forgotten_password_are_steps_of_the_history", async ({ page, context }) => {
  const eve = await confirmed("Eve Lang");
  await page.goto("/");
  await email(page).fill(eve.email);
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(heading(page, "Choose a new password")).toBeVisible();
  await page.reload();
  await expect(digit(page, 1)).toBeFocused();
  await typeCode(page, "1234");
  const next = page.getByLabel("New password", { exact: true });
  await next.fill("another turn a day");
  await page.goBack();
  await expect(heading(page, "Forgot your password?")).toBeVisible();
  await expect(email(page)).toHaveValue(eve.email);

  // The way forward leads to the step as it was left, which was in memory only.
  await page.goForward();
  await expect(heading(page, "Choose a new password")).toBeVisible();
  await expect(digit(page, 4)).toHaveValue("4");
  await expect(next).toHaveValue("another turn a day");
  expect(await page.evaluate(stored)).not.toContain("another turn a day");
  await page.goBack();
  await page.goBack();
  await expectLogin(page);
  await expect(email(page)).toHaveValue(eve.email);
  await page.evaluate(() => window.history.go(2));
  await expect(heading(page, "Choose a new password")).toBeVisible();
  await expect(digit(page, 4)).toHaveValue("4");
  await page.goBack();
  await expect(heading(page, "Forgot your password?")).toBeVisible();
  await page.goForward();
  await expect(heading(page, "Choose a new password")).toBeVisible();

  // A code that could not be checked is not wrong, and a wrong one is.
  const code = await codeFor(eve.email, "new password");
  await typeCode(page, code === "000000" ? "111111" : "000000");
  await next.fill("another turn a day");
  await page.getByLabel("Confirm new password").fill("another turn a day");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Set new password" }).click();
  await expect(page.getByText("Network error")).toBeVisible();
  await expect(wrongDigits(page)).toHaveCount(0);
  await context.setOffline(false);
  const retry = page.getByRole("alert").getByRole("button", { name: "Retry" });
  await retry.click();
  await expect(page.getByText("Invalid verification code")).toBeVisible();
  await expect(wrongDigits(page)).toHaveCount(6);
  await expect(retry).toHaveCount(0);
});
