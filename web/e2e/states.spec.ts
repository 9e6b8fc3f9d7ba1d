// No state lies: what is on its way or has failed is never shown as nothing, and what was loaded stays.
import { expect, test } from "@playwright/test";
import { as, joined } from "./backstage";
import { look, picture } from "./looks";
import { asDemo, choose, signIn } from "./people";

const RECEIVED = "**/*FavorsService/ListReceivedFavors";
const REQUESTS = "**/*FriendsService/ListFriendRequests";
const STREAM = "**/*NotificationsService/WatchNotifications";
const STORY = "**/*FavorsService/GetFavorStory";

test("home_says_nothing_of_answers_while_it_does_not_know", async ({ page }) => {
  await page.route(RECEIVED, () => undefined);
  await asDemo(page);
  await expect(page.getByRole("status", { name: "Loading Home..." })).toBeVisible();
  await expect(page.getByText(/waiting for your answer/)).toHaveCount(0);
  await page.unroute(RECEIVED);
  await page.route(RECEIVED, (route) => route.fulfill({ status: 503 }));
  await page.reload();
  await expect(page.getByText("What waits for your answer could not be loaded.")).toBeVisible();
  await page.unroute(RECEIVED);
  await page.getByRole("button", { name: "Retry" }).filter({ visible: true }).first().click();
  await expect(page.getByText(/waiting for your answer/)).toBeVisible();
});

test("a_failed_refetch_keeps_what_is_there_and_says_so", async ({ page }) => {
  await asDemo(page);
  await page.goto("/favors?view=asked");
  await expect(page.getByRole("article").first()).toBeVisible();
  await page.route(RECEIVED, (route) => route.fulfill({ status: 503 }));
  await (
    await as({ email: "ben@goodturn.example", password: "goodturn-demo" })
  ).askFavor({ name: "Ana Ruiz", email: "ana@goodturn.example", password: "" }, "Turn the compost");
  await expect(page.getByText("This could not be brought up to date.")).toBeVisible();
  await expect(page.getByRole("article").first()).toBeVisible();
});

test("a_story_that_is_not_known_does_not_say_that_nobody_answered", async ({ page }) => {
  const [eve, ben] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  const own = await as(eve);
  await own.askToBeFriends(ben);
  await (await as(ben)).acceptFriends();
  await own.askFavor(ben, "Water the basil");
  const [favor] = await own.favors();
  await page.route(STORY, (route) => route.fulfill({ status: 503 }));
  await signIn(page, eve);
  await page.goto(`/favors/${favor?.id ?? ""}`);
  await expect(page.getByText("Failed to load the story")).toBeVisible();
  await expect(page.getByText("Nobody has answered yet")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Cancel favor" })).toBeVisible();
  await page.unroute(STORY);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Nobody has answered yet")).toBeVisible();
});

test("an_answer_that_was_not_sent_is_told_in_its_sheet", async ({ page, context }) => {
  const [eve, ben] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  const asker = await as(eve);
  await asker.askToBeFriends(ben);
  await (await as(ben)).acceptFriends();
  await asker.askFavor(ben, "Water the basil");
  const [favor] = await asker.favors();
  await signIn(page, ben);
  await page.goto(`/favors/${favor?.id ?? ""}`);
  await page.getByRole("button", { name: "Another time" }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("textbox").fill("Sunday at noon?");
  await context.setOffline(true);
  await sheet.getByRole("button", { name: "Send" }).click();
  const told = sheet.getByRole("alert");
  await expect(told).toContainText("Failed to send your answer. Please try again.");
  await expect(told).toBeInViewport();
  // It stands apart from the field.
  const [field, box] = [await sheet.getByRole("textbox").boundingBox(), await told.boundingBox()];
  expect((box?.y ?? 0) - (field?.y ?? 0) - (field?.height ?? 0)).toBeGreaterThanOrEqual(8);
  await expect(sheet.getByRole("textbox")).toHaveValue("Sunday at noon?");
  await context.setOffline(false);
  await sheet.getByRole("button", { name: "Send" }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByText("Sunday at noon?").first()).toBeVisible();
});

test("what_i_completed_for_others_stays_before_and_after_it_is_settled", async ({ page }) => {
  const [eve, ben] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  const asker = await as(ben);
  await asker.askToBeFriends(eve);
  const helper = await as(eve);
  await helper.acceptFriends();
  await asker.askFavor(eve, "Water the basil");
  await helper.complete("Water the basil");
  await signIn(page, eve);
  await page.goto("/favors?tab=completed");
  await choose(page, "You helped");
  const card = page.getByRole("article").filter({ hasText: "Water the basil" });
  await expect(card.locator(".badge")).toHaveText("completed");
  await asker.settle("Water the basil");
  await expect(card.locator(".badge")).toHaveText("settled");
});

test("a_list_says_that_it_loads_and_that_it_failed", async ({ page }, info) => {
  await asDemo(page);
  await page.route(REQUESTS, () => undefined);
  await page.goto("/friends/requests");
  await expect(page.getByText("Loading friend requests...")).toBeVisible();
  await expect(page.getByText("All caught up!")).toHaveCount(0);
  await picture(page, info, "loading");
  await page.unroute(REQUESTS);
  await page.route(REQUESTS, (route) => route.fulfill({ status: 503 }));
  await page.reload();
  await expect(page.getByText("Failed to load friend requests. Please try again.")).toBeVisible();
  await expect(page.getByText("All caught up!")).toHaveCount(0);
  await look(page, info, "failed");
  await page.unroute(REQUESTS);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("button", { name: "Accept Lena Novak" })).toBeVisible();
});

test("what_came_while_the_list_was_looked_at_stays_unread", async ({ page }) => {
  const [eve, other] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  const ben = await as(other);
  await ben.askToBeFriends(eve);
  await (await as(eve)).acceptFriends();
  await ben.askFavor(eve, "Water the basil");
  // Without the live stream the list does not know of what comes.
  await page.route(STREAM, () => undefined);
  await signIn(page, eve);
  await page.goto("/inbox");
  await expect(page.getByRole("button", { name: /Water the basil/ })).toBeVisible();
  await ben.askFavor(eve, "Mend the gate");
  await page.getByRole("button", { name: "Mark all as read" }).click();
  const fresh = page.getByRole("region", { name: "New" });
  await expect(fresh.getByRole("button", { name: /Mend the gate/ })).toBeVisible();
  await expect(fresh.getByRole("button", { name: /Water the basil/ })).toHaveCount(0);
});
