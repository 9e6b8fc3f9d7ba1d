// Sign-in and security: sessions, the password, the address, an authenticator, SMS, and devices.
import { readFileSync } from "node:fs";
import type { Page, TestInfo } from "@playwright/test";
import { DESKTOP, expect } from "./test";
import { asClient, keyOf, totp, withAuthenticator, wrongCode } from "./authenticator";
import { joined } from "./backstage";
import { entered, identityCalls } from "./calls";
import { look, test } from "./looks";
import { type Session, sessionOfItsOwn } from "./sessions";
import {
  choose,
  codeFor,
  expectHome,
  openSecurity,
  type Person,
  signIn,
  signInAtTheDoor,
  signOut,
  typeCode,
} from "./people";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const sheet = (page: Page, name: string) => page.getByRole("dialog", { name });

test.use(DESKTOP);

const NEW_PASSWORD = "another turn a day";

/** Asks the server in a session that is not the browser's. */
const asksIn = ({ accessToken }: Session) =>
  identityCalls().getUser({}, { headers: { authorization: `Bearer ${accessToken}` } });

async function givePassword(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Sign In").click();
}

/** One other session is signed out, then all others. */
async function endSessions(page: Page, info: TestInfo, others: readonly Session[]): Promise<void> {
  const list = page.getByRole("list", { name: "Where you're signed in" });
  await expect(list.getByRole("listitem")).toHaveCount(4);
  await expect(list.getByRole("listitem").first()).toContainText("This device");
  await list.scrollIntoViewIfNeeded();
  await look(page, info, "security-sessions");
  await list
    .getByRole("button", { name: /^Sign out/ })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(3);
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("All other devices are signed out.")).toBeVisible();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Sign out everywhere else" })).toHaveCount(0);
  for (const session of others) await expect(asksIn(session)).rejects.toThrow("Invalid Access Token");
  await page.reload();
  await expect(list.getByText("This device")).toBeVisible();
}

/** The present password changes it, and ends the `other` session. */
async function changePassword(page: Page, info: TestInfo, eve: Person, other: Session): Promise<void> {
  await page.getByRole("button", { name: /^Password/ }).click();
  const form = sheet(page, "Change your password");
  await form.getByLabel("Current password").fill("not this one");
  await form.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
  await form.getByLabel("Confirm new password").fill("another turn a dau");
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(form.getByText("Passwords do not match")).toBeVisible();
  await form.getByLabel("Confirm new password").fill(NEW_PASSWORD);
  const tries: string[] = [];
  page.on("request", (request) => request.url().endsWith("/ChangePassword") && tries.push(request.url()));
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(form.getByText("That's not your current password.")).toBeVisible();
  await expect(form.getByLabel("Current password")).toBeFocused();
  // A wrong password counts once.
  expect(tries).toHaveLength(1);
  await look(page, info, "security-password-wrong");
  await form.getByLabel("Current password").fill(eve.password);
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText("Your password was changed.")).toBeVisible();
  await expect(asksIn(other)).rejects.toThrow("Invalid Access Token");
}

/** A code to the next address proves it. */
async function changeAddress(page: Page, info: TestInfo, eve: Person, taken: string, next: string): Promise<void> {
  const row = page.getByRole("button", { name: /^Email/ });
  const form = sheet(page, "Change your email address");

  // Only a reader of its mail learns that an address is taken.
  await row.click();
  await form.getByLabel("New email address").fill(eve.email);
  await form.getByRole("button", { name: "Send code" }).click();
  await expect(form.getByText("This is already your address.")).toBeVisible();
  await form.getByLabel("New email address").fill(taken);
  await form.getByRole("button", { name: "Send code" }).click();
  await expect(form.getByText(`We sent a 6-digit code to ${taken}.`)).toBeVisible();
  await typeCode(page, await codeFor(taken, "to use this email address"));
  await expect(form.getByText("Another account uses this address.")).toBeVisible();
  await look(page, info, "security-email-taken");

  // Back leads to the address again.
  await page.goBack();
  await form.getByLabel("New email address").fill(next);
  await form.getByRole("button", { name: "Send code" }).click();
  await expect(form.getByText(`We sent a 6-digit code to ${next}.`)).toBeVisible();
  const code = await codeFor(next, "to use this email address");
  await typeCode(page, code === "000000" ? "111111" : "000000");
  await expect(form.getByText("Invalid verification code")).toBeVisible();
  await typeCode(page, code);
  await expect(form).toBeHidden();
  await expect(page.getByText("Your email address was changed.")).toBeVisible();
  await expect(row).toContainText(next);
}

