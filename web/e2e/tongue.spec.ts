// Every screen in the pseudo-language: nothing of ours is missing in words.ts, put together from pieces, or cut.
import { expect, type Page } from "@playwright/test";
import { totp, withAuthenticator } from "./authenticator";
import { as, confirmed, joined } from "./backstage";
import { BLUE, painted, RED } from "./paint";
import { codeFor, DEMO, type Person, person, visit } from "./people";
import { expectFits, said, test } from "./tongue";

/** What the server calls this browser. */
const AGENT = "Chrome on Linux";

const button = (page: Page, name: string) => page.getByRole("button", { name: said(name), exact: true });

async function enter(page: Page, { email, password }: Pick<Person, "email" | "password">): Promise<void> {
  await page.goto("/");
  await page.getByLabel(said("E-mail")).fill(email);
  await page.getByLabel(said("Password"), { exact: true }).fill(password);
  await button(page, "Sign In").click();
  await expect(page.getByRole("navigation", { name: said("Main") }).filter({ visible: true })).toBeVisible();
}

const choose = (page: Page, value: string) =>
  page
    .locator("label")
    .filter({ hasText: said(value) })
    .filter({ visible: true })
    .click();

const firstCard = (page: Page) => page.getByRole("article").first().getByRole("link");

test("signing_in_and_up", async ({ page }, info) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: DEMO.name })).toBeVisible();
  await expectFits(page, info, "login");
  await button(page, "Sign In").click();
  await expectFits(page, info, "login-wrong");
  await page.getByLabel(said("E-mail")).fill(DEMO.email);
  await page.getByLabel(said("Password"), { exact: true }).fill("not this one");
  await button(page, "Sign In").click();
  await expect(page.getByRole("alert").filter({ hasText: said("Sign In Failed") })).toBeVisible();
  await expectFits(page, info, "login-failed");

  const eve = person("Eve Lang");
  await choose(page, "Sign Up");
  await button(page, "Create account").click();
  await expectFits(page, info, "signup-wrong");
  await page.getByLabel(said("Full name")).fill(eve.name);
  await page.getByLabel(said("E-mail")).fill(eve.email);
  await page.getByLabel(said("Password"), { exact: true }).fill(eve.password);
  await page.getByLabel(said("Confirm password")).fill(eve.password);
  await button(page, "Create account").click();
  await expect(page.getByRole("heading", { name: said("Check your e-mail") })).toBeVisible();
  await button(page, "Resend code").click();
  await expect(page.getByText(said("Verification code sent to your email"))).toBeVisible();
  await expectFits(page, info, "code", eve.email);
  await page.getByLabel(said("Digit 1 of 6")).focus();
  await page.keyboard.type((await codeFor(eve.email)) === "000000" ? "111111" : "000000");
  await button(page, "Verify").click();
  await expect(page.getByText(said("Invalid verification code"))).toBeVisible();
  await expectFits(page, info, "code-wrong", eve.email);
});

test("what_a_new_member_sees", async ({ page }, info) => {
  const [eve, ben] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  await enter(page, eve);
  await expectFits(page, info, "first-steps");
  const screens = [
    ["empty-requests", "/friends/requests"],
    ["empty-friends", "/friends/mine"],
    ["empty-groups", "/friends/groups"],
    ["empty-favors", "/favors"],
    ["empty-asked", "/favors?view=asked"],
    ["empty-helping", "/favors?view=helping"],
    ["empty-browse", "/favors?tab=browse"],
    ["empty-applied", "/favors?tab=browse&view=applied"],
    ["empty-completed", "/favors?tab=completed"],
    ["empty-helped", "/favors?tab=completed&view=helped"],
    ["empty-cancelled", "/favors?tab=completed&view=cancelled"],
    ["empty-notifications", "/inbox"],
    ["empty-items", "/share"],
    ["empty-listings", "/share?tab=mine"],
    ["no-item", `/share/items/${crypto.randomUUID()}`],
    ["gone", `/favors/${crypto.randomUUID()}`],
  ] as const;
  for (const [name, path] of screens) {
    await visit(page, path);
    await expect(page.getByRole("main").locator(".empty .act").first()).toBeVisible();
    await expectFits(page, info, name);
  }
  await (await as(eve)).askToBeFriends(ben, "Your neighbour from number 12.");
  await page.goto("/friends/requests");
  await expect(button(page, "Take back").or(page.locator(".card .mantine-Button-root")).last()).toBeVisible();
  await expectFits(page, info, "friends-sent");
  await page.goto("/");
  await expectFits(page, info, "first-steps-asked");
});

