// What a sign-in asks for beside the password, in the same form: codes, choices, setting up, and devices that are remembered.
import { expect, type Page, test as loud } from "@playwright/test";
import { asClient, totp, withAuthenticator, wrongCode } from "./authenticator";
import { created, joined } from "./backstage";
import { look, test } from "./looks";
import { codeFor, expectHome, expectLogin, type Person, signOut, skipPhoneStep, typeCode } from "./people";

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function givePassword(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Sign In").click();
}

test("an_authenticator_is_asked_for_in_the_same_form", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  const { secret } = await withAuthenticator(eve);
  await page.goto("/");
  await givePassword(page, eve);
  await expect(heading(page, "Enter your code")).toBeVisible();
  await expect(page.getByLabel("Digit 1 of 6")).toBeFocused();
  await button(page, "Sign In").click();
  await expect(page.getByText("Please enter the verification code")).toBeVisible();
  await look(page, info, "step-code");
  await typeCode(page, wrongCode(secret));
  await button(page, "Sign In").click();
  await expect(page.getByText("Invalid verification code")).toBeVisible();
  await look(page, info, "step-code-wrong");

  // Back is the password, as it was left.
  await page.goBack();
  await expectLogin(page);
  await expect(page.getByLabel("E-mail")).toHaveValue(eve.email);
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue(eve.password);
  await givePassword(page, eve);
  await expect(heading(page, "Enter your code")).toBeVisible();
  // What the server waits for is not kept over a reload: a code without its password is none.
  await page.reload();
  await expectLogin(page);
  await givePassword(page, eve);
  await expect(heading(page, "Enter your code")).toBeVisible();
  await typeCode(page, totp(secret));
  await button(page, "Sign In").click();
  await expectHome(page);
});

loud("a_code_that_was_not_heard_can_be_sent_again", async ({ page, context }) => {
  const eve = await joined("Eve Lang");
  const { secret } = await withAuthenticator(eve);
  await page.goto("/");
  await givePassword(page, eve);
  await typeCode(page, totp(secret));
  await context.setOffline(true);
  await button(page, "Sign In").click();
  await expect(page.getByText("Network error")).toBeVisible();
  await expect(page.locator(".mantine-PinInput-input[data-error]")).toHaveCount(0);
  await context.setOffline(false);
  await page.getByRole("alert").getByRole("button", { name: "Retry" }).click();
  await expectHome(page);
});

test("a_recovery_code_stands_in_for_a_lost_authenticator_once", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  const { recovery } = await withAuthenticator(eve);
  const [code = ""] = recovery;
  await page.goto("/");
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

test("five_wrong_codes_lead_back_to_the_password_with_a_word_why", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  await page.goto("/");
  await page.getByLabel("E-mail").fill(eve.email);
  await page.getByRole("button", { name: "Send me a code instead" }).click();
  await expect(heading(page, "Check your e-mail")).toBeVisible();
  const code = await codeFor(eve.email, "signs in");
  for (let i = 0; i < 6; i += 1) {
    await typeCode(page, code === "000000" ? "111111" : "000000");
    await button(page, "Sign In").click();
    if (i < 5) await expect(page.getByRole("alert").filter({ hasText: "Invalid verification code" })).toBeVisible();
    if (i < 5) await expect(page.locator("[data-loading]")).toHaveCount(0);
  }
  await expectLogin(page);
  await expect(page.getByText("Too many codes were wrong. Please sign in again.")).toBeVisible();
  await look(page, info, "step-back");
});

test("a_code_by_mail_stands_in_for_the_password", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  await page.goto("/");
  await page.getByRole("button", { name: "Send me a code instead" }).click();
  await expect(page.getByText("Please enter a valid email address")).toBeVisible();
  await expect(page.getByLabel("E-mail")).toBeFocused();
  await page.getByLabel("E-mail").fill(eve.email);
  await page.getByRole("button", { name: "Send me a code instead" }).click();
  await expect(page.getByText(`If there is an account for ${eve.email}`)).toBeVisible();
  const first = await codeFor(eve.email, "signs in");
  await button(page, "Resend code").click();
  await expect(page.getByText("Verification code sent to your email")).toBeVisible();
  await look(page, info, "step-mail");
  let second = first;
  await expect(async () => {
    second = await codeFor(eve.email, "signs in");
    expect(second).not.toBe(first);
  }).toPass();
  await typeCode(page, second);
  await button(page, "Sign In").click();
  await expectHome(page);
});

test("who_must_have_a_second_factor_sets_one_up_at_the_door", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  await asClient(page, "strict");
  await page.goto("/");
  await givePassword(page, eve);
  await expect(heading(page, "Set up a second step")).toBeVisible();
  await expect(page.getByRole("img", { name: /authenticator app reads/ })).toBeVisible();
  await look(page, info, "step-set-up");
  const secret = (await page.locator("code").textContent())?.replaceAll(" ", "") ?? "";
  await typeCode(page, wrongCode(secret));
  await button(page, "Sign In").click();
  await expect(page.getByText("Invalid verification code")).toBeVisible();
  await typeCode(page, totp(secret));
  await button(page, "Sign In").click();
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
  // The one that an operator knows is no password of one's own.
  for (const password of [eve.password, "a good turn at night"]) {
    await first.fill(password);
    await second.fill(password);
    await button(page, "Set new password").click();
    if (password === eve.password) await expect(page.getByText("must not be the temporary one")).toBeVisible();
  }
  await skipPhoneStep(page);
  await signOut(page);
  await givePassword(page, eve);
  await expect(page.getByText("Incorrect username or password")).toBeVisible();
  await givePassword(page, { ...eve, password: "a good turn at night" });
  await expectHome(page);
});

test("a_device_that_is_remembered_is_not_asked_again", async ({ page }) => {
  const eve = await joined("Eve Lang");
  const { secret } = await withAuthenticator(eve);
  await asClient(page, "remembering");
  await page.goto("/");
  await givePassword(page, eve);
  await page.getByRole("checkbox", { name: "Remember this device" }).check();
  const remembered = page.waitForResponse(/UpdateDeviceStatus$/);
  await typeCode(page, totp(secret));
  await button(page, "Sign In").click();
  await expectHome(page);
  await remembered;
  await expect(async () => {
    const keys = await page.evaluate(() => Object.keys(localStorage));
    expect(keys.filter((key) => key.startsWith("goodturn.device."))).toHaveLength(1);
  }).toPass();

  // The session is refreshed from its device.
  const refreshed = page.waitForResponse(/GetTokensFromRefreshToken$/);
  await page.evaluate(() => localStorage.setItem("goodturn.clock_drift_s", "-100000"));
  await page.reload();
  expect((await refreshed).headers()["grpc-status"]).toBeUndefined();
  await expectHome(page);

  await signOut(page);
  await givePassword(page, eve);
  await expectHome(page);
  await signOut(page);
  // One that the server does not know any more is forgotten here, and asked again.
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage).filter((name) => name.startsWith("goodturn.device."))) {
      const device = JSON.parse(localStorage.getItem(key) ?? "{}") as object;
      localStorage.setItem(key, JSON.stringify({ ...device, key: `us-east-1_${crypto.randomUUID()}` }));
    }
  });
  await givePassword(page, eve);
  await expect(heading(page, "Enter your code")).toBeVisible();
});
