// What could not be sent: it is told at once and where it was tried, nothing of it is lost, and it can be tried again.
import { expect, type Page, test } from "@playwright/test";
import { joined, twoFriends } from "./backstage";
import { ItemStatus } from "../src/gen/later/goodturn/items/v1/items_service_pb";
import { painted, RED } from "./paint";
import { codeFor, expectLogin, fillSignUp, person, signIn, signOut, skipPhoneStep, typeCode } from "./people";

const retryOf = (page: Page) => page.getByRole("alert").getByRole("button", { name: "Retry" });

test("who_signs_out_offline_is_out_and_the_server_hears_of_it_later", async ({ page, context }) => {
  await signIn(page, await joined("Eve Lang"));
  await page.getByRole("link", { name: "Settings" }).filter({ visible: true }).click();
  await expect(page.getByRole("button", { name: "Sign Out" })).toBeVisible();
  const refresh = await page.evaluate(() => localStorage.getItem("refresh_token"));
  await context.setOffline(true);
  await page.getByRole("button", { name: "Sign Out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign Out" }).click();
  await expectLogin(page);
  const said = page.getByText("You are signed out on this device.");
  await expect(said).toBeVisible();
  await expect(page.getByText("Failed to sign out")).toHaveCount(0);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(refresh ?? "nothing");
  const revoked = page.waitForRequest(/RevokeToken$/);
  await context.setOffline(false);
  expect((await revoked).postDataBuffer()?.toString()).toContain(refresh ?? "nothing");
  await expect(page.getByText("You are signed out. The server knows it too.")).toBeVisible();
});

test("what_an_own_deed_came_to_is_said_before_anything_was_fetched_ahead", async ({ page, context }) => {
  await page.route(/\/assets\/(ToastHost|LoginScreen)-/, (route) => route.abort());
  await signIn(page, await joined("Eve Lang"));
  await page.goto("/settings");
  const signOutHere = page.getByRole("button", { name: "Sign Out" });
  await expect(signOutHere).toBeVisible();
  await context.setOffline(true);
  await signOutHere.click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByText("This part could not be loaded. Check your connection.")).toBeVisible();
  await expect(page.getByText("You are signed out on this device.")).toBeVisible();
  await page.unroute(/\/assets\/(ToastHost|LoginScreen)-/);
  await context.setOffline(false);
  await expect(page.getByText("You are signed out. The server knows it too.")).toBeVisible();
  // What was missing has come by itself.
  await expectLogin(page);
});

test("the_sign_in_says_that_there_is_no_connection", async ({ page, context }) => {
  await page.goto("/");
  await expectLogin(page);
  await context.setOffline(true);
  const said = page.getByText("You are offline. You cannot sign in now.");
  await expect(said).toBeVisible();
  await expect(said).toBeInViewport();
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await expect(said).toBeVisible();
  await context.setOffline(false);
  await expect(said).toBeHidden();
});

/** Borders of the six digits that are drawn as wrong. */
const wrongDigits = (page: Page) => page.locator(".mantine-PinInput-input[data-error]");

test("a_code_that_was_not_checked_is_not_wrong", async ({ page, context }) => {
  const eve = person("Eve Lang");
  await fillSignUp(page, eve);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible();
  const code = await codeFor(eve.email);
  await typeCode(page, code);
  await context.setOffline(true);
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByText("Network error")).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("There is no connection.");
  await expect(wrongDigits(page)).toHaveCount(0);
  await expect(page.getByLabel("Digit 1 of 6")).toHaveValue(code.charAt(0));
  await context.setOffline(false);
  await retryOf(page).click();
  await skipPhoneStep(page);

  await signOut(page);
  await page.getByLabel("E-mail").fill(eve.email);
  await page.getByRole("button", { name: "Forgot password?" }).click();
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
  const second = await codeFor(eve.email, "new password");
  await typeCode(page, second === "000000" ? "111111" : "000000");
  await page.getByLabel("New password", { exact: true }).fill("another turn a day");
  await page.getByLabel("Confirm new password").fill("another turn a day");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Set new password" }).click();
  await expect(page.getByText("Network error")).toBeVisible();
  await expect(wrongDigits(page)).toHaveCount(0);
  await context.setOffline(false);
  await retryOf(page).click();
  await expect(page.getByText("Invalid verification code")).toBeVisible();
  await expect(wrongDigits(page)).toHaveCount(6);
  await expect(page.getByRole("alert").getByRole("button", { name: "Retry" })).toHaveCount(0);
});

test("what_is_typed_to_find_a_friend_stays_until_it_is_sent", async ({ page, context }) => {
  const [eve, ben] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  await signIn(page, eve);
  await page.goto("/friends/find");
  const contact = page.getByLabel("E-mail or phone");
  await contact.fill(ben.email);
  await page.reload();
  await expect(contact).toHaveValue(ben.email);
  await page.getByRole("button", { name: "Search" }).click();
  const message = page.getByLabel("Personal message (optional)");
  await message.fill("We met at the market.");
  await page.getByRole("tab", { name: "My Friends" }).click();
  await page.getByRole("tab", { name: "Find Friends" }).click();
  await expect(message).toHaveValue("We met at the market.");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Ben Ortega" })).toBeVisible();
  await expect(message).toHaveValue("We met at the market.");

  await context.setOffline(true);
  await page.getByRole("button", { name: "Send Friend Request" }).click();
  const failed = page.getByRole("alert").filter({ hasText: "Unable to send friend request. Please try again." });
  await expect(failed).toBeVisible({ timeout: 2000 });
  await expect(failed).toContainText("There is no connection. What you typed is kept.");
  await expect(message).toHaveValue("We met at the market.");
  await context.setOffline(false);
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Friend Request Sent!")).toBeVisible();
  await expect(contact).toHaveValue("");
  await page.reload();
  await expect(contact).toHaveValue("");
  await expect(message).toHaveCount(0);
});

