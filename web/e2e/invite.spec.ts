// An invitation, from its first word to a friendship; and the choice of mails.
import type { Page } from "@playwright/test";
import { expect } from "./test";
import { as, joined } from "./backstage";
import { look, test } from "./looks";
import { linkFor, mailsTo, person, signIn, skipPhoneStep, visit } from "./people";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function search(page: Page, contact: string): Promise<void> {
  await page.getByLabel("Email or phone").fill(contact);
  await button(page, "Search").click();
}

test("an_invitation_makes_friends", async ({ page, openBrowser }, info) => {
  const [eve, lena] = [await joined("Eve Lang"), person("Lena Moser")];
  await signIn(page, eve);
  await visit(page, "/friends/find");
  await search(page, lena.email);
  await expect(page.getByRole("heading", { name: "Not on Goodturn yet" })).toBeVisible();
  await page.getByLabel("Personal message (optional)").fill("Come and share my ladder.");
  await expect(page.getByText("25/200")).toBeVisible();
  await button(page, "Send Invitation").click();
  await expect(page.getByText("Invitation Sent!")).toBeVisible();
  await expect(page.getByLabel("Email or phone")).toHaveValue("");
  await search(page, lena.email);
  await expect(page.getByText(/You already invited them/)).toBeVisible();
  await look(page, info, "invited");

  const link = await linkFor(lena.email, "/join");
  const door = await openBrowser();
  await door.goto(link);
  await expect(door.getByText(/Eve Lang.* invited you/)).toBeVisible();
  await expect(door.getByLabel("Email")).toHaveValue(lena.email);
  expect(door.url()).not.toContain("#");
  await look(door, info, "join");
  await door.getByLabel("Full name").fill(lena.name);
  await door.getByLabel("Password", { exact: true }).fill(lena.password);
  await door.getByLabel("Confirm password").fill(lena.password);
  await button(door, "Create account").click();
  // The mailed link proves the address: no code is needed.
  await skipPhoneStep(door);
  await visit(door, "/friends/requests");
  await button(door, "Accept Eve Lang").click();
  await expect(door.getByText("Friend Request Accepted!")).toBeVisible();
  await visit(page, "/friends/mine");
  await expect(page.getByRole("heading", { name: "Lena Moser" })).toBeVisible();

  // It serves once. Somebody who is signed in hears so, and so does a newcomer.
  await door.goto(link);
  await expect(door.getByRole("heading", { name: /You're signed in as .*Lena Moser/ })).toBeVisible();
  await look(door, info, "join-signed-in");
  await door.evaluate(() => localStorage.clear());
  await door.goto("about:blank");
  await door.goto(link);
  await expect(door.getByRole("heading", { name: "This invitation no longer works" })).toBeVisible();
  await look(door, info, "join-over");
  await button(door, "Sign Up").click();
  await expect(door.getByLabel("Full name")).toBeVisible();
  await expect(door.getByText(/invited you/)).toBeHidden();
});

test("a_link_in_an_invitation_ends_all_invitations", async ({ page }, info) => {
  const [eve, ben] = await Promise.all([joined("Eve Lang"), joined("Ben Ortega")]);
  const lena = person("Lena Moser");
  await (await as(eve)).invite(lena.email);
  await page.goto(await linkFor(lena.email, "/no-invitations"));
  await expect(page.getByRole("heading", { name: "Stop getting invitations?" })).toBeVisible();
  await look(page, info, "no-invitations");
  await button(page, "Stop invitations").click();
  await expect(page.getByRole("heading", { name: "You won't get any more invitations." })).toBeFocused();
  await look(page, info, "no-invitations-done");
  const before = await mailsTo(lena.email);
  await (await as(ben)).invite(lena.email);
  // A later mail has arrived: an invitation would have come before it.
  const nora = person("Nora Falk");
  await (await as(ben)).invite(nora.email);
  await linkFor(nora.email, "/join");
  expect(await mailsTo(lena.email)).toEqual(before);
  await page.reload();
  await button(page, "Allow invitations again").click();
  await expect(page.getByRole("heading", { name: "You can get invitations again." })).toBeFocused();
  await look(page, info, "invitations-allowed");

  await page.goto("about:blank");
  await page.goto("/no-invitations#not-a-link");
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await page.getByRole("link", { name: "Go to Goodturn" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Welcome to Goodturn" })).toBeVisible();
});

test("mails_are_chosen_by_topic_and_end_by_a_link_in_one_of_them", async ({ page, openBrowser }, info) => {
  const [eve, ben] = await Promise.all([joined("Eve Lang"), joined("Ben Ortega")]);
  await signIn(page, eve);
  await visit(page, "/settings");
  await page
    .getByRole("main")
    .getByRole("link", { name: /^Notifications/ })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Notifications" })).toBeFocused();
  await expect(page.getByRole("radio", { name: "Important" })).toBeChecked();
  await button(page, "Customize").click();
  const topic = page.getByRole("radiogroup", { name: "Someone sends you a friend request" });
  await expect(topic.getByRole("radio", { name: "Instant" })).toBeChecked();
  await topic.getByText("Off", { exact: true }).click();
  await expect(page.getByText(/^Saved: .*Someone sends you a friend request/)).toBeVisible();
  await expect(page.getByRole("radio", { name: "Custom" })).toBeChecked();
  await page.reload();
  await expect(topic.getByRole("radio", { name: "Off" })).toBeChecked();
  const saved = page.waitForResponse(/UpdateNotificationSettings$/);
  await topic.getByText("Instant", { exact: true }).click();
  await saved;

  await (await as(ben)).askToBeFriends(eve);
  const link = await linkFor(eve.email, "/unsubscribe");
  const mailbox = await openBrowser();
  await mailbox.goto(link);
  await expect(mailbox.getByRole("heading", { name: "Do you want fewer emails?" })).toBeVisible();
  await expect(mailbox.getByRole("listitem").filter({ hasText: "Someone sends you a friend request" })).toBeVisible();
  await look(mailbox, info, "unsubscribe");
  await button(mailbox, "Stop these emails").click();
  await expect(mailbox.getByRole("heading", { name: "You won't get these emails anymore." })).toBeFocused();
  await mailbox.goto("about:blank");
  await mailbox.goto(link);
  await expect(mailbox.getByRole("heading", { name: "You won't get these emails anymore." })).toBeVisible();
  await look(mailbox, info, "unsubscribed");
  await page.reload();
  await expect(topic.getByRole("radio", { name: "Off" })).toBeChecked();
});