test("sharing", async ({ page }, info) => {
  await enter(page, DEMO);
  for (const [name, path] of [
    ["items", "/share"],
    ["listings", "/share?tab=mine"],
    ["item-form", "/share?tab=create"],
  ] as const) {
    await visit(page, path);
    await expect(page.locator("main article, main form").first()).toBeVisible();
    await expectFits(page, info, name);
  }
  await button(page, "Save (Not Listed)").click();
  await expect(page.getByText(said("Validation Error"))).toBeVisible();
  await expectFits(page, info, "item-form-wrong");
  await visit(page, "/share");
  await page.locator("main article a").first().click();
  await expect(button(page, "Select Dates")).toBeVisible();
  await expectFits(page, info, "item");
  await visit(page, "/share?tab=mine");
  await page.getByRole("link", { name: "Sewing machine", exact: true }).click();
  await expect(page.getByText(said("Total earned"))).toBeVisible();
  await expectFits(page, info, "management");
  await button(page, "Choose days").click();
  await expect(page.getByRole("dialog").getByRole("table")).toBeVisible();
  await expectFits(page, info, "item-days");
  await page.keyboard.press("Escape");
  await button(page, "Delete Item").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectFits(page, info, "item-delete");
});

test("home_friends_and_the_rest", async ({ page }, info) => {
  await enter(page, DEMO);
  await expectFits(page, info, "home");
  for (const [name, path, shown] of [
    ["friends", "/friends", "Ben Carter"],
    ["friends-mine", "/friends/mine", "Ben Carter"],
    ["notifications", "/inbox", "Lena Novak"],
    ["settings", "/settings", DEMO.email],
  ] as const) {
    await visit(page, path);
    if (name !== "friends") await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
    await expectFits(page, info, name);
  }
  await button(page, "Sign Out").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectFits(page, info, "confirm");

  await page.goto("/friends/groups");
  await page.getByLabel(said("Group name")).press("Enter");
  await expect(page.getByText(said("Please enter a group name"))).toBeVisible();
  await expectFits(page, info, "groups-wrong");
  await page
    .getByRole("button", { name: /Book club/ })
    .first()
    .click();
  await expect(page.getByRole("button", { name: said("Update Group"), exact: true })).toBeVisible();
  await expectFits(page, info, "groups-edit");
  await page
    .getByRole("button", { name: /Our street/ })
    .last()
    .click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectFits(page, info, "groups-delete");

  await page.goto("/friends/find");
  const field = page.getByLabel(said("E-mail or phone"));
  const found = await joined("Rosa Keller");
  for (const [name, contact, shown] of [
    ["friends-wrong", "nobody", said("Please enter a valid email address or phone number")],
    ["friends-not-found", "+15550100000", said("No user found")],
    ["friends-known", "ben@goodturn.example", said("You are friends already.")],
    ["friends-found", found.email, found.name],
  ] as const) {
    await field.fill(contact);
    await button(page, "Search").click();
    await expect(page.getByText(shown)).toBeVisible();
    await expectFits(page, info, name);
  }
});

