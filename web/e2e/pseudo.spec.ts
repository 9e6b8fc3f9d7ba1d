// Every screen in the pseudo-language: no text is missing in words.ts, put together from pieces, or
// cut. The screens that the visual pass looks at too stand in homeScreens.ts and its neighbors.
import type { BrowserContext, Page } from "@playwright/test";
import { totp, withAuthenticator } from "./authenticator";
import { as, confirmed, joined } from "./backstage";
import { favorForm, favors, favorSheets } from "./favorScreens";
import { findingFriends, friends, groups, home, links, newcomer, signingUp } from "./homeScreens";
import { items } from "./itemScreens";
import { DEMO, type Person, visit } from "./people";
import { pseudoWalk, said, test } from "./pseudo";
import { AGENT, picture, security, settings } from "./settingsScreens";
import { expect } from "./test";
import { button, closeSheet, firstCard, type Walk } from "./walk";

async function fillSignIn({ page, t }: Walk, { email, password }: Pick<Person, "email" | "password">): Promise<void> {
  await page.getByLabel(t("Email")).fill(email);
  await page.getByLabel(t("Password"), { exact: true }).fill(password);
}

const expectInside = (page: Page): Promise<void> =>
  expect(page.getByRole("navigation", { name: said("Main") }).filter({ visible: true })).toBeVisible();

async function enter(walk: Walk, who: Pick<Person, "email" | "password">): Promise<void> {
  await walk.page.goto("/");
  await fillSignIn(walk, who);
  await button(walk, "Sign In").click();
  await expectInside(walk.page);
}

test("signing_in_and_up_fits", async ({ page }, info) => {
  await signingUp(pseudoWalk(page, info));
});

test("the_screens_of_a_new_member_fit", async ({ page }, info) => {
  const walk = pseudoWalk(page, info);
  const eve = await joined("Eve Lang");
  await enter(walk, eve);
  await newcomer(walk);
  await (await as(eve)).askToBeFriends(await joined("Ben Ortega"), "Your neighbour from number 12.");
  await page.goto("/");
  await expect(page.getByText(/Ben Ortega/)).toBeVisible();
  await walk.see("first-steps-asked");
  await visit(page, "/friends/requests");
  await expect(page.getByRole("main").getByText("Ben Ortega")).toBeVisible();
  await walk.see("friends-sent");
});

test("home_friends_and_the_settings_fit", async ({ page }, info) => {
  const walk = pseudoWalk(page, info);
  await enter(walk, DEMO);
  await home(walk);
  await settings(walk);
  await picture(walk);
  await friends(walk);
  await findingFriends(walk);
  await groups(walk);
  await links(walk);
});

test("favors_and_their_form_fit", async ({ page }, info) => {
  const walk = pseudoWalk(page, info);
  await enter(walk, DEMO);
  await favors(walk);
  await favorSheets(walk);
  await favorForm(walk);
});

test("items_fit", async ({ page }, info) => {
  const walk = pseudoWalk(page, info);
  await enter(walk, DEMO);
  await items(walk);
});

/** A new address, and an authenticator up to its recovery codes. */
async function secondStep(walk: Walk, email: string): Promise<void> {
  const { page, see, t } = walk;
  const inSheet = (name: string) => page.getByRole("dialog").getByRole("button", { name: t(name), exact: true });
  await visit(page, "/settings/security");
  await page
    .getByRole("main")
    .getByRole("button", { name: t("Email") })
    .click();
  const toCode = async (): Promise<void> => {
    await page.getByRole("dialog").getByRole("textbox").fill(`new.${email}`);
    await button(walk, "Send code").click();
    await inSheet("Verify").click();
  };
  await toCode();
  await see("security-email-code", { typed: [email, `new.${email}`, AGENT], restore: toCode });
  await closeSheet(walk);
  await page.getByRole("button", { name: t("Authenticator app") }).click();
  const secret = (await page.locator("code").textContent()) ?? "";
  await page.getByLabel(t("Digit 1 of 6")).focus();
  await page.keyboard.type(totp(secret.replaceAll(" ", "")));
  const codes = page.getByRole("dialog").getByRole("listitem");
  await expect(codes).toHaveCount(10);
  // The sheet does not survive the change to a desktop, and the codes are shown once.
  await see("recovery-codes", { typed: [email, AGENT, ...(await codes.allTextContents())], isPhoneOnly: true });
}

test("security_fits", async ({ page }, info) => {
  const walk = pseudoWalk(page, info);
  const eve = await joined("Eve Lang");
  await enter(walk, eve);
  await security(walk, eve.email);
  await secondStep(walk, eve.email);
});