test("a_link_that_leads_to_no_favor_says_so_and_leads_on", async ({ page }) => {
  await signIn(page, await joined("Eve Lang"));
  for (const id of ["123", "not%20an%20id", crypto.randomUUID()]) {
    await page.goto(`/favors/${id}`);
    await expect(page.getByText("This favor is no longer there")).toBeVisible();
    await expect(page.getByText("Failed to load this favor")).toHaveCount(0);
  }
  await page.getByRole("link", { name: "See active favors" }).click();
  await expect(page).toHaveURL(/\/favors$/);
});

test("what_fails_at_once_leaves_the_focus_on_its_button", async ({ page, context }) => {
  await signIn(page, await joined("Eve Lang"));
  await page.goto("/favors?tab=create");
  await page.getByLabel("Title").fill("Mend the gate");
  await page.getByLabel("Description").fill("One hinge is loose.");
  await context.setOffline(true);
  const save = page.getByRole("button", { name: "Save as Draft" });
  await save.focus();
  await page.keyboard.press("Enter");
  const failed = page.getByRole("alert").filter({ hasText: "Failed to save favor. Please try again." });
  await expect(failed).toContainText("There is no connection. What you typed is kept.");
  await expect(save).toBeFocused();
  await context.setOffline(false);
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Draft saved")).toBeVisible();
});

test("a_picture_whose_answer_was_lost_is_added_once", async ({ page }) => {
  const { who, own } = await twoFriends();
  const id = await own.lend("Party tent");
  await signIn(page, who);
  await page.goto(`/share/items/${id}/edit`);
  await expect(page.getByLabel("Title")).toHaveValue("Party tent");
  // Nor does the item tell it, which is asked again.
  await page.route("**/*ItemsService/GetItem", (route) => route.abort());
  await page.route("**/*ItemsService/ConfirmImage", async (route) => {
    await route.fetch();
    return route.abort();
  });
  await page
    .locator("input[type=file][multiple]")
    .setInputFiles({ name: "tent.png", mimeType: "image/png", buffer: painted(320, 240, RED, RED) });
  const pictures = page.getByRole("list", { name: "Pictures in their order" }).getByRole("listitem");
  await expect(pictures.getByText("Upload Error")).toBeVisible({ timeout: 10_000 });
  await page.unroute("**/*ItemsService/ConfirmImage");
  const answer = page.waitForResponse(/ConfirmImage/);
  await pictures.getByRole("button", { name: "Retry" }).click();
  await answer;
  await expect(pictures.getByRole("button", { name: "Remove picture 1" })).toBeVisible();
  await expect(page.getByText("Upload Error")).toBeHidden();
  await expect(pictures).toHaveCount(1);
  expect((await own.items.getItem({ itemId: id })).item?.images).toHaveLength(1);
});

/** Fills the form of a new item that is listed at once, with two pictures, and sends it. */
async function listWithPictures(page: Page) {
  const { who, own } = await twoFriends();
  await signIn(page, who);
  await page.goto("/share?tab=create");
  await page.getByLabel("Title").fill("Party tent");
  await page.getByLabel("Description").fill("For twenty guests.");
  const buffer = painted(320, 240, RED, RED);
  const pictures = ["a.png", "b.png"].map((name) => ({ name, mimeType: "image/png", buffer }));
  await page.locator("input[type=file][multiple]").setInputFiles(pictures);
  await page.locator("label", { hasText: "List item immediately" }).click();
  await page.getByRole("button", { name: "List for Friends" }).click();
  return own;
}

test("pictures_that_were_cut_off_stay_with_their_item_which_is_listed_once_they_are_sent", async ({ page }) => {
  await page.route("**/*", (route) => (route.request().method() === "PUT" ? route.abort() : route.fallback()));
  const own = await listWithPictures(page);
  const said = page.getByRole("alert").filter({ hasText: "2 pictures could not be sent" });
  await expect(said).toContainText("Your item was saved, but is not listed yet");
  await expect(said.getByRole("button", { name: "Retry" })).toBeVisible();
  await page.getByRole("link", { name: "Edit Party tent" }).click();
  const pictures = page.getByRole("list", { name: "Pictures in their order" }).getByRole("listitem");
  await expect(pictures).toHaveCount(2);
  await expect(pictures.getByRole("button", { name: "Retry" })).toHaveCount(2);
  await page.unroute("**/*");
  const all = page.getByRole("alert").filter({ hasText: "The item is not listed yet" });
  await all.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Item listed. Your friends can find it now.")).toBeVisible({ timeout: 15_000 });
  await expect(pictures).toHaveCount(2);
  await expect(page.getByText("Upload Error")).toHaveCount(0);
  const { items } = await own.items.listMyItems({});
  const [{ itemId = "" } = {}] = items;
  const { item } = await own.items.getItem({ itemId });
  expect([item?.status, item?.images.length]).toEqual([ItemStatus.LISTED, 2]);
});

test("pictures_whose_answers_were_lost_while_they_were_sent_are_not_told_as_lost", async ({ page }) => {
  await page.route("**/*ItemsService/ConfirmImage", async (route) => {
    await route.fetch();
    return route.abort();
  });
  await listWithPictures(page);
  await expect(page.getByText("Item listed. Your friends can find it now.")).toBeVisible({ timeout: 20_000 });
});
