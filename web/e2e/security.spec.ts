// Sign-in and security: a new password, an authenticator with its recovery codes, and devices that are remembered.
import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { asClient, keyOf, totp, withAuthenticator, wrongCode } from "./authenticator";
import { as, joined } from "./backstage";
import { look, test } from "./looks";
import { choose, codeFor, expectHome, openSecurity, type Person, signInAtTheDoor, signOut, typeCode } from "./people";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const sheet = (page: Page, name: string) => page.getByRole("dialog", { name });

test("a_password_is_changed_by_the_present_one", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  const other = await as(eve);
  await signInAtTheDoor(page, eve);
  await openSecurity(page);
  await look(page, info, "security");
  await page.getByRole("button", { name: /^Password/ }).click();
  const form = sheet(page, "Change your password");
  await form.getByLabel("Present password").fill("not this one");
  await form.getByLabel("New password", { exact: true }).fill("another turn a day");
  await form.getByLabel("Confirm new password").fill("another turn a dau");
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(form.getByText("Passwords do not match")).toBeVisible();
  await form.getByLabel("Confirm new password").fill("another turn a day");
  const tries: string[] = [];
  page.on("request", (request) => request.url().endsWith("/ChangePassword") && tries.push(request.url()));
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(form.getByText("This is not your present password.")).toBeVisible();
  await expect(form.getByLabel("Present password")).toBeFocused();
  // A wrong password counts once.
  expect(tries).toHaveLength(1);
  await look(page, info, "security-password-wrong");
  await form.getByLabel("Present password").fill(eve.password);
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText("Your password is changed.")).toBeVisible();
  await expect(other.identity.getUser({})).rejects.toThrow();
  await signOut(page);
  await signInAtTheDoor(page, { ...eve, password: "another turn a day" });
});