test("each_step_of_a_sign_in_fits", async ({ page }, info) => {
  const walk = pseudoWalk(page, info);
  const { see, t } = walk;
  const eve = await joined("Eve Lang");
  const { secret } = await withAuthenticator(eve);
  await page.goto("/");
  await page.getByLabel(t("Email")).fill(eve.email);
  await button(walk, "Email me a code instead").click();
  await expect(page.getByRole("heading", { name: t("Check your email") })).toBeVisible();
  await button(walk, "Resend code").click();
  await expect(page.getByText(t("Verification code sent to your email"))).toBeVisible();
  await see("step-mail", { typed: [eve.email] });
  await button(walk, "Back to Sign In").click();
  await fillSignIn(walk, eve);
  await button(walk, "Sign In").click();
  await expect(page.getByRole("heading", { name: t("Enter your code") })).toBeVisible();
  await button(walk, "Sign In").click();
  await see("step-code");
  await button(walk, "Use a recovery code instead").click();
  await button(walk, "Sign In").click();
  await see("step-recovery");
  await button(walk, "Use the authenticator instead").click();
  await page.getByLabel(t("Digit 1 of 6")).focus();
  await page.keyboard.type(totp(secret));
  await expectInside(page);

  await visit(page, "/settings/security");
  await expect(page.getByRole("list", { name: t("Where you're signed in") })).toBeVisible();
  await see("security-on", { typed: [eve.email, AGENT] });
  await page.getByRole("button", { name: t("Authenticator app") }).click();
  await see("authenticator-on", { typed: [eve.email, AGENT] });
});

test("the_phone_step_and_a_profile_fit", async ({ page }, info) => {
  const walk = pseudoWalk(page, info);
  const { see, t } = walk;
  await page.goto("/");
  await fillSignIn(walk, await confirmed("Eve Lang"));
  await button(walk, "Sign In").click();
  await expect(page.getByRole("heading", { name: t("Your phone number") })).toBeVisible();
  await button(walk, "Continue").click();
  await see("phone-step");
  await button(walk, "Skip for now").click();
  await see("phone-step-skip");
  await page.getByRole("dialog").getByRole("button").last().click();
  await expectInside(page);

  await visit(page, "/profile");
  const fill = async (first: string, payPal: string, phone: string): Promise<void> => {
    await page.getByLabel(t("First name")).fill(first);
    await page.getByLabel(t("PayPal")).fill(payPal);
    await page.getByLabel(t("Phone"), { exact: true }).fill(phone);
    await button(walk, "Save Changes").click();
  };
  await fill("", "@", "555");
  await expect(page.getByText(t("Please enter a username."))).toBeVisible();
  await see("profile-wrong");
  await fill("Eva", "eva", "2065550147");
  await expect(page.getByText(t("Profile updated successfully!"))).toBeVisible();
  await button(walk, "Verify").click();
  await expect(page.getByLabel(t("Digit 1 of 6"))).toBeVisible();
  await see("profile-verify");
});

/** An edit that another device overtakes. */
async function overtaken(walk: Walk, own: Awaited<ReturnType<typeof as>>, id: string): Promise<void> {
  const { page, see, t } = walk;
  await visit(page, `/favors/${id}`);
  await button(walk, "More").click();
  await see("more");
  await button(walk, "Delete").click();
  await see("delete");
  await button(walk, "Cancel").click();
  await button(walk, "Edit favor").click();
  await page.getByLabel(t("Title")).fill("Mend the old fence");
  await see("edit");
  await own.retitle(id, "Mend the new fence");
  await expect(button(walk, "Load the newer version")).toBeVisible();
  await see("elsewhere");
  await button(walk, "Keep my changes").click();
  await button(walk, "Save changes").click();
  await expect(page.getByText(t("Favor updated successfully"))).toBeVisible();
  await see("outcome");
}

async function failing(walk: Walk, context: BrowserContext, id: string): Promise<void> {
  const { page, see, t } = walk;
  await page.route("**/*FavorsService/*", (route) => route.fulfill({ status: 503 }));
  for (const [name, path] of [
    ["failed-home", "/"],
    ["failed-list", "/favors"],
    ["failed-favor", `/favors/${id}`],
  ] as const) {
    await page.goto(path);
    await expect(button(walk, "Retry").filter({ visible: true }).first()).toBeVisible();
    await see(name);
  }
  await page.unroute("**/*FavorsService/*");
  await page.goto("/favors");
  await expect(firstCard(walk)).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText(t("You're offline. This may be out of date."))).toBeVisible();
  await see("offline");
  await context.setOffline(false);
}

test("what_failed_and_what_happened_elsewhere_fits", async ({ page, context }, info) => {
  const walk = pseudoWalk(page, info);
  const eve = await joined("Eve Lang");
  const own = await as(eve);
  const id = await own.draft("Mend the fence");
  await enter(walk, eve);
  await overtaken(walk, own, id);
  await failing(walk, context, id);
});