test("favors", async ({ page }, info) => {
  await enter(page, DEMO);
  const lists = [
    ["favors", "/favors"],
    ["favors-asked", "/favors?view=asked"],
    ["favors-helping", "/favors?view=helping"],
    ["favors-browse", "/favors?tab=browse"],
    ["favors-completed", "/favors?tab=completed"],
    ["favors-helped", "/favors?tab=completed&view=helped"],
    ["favors-cancelled", "/favors?tab=completed&view=cancelled"],
  ] as const;
  for (const [name, path] of lists) {
    await visit(page, path);
    await expect(page.getByRole("article").first()).toBeVisible();
    await expectFits(page, info, name);
    await firstCard(page).click();
    await expect(page.getByRole("list", { name: said("The story so far") })).toBeVisible();
    await expectFits(page, info, `${name}-details`);
  }
  await page.goto("/favors?view=asked");
  await firstCard(page).click();
  await button(page, "Another time").click();
  await expect(page.getByRole("dialog", { name: said("Offer another time") })).toBeVisible();
  await button(page, "Send").click();
  await expectFits(page, info, "favor-another-time");
  await page.goto("/favors?view=helping");
  await firstCard(page).click();
  await button(page, "Step back").click();
  await expect(page.getByLabel(said("Message (optional)"))).toBeVisible();
  await expectFits(page, info, "favor-step-back");
  await page.goto("/favors");
  await page.getByRole("link", { name: "Carry a sofa up two flights of stairs" }).first().click();
  await button(page, "Ask one more friend").click();
  await expect(page.getByRole("dialog").getByText("Priya Nair")).toBeVisible();
  await expectFits(page, info, "favor-ask");
  await page.goto("/favors?tab=completed");
  await page.getByRole("link", { name: "Hold the garden gate while I hang it" }).first().click();
  await button(page, "Pay with Venmo").click();
  await expect(page.getByText(said("Payment Method Not Available"))).toBeVisible();
  await expectFits(page, info, "favor-pay");
});