test("an_authenticator_is_set_up_with_recovery_codes_and_turned_off", async ({ page, context }, info) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const eve = await joined("Eve Lang");
  await signInAtTheDoor(page, eve);
  await openSecurity(page);
  await page.getByRole("button", { name: /^Authenticator app/ }).click();
  const form = sheet(page, "Authenticator app");
  await expect(form.getByRole("img", { name: /authenticator app reads/ })).toBeVisible();
  await look(page, info, "security-authenticator");
  const secret = await keyOf(page);
  await button(page, "Copy").click();
  await expect(form.getByText("Copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await typeCode(page, wrongCode(secret));
  await form.getByRole("button", { name: "Turn on" }).click();
  await expect(form.getByText("Invalid verification code")).toBeVisible();
  await typeCode(page, totp(secret, -1));
  await form.getByRole("button", { name: "Turn on" }).click();
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
  // They are shown this once.
  await page.getByRole("button", { name: /^Authenticator app/ }).click();
  await expect(form.getByText(first)).toHaveCount(0);
  await look(page, info, "security-authenticator-on");

  await form.getByRole("button", { name: "New recovery codes" }).click();
  await page.getByRole("dialog", { name: "Make new recovery codes?" }).getByRole("button", { name: /^Make/ }).click();
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  await expect(form.getByText(first)).toHaveCount(0);
  await page.goBack();
  await page
    .getByRole("dialog", { name: /^Leave without/ })
    .getByRole("button", { name: "Leave" })
    .click();
  await expect(form).toBeHidden();
  await signOut(page);
  await page.getByLabel("E-mail").fill(eve.email);
  await page.getByLabel("Password", { exact: true }).fill(eve.password);
  await button(page, "Sign In").click();
  await typeCode(page, totp(secret));
  await button(page, "Sign In").click();
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

async function signInWith(page: Page, { email, password }: Person, code: string): Promise<void> {
  await page.goto("/");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Sign In").click();
  await typeCode(page, code);
  await button(page, "Sign In").click();
  await expectHome(page);
}

async function rememberedHere(page: Page, { email, password }: Person, secret: string): Promise<void> {
  await asClient(page, "remembering");
  await page.goto("/");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await button(page, "Sign In").click();
  await page.getByRole("checkbox", { name: "Remember this device" }).check();
  const told = page.waitForResponse(/UpdateDeviceStatus$/);
  await typeCode(page, totp(secret));
  await button(page, "Sign In").click();
  await expectHome(page);
  await told;
}

test("a_remembered_device_is_forgotten_and_asked_again", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  const { secret } = await withAuthenticator(eve);
  await rememberedHere(page, eve, secret);
  await openSecurity(page);
  const devices = page.getByRole("list", { name: "Remembered devices" });
  await expect(devices.getByText("This device")).toBeVisible();
  await devices.scrollIntoViewIfNeeded();
  await look(page, info, "security-devices");
  await devices.getByRole("button", { name: /^Forget / }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
  await expect(page.getByText("No device is remembered.")).toBeVisible();
  await signOut(page);
  await page.getByLabel("E-mail").fill(eve.email);
  await page.getByLabel("Password", { exact: true }).fill(eve.password);
  await button(page, "Sign In").click();
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
});

test("another_address_is_in_force_when_its_code_is_typed", async ({ page }, info) => {
  const [eve, taken] = [await joined("Eve Lang"), await joined("Eve Lang")];
  const next = `new.${eve.email}`;
  await signInAtTheDoor(page, eve);
  await openSecurity(page);
  const row = page.getByRole("button", { name: /^E-mail/ });
  const form = sheet(page, "Change your e-mail address");

  // Whether it is somebody's is told only to who has its mail.
  await row.click();
  await form.getByLabel("New e-mail address").fill(eve.email);
  await form.getByRole("button", { name: "Send code" }).click();
  await expect(form.getByText("This is the address that you have.")).toBeVisible();
  await form.getByLabel("New e-mail address").fill(taken.email);
  await form.getByRole("button", { name: "Send code" }).click();
  await expect(form.getByText(`We sent a code with 6 digits to ${taken.email}.`)).toBeVisible();
  await typeCode(page, await codeFor(taken.email, "to be the address"));
  await form.getByRole("button", { name: "Verify" }).click();
  await expect(form.getByText("Another account has this address.")).toBeVisible();
  await look(page, info, "security-email-taken");

  // Back is the address again.
  await page.goBack();
  await form.getByLabel("New e-mail address").fill(next);
  await form.getByRole("button", { name: "Send code" }).click();
  await expect(form.getByText(`We sent a code with 6 digits to ${next}.`)).toBeVisible();
  const code = await codeFor(next, "to be the address");
  await typeCode(page, code === "000000" ? "111111" : "000000");
  await form.getByRole("button", { name: "Verify" }).click();
  await expect(form.getByText("Invalid verification code")).toBeVisible();
  await typeCode(page, code);
  await form.getByRole("button", { name: "Verify" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText("Your e-mail address is changed.")).toBeVisible();
  await expect(row).toContainText(next);
  await page.goto("/settings");
  await expect(page.getByText(next)).toBeVisible();
  await signOut(page);
  await signInAtTheDoor(page, { ...eve, email: next });
});

test("sms_are_a_second_step_and_the_member_says_which_is_asked_first", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  const phone = `+1555${String(Date.now()).slice(-7)}`;
  const { secret } = await withAuthenticator(eve);
  await signInWith(page, eve, totp(secret));
  await openSecurity(page);
  await expect(page.getByText("It needs a phone number that you verified.")).toBeVisible();
  await page.getByRole("button", { name: /^Phone number/ }).click();
  const form = sheet(page, "Your phone number");
  await form.getByLabel("Phone number with country code").fill("555 123");
  await form.getByRole("button", { name: "Send code" }).click();
  await expect(form.getByText("Invalid Phone Number: Please enter a valid phone number")).toBeVisible();
  await form.getByLabel("Phone number with country code").fill(phone);
  await form.getByRole("button", { name: "Send code" }).click();
  await typeCode(page, await codeFor(phone));
  await form.getByRole("button", { name: "Verify" }).click();
  await expect(form).toBeHidden();
  await page.getByRole("button", { name: "Turn SMS on" }).click();
  await expect(page.getByText("A code by SMS is asked for from now on.")).toBeVisible();
  await choose(page, "I choose");
  await expect(page.getByText("Your choice is saved.")).toBeVisible();
  await look(page, info, "security-sms");
  await signOut(page);

  await page.getByLabel("E-mail").fill(eve.email);
  await page.getByLabel("Password", { exact: true }).fill(eve.password);
  await button(page, "Sign In").click();
  await expect(page.getByRole("heading", { name: "How do you prove that it is you?" })).toBeVisible();
  await look(page, info, "step-select");
  await page.getByRole("button", { name: /^SMS/ }).click();
  await expect(page.getByRole("heading", { name: "Check your phone" })).toBeVisible();
  await look(page, info, "step-sms");
  // Back is the choice, which can be made once more.
  await page.goBack();
  await page.getByRole("button", { name: /^Authenticator app/ }).click();
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: /^SMS/ }).click();
  await expect(page.getByRole("heading", { name: "Check your phone" })).toBeVisible();
  await expect(async () => {
    await typeCode(page, await codeFor(phone));
    await button(page, "Sign In").click();
    await expectHome(page);
  }).toPass();
});

test("who_is_signed_in_elsewhere_is_signed_out_from_here", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  const others = [await as(eve), await as(eve), await as(eve)];
  await signInAtTheDoor(page, eve);
  await openSecurity(page);
  const list = page.getByRole("list", { name: "Where you are signed in" });
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
  for (const other of others) await expect(other.identity.getUser({})).rejects.toThrow();
  await page.reload();
  await expect(list.getByText("This device")).toBeVisible();
});
