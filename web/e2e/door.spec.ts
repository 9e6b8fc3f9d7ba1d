// The door: a forgotten password, a stranger with the same address, and the demo member.
import { expect } from "./test";
import { as, joined, signUpElsewhere } from "./backstage";
import { look, test } from "./looks";
import { choose, codeFor, DEMO, expectHome, expectLogin, fillSignUp, person, skipPhoneStep, typeCode } from "./people";

test("a_code_by_mail_replaces_a_forgotten_password", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  await page.goto("/");
  await page.getByLabel("Email").fill(eve.email);
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await expect(page.getByLabel("Email")).toBeFocused();
  await expect(page.getByLabel("Email")).toHaveValue(eve.email);
  await look(page, info, "forgot");
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
  await expect(page.getByLabel("Digit 1 of 6")).toBeFocused();
  const code = await codeFor(eve.email, "new password");

  await typeCode(page, code === "000000" ? "111111" : "000000");
  await page.getByLabel("New password", { exact: true }).fill("short");
  await page.getByLabel("Confirm new password").fill("another turn a day");
  await page.getByRole("button", { name: "Set new password" }).click();
  await expect(page.getByText("Password must be at least 8 characters long")).toBeVisible();
  await page.getByLabel("New password", { exact: true }).fill("another turn a day");
  await page.getByRole("button", { name: "Set new password" }).click();
  await expect(page.getByText("Invalid verification code")).toBeVisible();
  await look(page, info, "reset-wrong");

  // The step stays over a reload, passwords do not.
  await page.reload();
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
  await typeCode(page, code);
  await page.getByLabel("New password", { exact: true }).fill("another turn a day");
  await page.getByLabel("Confirm new password").fill("another turn a day");
  await page.getByRole("button", { name: "Set new password" }).click();
  await expectHome(page);
});

test("confirming_an_address_lets_no_stranger_in", async ({ page }) => {
  const eve = person("Eve Lang");
  await fillSignUp(page, eve);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  const code = await codeFor(eve.email);
  const stranger = { name: "Some Body", email: eve.email, password: "a stranger's password" };
  await signUpElsewhere(stranger);
  await codeFor(eve.email, "Some Body");
  await typeCode(page, code);
  await skipPhoneStep(page);
  await expect(as(stranger)).rejects.toThrow("Incorrect username or password.");
});

test("the_way_back_from_a_forgotten_password_leads_to_all_other_ways_in", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await page.getByLabel("Email").fill("nobody");
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByText("Please enter a valid email address")).toBeVisible();
  await page.getByRole("button", { name: "Back to Sign In" }).click();
  await expectLogin(page);
  await choose(page, "Sign Up");
  await expect(page.getByLabel("Full name")).toBeVisible();
  await choose(page, "Sign In");
  await page.getByRole("button", { name: `Continue as ${DEMO.name}` }).click();
  await expectHome(page);
});