test("asking_for_a_favor", async ({ page }, info) => {
  await enter(page, DEMO);
  await page.goto("/favors?tab=create");
  await expect(page.getByRole("heading", { name: said("New favor") })).toBeVisible();
  await expectFits(page, info, "form");
  await button(page, "Post").click();
  await expect(page.getByText(said("Please select at least one recipient"))).toBeVisible();
  await expectFits(page, info, "form-wrong");

  await page.getByRole("button", { name: said("Start") }).click();
  const calendar = page.getByRole("dialog", { name: said("Select Date & Time") });
  await button(page, "Next month").click();
  await calendar.getByRole("button", { name: /^\[15 / }).click();
  await expectFits(page, info, "form-date");
  await calendar.getByRole("button", { name: said("Confirm"), exact: true }).click();
  await page.getByRole("button", { name: said("Who to ask") }).click();
  const people = page.getByRole("dialog", { name: said("Who can help?") });
  for (const name of [/Ben Carter/, /Marcus Hill/]) await people.getByRole("checkbox", { name }).check();
  await expectFits(page, info, "form-people");
  await people.getByRole("tab").last().click();
  await people.getByRole("checkbox", { name: /Book club/ }).check();
  await expectFits(page, info, "form-groups");
  await button(page, "Done").click();
  await expectFits(page, info, "form-filled");
  await button(page, "Start New").click();
  await expectFits(page, info, "form-clear");
});

test("a_profile_and_what_helps", async ({ page }, info) => {
  const eve = await confirmed("Eve Lang");
  await page.goto("/");
  await page.getByLabel(said("E-mail")).fill(eve.email);
  await page.getByLabel(said("Password"), { exact: true }).fill(eve.password);
  await button(page, "Sign In").click();
  await expect(page.getByRole("heading", { name: said("Your phone number") })).toBeVisible();
  await button(page, "Continue").click();
  await expectFits(page, info, "phone-step");
  await button(page, "Skip for now").click();
  await expectFits(page, info, "phone-step-skip");
  await page.getByRole("dialog").getByRole("button").last().click();
  await expect(page.getByRole("navigation", { name: said("Main") }).filter({ visible: true })).toBeVisible();
  await page.goto("/profile");
  await page.getByLabel(said("First name")).fill("");
  await page.getByLabel(said("PayPal")).fill("@");
  await page.getByLabel(said("Phone"), { exact: true }).fill("555");
  await button(page, "Save Changes").click();
  await expect(page.getByText(said("Please enter a username."))).toBeVisible();
  await expectFits(page, info, "profile-wrong");
  await page.getByLabel(said("First name")).fill("Eva");
  await page.getByLabel(said("PayPal")).fill("eva");
  await page.getByLabel(said("Phone"), { exact: true }).fill("2065550147");
  await button(page, "Save Changes").click();
  await expect(page.getByText(said("Profile updated successfully!"))).toBeVisible();
  await button(page, "Verify").click();
  await expect(page.getByLabel(said("Digit 1 of 6"))).toBeVisible();
  await expectFits(page, info, "profile-verify");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  const file = page.locator("input[type=file]:not([capture])");
  await file.setInputFiles({ name: "me.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") });
  await expect(page.getByText(said("Invalid File Format"))).toBeVisible();
  await expectFits(page, info, "picture-wrong");
  await file.setInputFiles({ name: "me.png", mimeType: "image/png", buffer: painted(300, 200, RED, BLUE) });
  await expect(page.getByRole("slider")).toBeVisible();
  await expectFits(page, info, "picture-crop");
  await button(page, "Use this picture").click();
  await expect(page.getByText(said("Not saved yet"))).toBeVisible();
  await expectFits(page, info, "picture-pending");
  await page.goto("/settings");
  for (const name of ["Help & FAQ", "Privacy & Terms", "Report a Problem"]) {
    await page.getByRole("button", { name: said(name) }).click();
    await expect(page.getByRole("dialog", { name: said(name) })).toBeVisible();
    await expectFits(page, info, `settings-${name.split(" ")[0]?.toLowerCase() ?? ""}`);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
});

test("what_failed_and_what_happened_elsewhere", async ({ page, context }, info) => {
  const eve = await joined("Eve Lang");
  const own = await as(eve);
  const id = await own.draft("Mend the fence");
  await enter(page, eve);
  await page.goto(`/favors/${id}`);
  await button(page, "Delete").click();
  await expectFits(page, info, "delete");
  await button(page, "Cancel").click();
  await button(page, "Edit favor").click();
  await page.getByLabel(said("Title")).fill("Mend the old fence");
  await expectFits(page, info, "edit");
  await own.retitle(id, "Mend the new fence");
  await expect(button(page, "Load the newer version")).toBeVisible();
  await expectFits(page, info, "elsewhere");
  await button(page, "Keep my words").click();
  await button(page, "Save changes").click();
  await expect(page.getByText(said("Favor updated successfully"))).toBeVisible();
  await expectFits(page, info, "outcome");

  await page.route("**/*FavorsService/*", (route) => route.fulfill({ status: 503 }));
  for (const [name, path] of [
    ["failed-home", "/"],
    ["failed-list", "/favors"],
    ["failed-favor", `/favors/${id}`],
  ] as const) {
    await page.goto(path);
    await expect(button(page, "Retry").filter({ visible: true }).first()).toBeVisible();
    await expectFits(page, info, name);
  }
  await page.unroute("**/*FavorsService/*");
  await page.goto("/favors");
  await expect(firstCard(page)).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText(said("You are offline. This may be out of date."))).toBeVisible();
  await expectFits(page, info, "offline");
  await context.setOffline(false);
});

test("what_a_sign_in_asks_for", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  const { secret } = await withAuthenticator(eve);
  await page.goto("/");
  await page.getByLabel(said("E-mail")).fill(eve.email);
  await button(page, "Send me a code instead").click();
  await expect(page.getByRole("heading", { name: said("Check your e-mail") })).toBeVisible();
  await button(page, "Resend code").click();
  await expect(page.getByText(said("Verification code sent to your email"))).toBeVisible();
  await expectFits(page, info, "step-mail", eve.email);
  await button(page, "Back to Sign In").click();
  await page.getByLabel(said("Password"), { exact: true }).fill(eve.password);
  await button(page, "Sign In").click();
  await expect(page.getByRole("heading", { name: said("Enter your code") })).toBeVisible();
  await button(page, "Sign In").click();
  await expectFits(page, info, "step-code");
  await button(page, "Use a recovery code instead").click();
  await button(page, "Sign In").click();
  await expectFits(page, info, "step-recovery");
  await button(page, "Use the authenticator instead").click();
  await page.getByLabel(said("Digit 1 of 6")).focus();
  await page.keyboard.type(totp(secret));
  await button(page, "Sign In").click();
  await expect(page.getByRole("navigation", { name: said("Main") }).filter({ visible: true })).toBeVisible();

  await page.goto("/settings/security");
  await expect(page.getByRole("list", { name: said("Where you are signed in") })).toBeVisible();
  await expectFits(page, info, "security", eve.email, AGENT);
  await page.getByRole("button", { name: said("Authenticator app") }).click();
  await expectFits(page, info, "authenticator-on", eve.email, AGENT);
});

