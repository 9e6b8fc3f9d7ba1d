// The profile and its settings: changed here and elsewhere; and a number that a code verifies.
import type { Page } from "@playwright/test";
import { DESKTOP, expect, test as loud } from "./test";
import { as, confirmed, joined } from "./backstage";
import { look, test } from "./looks";
import { codeFor, enterAtTheDoor, expectHome, signIn, skipPhoneStep, typeCode, visit } from "./people";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const save = (page: Page) => button(page, "Save Changes");

let numbers = 0;

/** A number that nobody else has, as it is typed and as it is kept. */
function number(): { typed: string; kept: string } {
  numbers += 1;
  const last = String((Date.now() + numbers * 7919 + process.pid * 131) % 10_000_000).padStart(7, "0");
  return { typed: `206${last}`, kept: `+1206${last}` };
}

async function openProfile(page: Page): Promise<void> {
  await visit(page, "/settings");
  await page.getByRole("link", { name: /^Edit Profile/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Edit Profile" })).toBeFocused();
  await expect(page.getByLabel("First name")).not.toHaveValue("");
}

/** Answers, terms, and a report whose words outlast a reload. */
async function seeHelp(page: Page): Promise<void> {
  await visit(page, "/settings");
  await expect(page.getByRole("link", { name: /^Edit Profile/ })).toBeVisible();
  for (const [name, text] of [
    ["Help & FAQ", "How is a tip paid?"],
    ["Privacy & Terms", "Who sees it"],
  ] as const) {
    await page.getByRole("button", { name }).click();
    await expect(page.getByRole("dialog", { name }).getByText(text)).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("dialog")).toBeHidden();
  }
  await page.getByRole("button", { name: "Report a Problem" }).click();
  const sheet = page.getByRole("dialog", { name: "Report a Problem" });
  await sheet.getByRole("button", { name: "Send report" }).click();
  await expect(sheet.getByText("Please say what happened")).toBeVisible();
  await sheet.getByLabel("What happened?").fill("The list of favors stays empty.");
  await page.reload();
  await page.getByRole("button", { name: "Report a Problem" }).click();
  await expect(sheet.getByLabel("What happened?")).toHaveValue("The list of favors stays empty.");
  await sheet.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("Thank you. We sent your report to the people who run this server.")).toBeVisible();
  await expect(sheet).toBeHidden();
}

test("settings_lead_to_help_and_to_a_profile_that_loses_no_word", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  await signIn(page, eve);
  await test.step("help and a report", () => seeHelp(page));
  await openProfile(page);
  await expect(save(page)).toBeDisabled();
  await look(page, info, "profile");

  const { typed, kept } = number();
  await page.getByLabel("Last name").fill(" ");
  await page.getByLabel("Phone", { exact: true }).fill("555");
  await page.getByLabel("Venmo").fill("@");
  await save(page).click();
  for (const text of [
    "Validation Error: Please enter both first and last name.",
    "Invalid Phone Number: Please enter a valid phone number",
    "Please enter a username.",
  ])
    await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByLabel("Last name")).toBeFocused();
  await look(page, info, "profile-wrong");

  await page.getByLabel("Last name").fill("Langley");
  await page.getByLabel("Phone", { exact: true }).fill("");
  await page.getByLabel("Phone", { exact: true }).pressSequentially(typed);
  await expect(page.getByLabel("Phone", { exact: true })).toHaveValue(/^\(206\) \d{3}-\d{4}$/);
  await page.getByLabel("Venmo").fill("@eve-lang");
  await page.reload();
  await expect(page.getByLabel("Last name")).toHaveValue("Langley");
  await button(page, "Close").click();
  await expect(page.getByRole("dialog", { name: "Discard Changes" })).toBeVisible();
  await button(page, "Keep Editing").click();
  await page.goBack();
  await button(page, "Keep Editing").click();
  await expect(page.getByText("Save it, then verify it with a code.")).toBeVisible();
  await save(page).click();
  await expect(page.getByText("Profile updated successfully!")).toBeVisible();
  await expect(save(page)).toBeDisabled();
  await expect(page.getByLabel("Venmo")).toHaveValue("eve-lang");
  await look(page, info, "profile-saved");

  await button(page, "Verify").click();
  const sheet = page.getByRole("dialog", { name: "Verify your phone number" });
  await expect(sheet.getByLabel("Digit 1 of 6")).toBeVisible();
  await look(page, info, "profile-verify");
  await typeCode(page, await codeFor(kept));
  await expect(page.getByText("Your phone number is verified.")).toBeVisible();
  await expect(page.getByText("Verified", { exact: true })).toBeVisible();
  await button(page, "Close").first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  // The frame has the name too.
  await expect(page.getByText("Eve Langley").filter({ visible: true }).first()).toBeVisible();
  const { profile } = await (await as(eve)).profile.getProfile({});
  expect(profile?.details).toMatchObject({ lastName: "Langley", phoneNumber: kept, phoneVerified: true });
});

