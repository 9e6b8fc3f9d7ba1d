// What fails after its place was left is told where the member is then.
import { expect, type Page, test } from "@playwright/test";
import { joined } from "./backstage";
import { goTo, signIn } from "./people";
import { failLater } from "./relay";

const told = (page: Page, text: string) => page.getByRole("alert").filter({ hasText: text });

test("a_friend_request_that_failed_elsewhere_is_told_and_tried_again", async ({ page }) => {
  const [eve, ben] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  await signIn(page, eve);
  await goTo(page, "Friends");
  await page.getByRole("tab", { name: "Find Friends" }).click();
  await page.getByLabel("E-mail or phone").fill(ben.email);
  await page.getByRole("button", { name: "Search" }).click();
  const send = "**/*FriendsService/SendFriendRequest";
  const fail = await failLater(page, send);
  await page.getByRole("button", { name: "Send Friend Request" }).click();
  await goTo(page, "Favors");
  fail();
  const failed = told(page, "Unable to send friend request. Please try again.");
  await expect(failed).toContainText("Ben Ortega");
  await page.unroute(send);
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Friend Request Sent!")).toBeVisible();
});

test("of_a_password_it_is_told_that_nobody_knows", async ({ page }) => {
  const eve = await joined("Eve Lang");
  await signIn(page, eve);
  await page.goto("/settings/security");
  await page.getByRole("button", { name: /^Password/ }).click();
  const form = page.getByRole("dialog", { name: "Change your password" });
  await form.getByLabel("Present password").fill(eve.password);
  await form.getByLabel("New password", { exact: true }).fill("another turn a day");
  await form.getByLabel("Confirm new password").fill("another turn a day");
  const fail = await failLater(page, "**/*IdentityService/ChangePassword");
  await form.getByRole("button", { name: "Change password" }).click();
  await page.goBack();
  await expect(form).toBeHidden();
  fail();
  await expect(told(page, "It is not known whether your password was changed")).toBeVisible();
});