test("security_and_ones_own_data", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  await enter(page, eve);
  await page.goto("/settings/security");
  const close = async (): Promise<void> => {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  };
  for (const [name, row, send, wrong] of [
    ["change-email", "E-mail", "Send code", "Please enter a valid email address"],
    ["change-phone", "Phone number", "Send code", "Invalid Phone Number: Please enter a valid phone number"],
    ["change-password", "Password", "Change password", "Please fill in all fields"],
  ] as const) {
    await page.getByRole("button", { name: said(row) }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: said(send), exact: true })
      .click();
    await expect(page.getByText(said(wrong)).first()).toBeVisible();
    await expectFits(page, info, name, eve.email, AGENT, "+15551234567");
    await close();
  }
  await page.getByRole("button", { name: said("E-mail") }).click();
  await page.getByRole("dialog").getByRole("textbox").fill(`new.${eve.email}`);
  await button(page, "Send code").click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: said("Verify"), exact: true })
    .click();
  await expectFits(page, info, "change-email-code", eve.email, `new.${eve.email}`, AGENT);
  await page.goBack();
  await close();
  await page.getByRole("button", { name: said("Authenticator app") }).click();
  const secret = (await page.locator("code").textContent()) ?? "";
  await expectFits(page, info, "authenticator", eve.email, AGENT, secret);
  await page.getByLabel(said("Digit 1 of 6")).focus();
  await page.keyboard.type(totp(secret.replaceAll(" ", "")));
  await page
    .getByRole("dialog")
    .getByRole("button", { name: said("Turn on"), exact: true })
    .click();
  const codes = page.getByRole("dialog").getByRole("listitem");
  await expect(codes).toHaveCount(10);
  await expectFits(page, info, "recovery-codes", eve.email, AGENT, ...(await codes.allTextContents()));
  await page.goto("/settings/data");
  await expectFits(page, info, "data");
  await button(page, "Delete account").click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: said("Delete my account"), exact: true })
    .click();
  await expectFits(page, info, "delete-account");
});

test("what_one_can_do_about_a_friend", async ({ page }, info) => {
  await enter(page, DEMO);
  await visit(page, "/friends/mine");
  await button(page, "Add Friend").click();
  await expect(page.getByRole("dialog", { name: said("Add Friend") })).toBeVisible();
  await expectFits(page, info, "add-friend");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Ben Carter" }).click();
  await expect(button(page, "Mute")).toBeVisible();
  await expectFits(page, info, "friend-sheet");
  for (const [name, act] of [
    ["friend-remove", "Remove friend"],
    ["friend-block", "Block"],
  ] as const) {
    await button(page, act).click();
    await expect(page.getByRole("dialog", { name: said(act) })).toBeVisible();
    await expectFits(page, info, name);
    await page.keyboard.press("Escape");
  }
  await button(page, "Report").click();
  await button(page, "Send").click();
  await expect(page.getByText(said("Please say what happened"))).toBeVisible();
  await expectFits(page, info, "report-member");
  for (const [name, path, text] of [
    ["blocked", "/settings/blocked", "Nobody is blocked"],
    ["notification-settings", "/settings/notifications", "You have muted nobody."],
    ["link-over", "/no-invitations#none", "This link does not count any more"],
    ["join-in", "/join#none", "An invitation is for somebody who is not a member yet."],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(said(text))).toBeVisible();
    await expectFits(page, info, name);
  }
  await page.goto("/friends/find");
  const address = person("Lena Moser").email;
  await page.getByLabel(said("E-mail or phone")).fill(address);
  await button(page, "Search").click();
  await expect(button(page, "Send Invitation")).toBeVisible();
  await expectFits(page, info, "invite", address);
});