loud.describe("on a desktop", () => {
  loud.use(DESKTOP);

  loud("changes_from_elsewhere_arrive_live_and_the_profile_is_there_without_an_answer", async ({ page, context }) => {
    const eve = await joined("Eve Lang");
    await signIn(page, eve);
    await openProfile(page);
    const elsewhere = await as(eve);
    const become = (firstName: string) =>
      elsewhere.profile.updateProfile({ details: { firstName }, updateMask: { paths: ["details.first_name"] } });
    await become("Eva");
    await expect(page.getByLabel("First name")).toHaveValue("Eva");
    await page.getByLabel("First name").fill("Evelyn");
    // The rail leads away without a question, and the words are there again later.
    await page.getByRole("link", { name: "Home" }).click();
    await expectHome(page);
    await visit(page, "/settings");
    await expect(page.getByText("You have unsaved changes.")).toBeVisible();
    await page.getByRole("link", { name: /^Edit Profile/ }).click();
    await become("Evi");
    await page.reload();
    await expect(page.getByText(/Changed elsewhere: first name\./)).toBeVisible();
    await expect(page.getByLabel("First name")).toHaveValue("Evelyn");
    await page.route("**/*ProfileService/UpdateProfile", (route) => route.abort());
    await save(page).click();
    await expect(
      page.getByText(/Failed to update profile\. Please check your connection and try again\./),
    ).toBeVisible();
    await page.unroute("**/*ProfileService/UpdateProfile");
    await page.getByRole("alert").getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText("Profile updated successfully!")).toBeVisible();
    expect((await elsewhere.profile.getProfile({})).profile?.details?.firstName).toBe("Evelyn");

    const keys = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("goodturn.cache.")).length);
    await expect.poll(keys).toBe(1);
    await page.route("**/*ProfileService/GetProfile", (route) => route.abort());
    await page.reload();
    await expect(page.getByLabel("First name")).toHaveValue("Evelyn");
    await page.unroute("**/*ProfileService/GetProfile");
    // Another tab signs out without a connection: nothing of the profile stays.
    const other = await context.newPage();
    await other.goto("/settings");
    await expect(button(other, "Sign Out")).toBeVisible();
    await context.setOffline(true);
    await button(other, "Sign Out").click();
    await other.getByRole("dialog").getByRole("button", { name: "Sign Out" }).click();
    await expect.poll(keys).toBe(0);
  });
});

test("a_new_member_verifies_a_number_by_code", async ({ page }, info) => {
  const eve = await confirmed("Eve Lang");
  await enterAtTheDoor(page, eve);
  await expect(page.getByRole("heading", { level: 1, name: "Your phone number" })).toBeFocused();
  await look(page, info, "phone-step");
  await button(page, "Continue").click();
  await expect(page.getByText("Invalid Phone Number: Please enter a valid phone number")).toBeVisible();
  const { typed, kept } = number();
  await page.getByLabel("Phone number").pressSequentially(typed);
  // A typed number that was not sent is there again.
  await page.reload();
  await expect(page.getByLabel("Phone number")).toHaveValue(/^\(206\)/);
  await button(page, "Continue").click();
  await expect(page.getByRole("heading", { level: 1, name: "Verify your number" })).toBeVisible();
  await expect(page.getByLabel("Digit 1 of 6")).toBeFocused();
  await look(page, info, "phone-step-code");
  await typeCode(page, await codeFor(kept));
  await expectHome(page);
  await expect(page.getByText("Your phone number is verified.")).toBeVisible();
  await page.reload();
  await expectHome(page);
});

test("a_new_member_skips_the_number_and_is_not_asked_again", async ({ page }, info) => {
  const eve = await confirmed("Eve Lang");
  await enterAtTheDoor(page, eve);
  await button(page, "Skip for now").click();
  await expect(page.getByText("You can add your phone number later in Settings.")).toBeVisible();
  await look(page, info, "phone-step-skip");
  await page.keyboard.press("Escape");
  await skipPhoneStep(page);
  // Nor on another device.
  await page.evaluate(() =>
    localStorage.removeItem(Object.keys(localStorage).find((k) => k.includes("phone_step")) ?? ""),
  );
  await page.reload();
  await expectHome(page);
  await expect(
    page.getByRole("list", { name: "Recent Favors" }).or(page.getByText("First steps")).first(),
  ).toBeVisible();
});