test("sessions_end_and_the_password_and_the_address_change", async ({ page }, info) => {
  const [eve, taken] = await Promise.all([joined("Eve Lang"), joined("Eve Lang")]);
  const others = [await sessionOfItsOwn(eve), await entered(eve), await entered(eve)];
  await Promise.all(others.map(asksIn));
  await signIn(page, eve);
  await openSecurity(page);
  await test.step("sessions elsewhere end", () => endSessions(page, info, others));
  const other = await entered(eve);
  await asksIn(other);
  await test.step("the password changes", () => changePassword(page, info, eve, other));
  const next = `new.${eve.email}`;
  await test.step("the address changes", () => changeAddress(page, info, eve, taken.email, next));
  await page.goto("/settings");
  await expect(page.getByText(next)).toBeVisible();
  await signOut(page);
  await signInAtTheDoor(page, { email: next, password: NEW_PASSWORD });
});

test("an_authenticator_is_turned_on_with_recovery_codes_and_off_again", async ({ page, context }, info) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const eve = await joined("Eve Lang");
  await signIn(page, eve);
  await openSecurity(page);
  await page.getByRole("button", { name: /^Authenticator app/ }).click();
  const form = sheet(page, "Authenticator app");
  await expect(form.getByRole("img", { name: /QR code for your authenticator/ })).toBeVisible();
  const secret = await keyOf(page);
  await button(page, "Copy key").click();
  await expect(form.getByText("Copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await typeCode(page, wrongCode(secret));
  await expect(form.getByText("Invalid verification code")).toBeVisible();
  await typeCode(page, totp(secret, -1));
  const codes = form.getByRole("list", { name: "10 recovery codes" });
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  await look(page, info, "security-recovery");
  const file = page.waitForEvent("download");
  await form.getByRole("button", { name: "Download" }).click();
  const saved = readFileSync(await (await file).path(), "utf8");
  const [first = ""] = await codes.getByRole("listitem").allTextContents();
  expect(saved.match(/^[a-z0-9]{10}$/gm)).toHaveLength(10);
  expect(saved).toContain(first);
  await form.getByRole("button", { name: "Done" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole("button", { name: /^Authenticator app.*On$/ })).toBeVisible();
  // The codes are shown only once.
  await page.getByRole("button", { name: /^Authenticator app/ }).click();
  await expect(form.getByText(first)).toHaveCount(0);
  await look(page, info, "security-authenticator-on");

  await form.getByRole("button", { name: "New recovery codes" }).click();
  await page
    .getByRole("dialog", { name: "Create new recovery codes?" })
    .getByRole("button", { name: /^Create/ })
    .click();
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  await expect(form.getByText(first)).toHaveCount(0);
  await page.goBack();
  await page
    .getByRole("dialog", { name: /^Leave without/ })
    .getByRole("button", { name: "Leave" })
    .click();
  await expect(form).toBeHidden();
  await signOut(page);
  await givePassword(page, eve);
  await typeCode(page, totp(secret));
  await expectHome(page);

  await openSecurity(page);
  await page.getByRole("button", { name: /^Authenticator app/ }).click();
  await form.getByRole("button", { name: "Turn off" }).click();
  await page
    .getByRole("dialog", { name: "Turn the authenticator off?" })
    .getByRole("button", { name: "Turn off" })
    .click();
  await expect(form).toBeHidden();
  await expect(page.getByText("Your authenticator is off.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Authenticator app.*Off$/ })).toBeVisible();
  await signOut(page);
  await signInAtTheDoor(page, eve);
});

test("the_member_chooses_between_sms_and_the_authenticator", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  const phone = `+1555${String(Date.now()).slice(-7)}`;
  const { secret } = await withAuthenticator(eve);
  await page.goto("/");
  await givePassword(page, eve);
  await typeCode(page, totp(secret));
  await expectHome(page);
  await openSecurity(page);
  await expect(page.getByText("Needs a verified phone number.")).toBeVisible();
  await page.getByRole("button", { name: /^Phone number/ }).click();
  const form = sheet(page, "Your phone number");
  await form.getByLabel("Phone number with country code").fill("555 123");
  await form.getByRole("button", { name: "Send code" }).click();
  await expect(form.getByText("Invalid Phone Number: Please enter a valid phone number")).toBeVisible();
  await form.getByLabel("Phone number with country code").fill(phone);
  await form.getByRole("button", { name: "Send code" }).click();
  await typeCode(page, await codeFor(phone));
  await expect(form).toBeHidden();
  await page.getByRole("button", { name: "Turn on text message codes" }).click();
  await expect(page.getByText("Text message codes are on.")).toBeVisible();
  await choose(page, "Ask me");
  await expect(page.getByText("Your choice is saved.")).toBeVisible();
  await look(page, info, "security-sms");
  await signOut(page);

  await givePassword(page, eve);
  await expect(page.getByRole("heading", { name: "How do you want to confirm it's you?" })).toBeVisible();
  await look(page, info, "step-select");
  await page.getByRole("button", { name: /^Text message/ }).click();
  await expect(page.getByRole("heading", { name: "Check your phone" })).toBeVisible();
  await look(page, info, "step-sms");
  // Back leads to the choice, which can be made once more.
  await page.goBack();
  await page.getByRole("button", { name: /^Authenticator app/ }).click();
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: /^Text message/ }).click();
  await expect(page.getByRole("heading", { name: "Check your phone" })).toBeVisible();
  await expect(async () => {
    await typeCode(page, await codeFor(phone));
    await expectHome(page);
  }).toPass();
});

async function rememberHere(page: Page, code: string): Promise<void> {
  await page.getByRole("checkbox", { name: "Remember this device" }).check();
  const remembered = page.waitForResponse(/UpdateDeviceStatus$/);
  await typeCode(page, code);
  await expectHome(page);
  await remembered;
  await expect(async () => {
    const keys = await page.evaluate(() => Object.keys(localStorage));
    expect(keys.filter((key) => key.startsWith("goodturn.device."))).toHaveLength(1);
  }).toPass();
}

/** The stored key of the device becomes one that the server does not know. */
const replaceDeviceKey = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const key of Object.keys(localStorage).filter((name) => name.startsWith("goodturn.device."))) {
      const device = JSON.parse(localStorage.getItem(key) ?? "{}") as object;
      localStorage.setItem(key, JSON.stringify({ ...device, key: `us-east-1_${crypto.randomUUID()}` }));
    }
  });

test("a_remembered_device_is_asked_for_no_code_until_it_is_forgotten", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  const { secret } = await withAuthenticator(eve);
  const asked = page.getByRole("heading", { level: 1, name: "Enter your code" });
  await asClient(page, "remembering");
  await page.goto("/");
  await givePassword(page, eve);
  await rememberHere(page, totp(secret));

  await test.step("its session is refreshed", async () => {
    const refreshed = page.waitForResponse(/GetTokensFromRefreshToken$/);
    await page.evaluate(() => localStorage.setItem("goodturn.clock_drift_s", "-100000"));
    await page.reload();
    expect((await refreshed).headers()["grpc-status"]).toBeUndefined();
    await expectHome(page);
  });

  await test.step("the password is enough", async () => {
    await signOut(page);
    await givePassword(page, eve);
    await expectHome(page);
  });

  await test.step("a device that the server does not know is asked again", async () => {
    await signOut(page);
    await replaceDeviceKey(page);
    await givePassword(page, eve);
    await expect(asked).toBeVisible();
    await rememberHere(page, totp(secret, 1));
  });

  await test.step("a device that its member forgets is asked again", async () => {
    await openSecurity(page);
    const devices = page.getByRole("list", { name: "Remembered devices" });
    const here = devices.getByRole("listitem").filter({ hasText: "This device" });
    await expect(here).toBeVisible();
    await devices.scrollIntoViewIfNeeded();
    await look(page, info, "security-devices");
    for (const left of [1, 0]) {
      await devices
        .getByRole("button", { name: /^Forget / })
        .first()
        .click();
      await page.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
      if (left > 0) await expect(devices.getByRole("listitem")).toHaveCount(left);
    }
    await expect(page.getByText("No remembered devices.")).toBeVisible();
    await signOut(page);
    await givePassword(page, eve);
    await expect(asked).toBeVisible();
  });
});
