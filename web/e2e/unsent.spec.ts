// A failure is told where the member is, keeps every word, and can be tried again.
import type { Page, Route } from "@playwright/test";
import { ItemStatus } from "../src/gen/later/goodturn/items/v1/items_service_pb";
import { as, joined, twoFriends } from "./backstage";
import { fillDraft, fillFavor } from "./fill";
import { look } from "./looks";
import { painted, RED } from "./paint";
import { expectHome, goTo, leaveForm, signIn, visit } from "./people";
import { failLater, goOffline } from "./relay";
import { DESKTOP, expect, test } from "./test";

const CREATE = "**/*FavorsService/CreateFavor";
const UPDATE = "**/*FavorsService/UpdateFavor";
const POSTED = "Your favor has been posted! Selected friends will be notified.";

const title = (page: Page) => page.getByLabel("Title");
const told = (page: Page, text: string) => page.getByRole("alert").filter({ hasText: text });
const post = (page: Page) => page.getByRole("button", { name: "Post", exact: true });

/** Tells whether the next page would take a draft to be under way. In the page. */
const isSending = (): boolean =>
  Object.values({ ...sessionStorage }).some((kept) => String(kept).includes('"sending":"draft"'));

test("a_reload_tells_what_became_of_a_try_and_sends_it_once", async ({ page, context }, info) => {
  const { who, own } = await twoFriends();
  const titles = async () => (await own.favors()).map((favor) => favor.title).toSorted();
  await signIn(page, who);
  await visit(page, "/favors?tab=create");
  await fillDraft(page, "Mend the gate");
  // A failure that comes at once leaves the focus on its button.
  await goOffline(page);
  const save = page.getByRole("button", { name: "Save as Draft" });
  await save.focus();
  await page.keyboard.press("Enter");
  const failed = told(page, "Failed to save favor. Please try again.");
  await expect(failed).toContainText("No connection. We kept what you typed.");
  await expect(save).toBeFocused();
  await context.setOffline(false);
  await expect(failed).not.toContainText("No connection");

  // The server makes the draft, and the answer is lost. Nobody says that there is no connection.
  await page.route(CREATE, async (route) => {
    await route.fetch();
    return route.abort();
  });
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect.poll(titles).toEqual(["Mend the gate"]);
  await expect.poll(() => page.evaluate(isSending)).toBe(false);
  await expect(failed).toContainText("We kept what you typed.");
  await expect(page.getByText("No connection")).toHaveCount(0);
  await look(page, info, "form-lost");
  await page.reload();
  await expect(page.getByText("Your last try may have gone through.")).toBeVisible();
  await look(page, info, "form-unsure");
  await page.unroute(CREATE);
  await save.click();
  await expect(page.getByText("Draft saved")).toBeVisible();
  expect(await titles()).toEqual(["Mend the gate"]);

  // The server posts a favor, and the page is loaded anew before the answer comes.
  await page.getByRole("button", { name: "Start New" }).click();
  await fillFavor(page, "Water the basil");
  const keys: (string | undefined)[] = [];
  await page.route(CREATE, async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 1) return route.continue();
    return void (await route.fetch());
  });
  await post(page).click();
  await expect.poll(titles).toEqual(["Mend the gate", "Water the basil"]);
  await page.reload();
  await expect(page.getByText(POSTED)).toBeVisible();
  await expect(page).toHaveURL(/\/favors$/);
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
  expect(await titles()).toEqual(["Mend the gate", "Water the basil"]);
  await page.unroute(CREATE);
  await visit(page, "/favors?tab=create");
  await expect(title(page)).toHaveValue("");
});

test("an_answer_that_comes_while_the_page_reloads_is_told_by_the_new_page", async ({ page }) => {
  const { who, own } = await twoFriends();
  await signIn(page, who);
  await visit(page, "/favors?tab=create");
  await fillFavor(page, "Water the basil");
  const pages: Route[] = [];
  const calls: Route[] = [];
  await page.route(CREATE, (route) => void calls.push(route));
  await page.route("**/favors?tab=create", (route) => void pages.push(route));
  await post(page).click();
  await expect.poll(() => calls.length).toBe(1);
  await page.evaluate(() => void setTimeout(() => window.location.reload()));
  await expect.poll(() => pages.length).toBe(1);
  const answered = page.waitForResponse(/CreateFavor$/);
  await calls[0]?.continue();
  // A page that is being left does not always say when an answer has ended.
  await Promise.race([(await answered).finished(), page.waitForTimeout(2000)]);
  await page.unroute("**/favors?tab=create");
  const loaded = page.waitForEvent("load");
  await pages[0]?.continue();
  await loaded;
  await expect(page.getByText(POSTED)).toBeVisible();
  expect(calls).toHaveLength(1);
  expect(await own.favors()).toHaveLength(1);

  // On a desktop the form stands beside the tabs, and the favor that was posted beside its list.
  await page.unroute(CREATE);
  await page.setViewportSize(DESKTOP.viewport);
  await visit(page, "/favors?tab=create");
  await expect(page.getByRole("tab", { name: "Active" })).toBeVisible();
  await fillFavor(page, "Carry a sofa");
  await post(page).click();
  await expect(page.getByText(POSTED)).toBeVisible();
  const pane = page.getByRole("region", { name: "Favor Details" });
  await expect(pane).toContainText("Carry a sofa");
});

test("a_form_that_fails_after_it_was_left_says_so_there_and_elsewhere", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  await (await as(eve)).draft("Mend the fence");
  await signIn(page, eve);
  await goTo(page, "Favors");
  await page.getByRole("article").first().getByRole("link").click();
  const edit = page.getByRole("button", { name: "Edit favor" });
  await edit.click();
  await title(page).fill("Mend the fence and the gate");
  const failed = told(page, "Failed to update favor. Please try again.");
  const save = page.getByRole("button", { name: "Save changes" });

  // On the favor itself.
  const failHere = await failLater(page, UPDATE);
  await save.click();
  await page.goBack();
  await expect(page.getByText("Your changes are being saved...")).toBeVisible();
  failHere();
  await expect(failed).toContainText("We kept what you typed.");
  // The server can be reached.
  await expect(page.getByText("No connection")).toHaveCount(0);
  await look(page, info, "favor-unsent");
  await page.unroute(UPDATE);
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Favor updated successfully")).toBeVisible();
  await expect(failed).toHaveCount(0);
  const heading = page.getByRole("heading", { name: "Mend the fence and the gate" });
  await expect(heading.first()).toBeVisible();

  // On another screen, with a way to the form, which says it too until it is tried again.
  await edit.click();
  await title(page).fill("Paint the fence");
  const failElsewhere = await failLater(page, UPDATE);
  await save.click();
  await page.evaluate(() => window.history.go(-3));
  await expectHome(page);
  failElsewhere();
  const toast = page.locator(".toast").filter({ hasText: "Failed to update favor." });
  await expect(toast).toContainText("We kept what you typed.");
  await toast.getByRole("link", { name: "Open" }).click();
  await expect(failed).toBeVisible();
  await expect(title(page)).toHaveValue("Paint the fence");
  await page.reload();
  await expect(failed).toBeVisible();
  await page.unroute(UPDATE);
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Favor updated successfully")).toBeVisible();

  // A new favor waits in its form.
  await visit(page, "/favors");
  await page.getByRole("tab", { name: "Create" }).click();
  await fillDraft(page, "Oil the gate");
  const failDraft = await failLater(page, CREATE);
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await leaveForm(page);
  failDraft();
  const draftToast = page.locator(".toast").filter({ hasText: "Failed to save favor." });
  await expect(draftToast).toContainText("Your last try may have gone through.");
  await page.unroute(CREATE);
  await page.getByRole("tab", { name: "Create" }).click();
  // From now on the form says it.
  await expect(draftToast).toHaveCount(0);
  const failedDraft = told(page, "Failed to save favor. Please try again.");
  await expect(failedDraft).toContainText("We kept what you typed.");
  await failedDraft.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Draft saved")).toBeVisible();
  await expect(failedDraft).toHaveCount(0);
});

test("a_friend_request_is_kept_until_it_is_sent", async ({ page, context }) => {
  const [eve, ben] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  const [lena, cora] = [await joined("Lena Novak"), await joined("Cora Lind")];
  await signIn(page, eve);
  await goTo(page, "Friends");
  await page.getByRole("tab", { name: "Find Friends" }).click();
  const contact = page.getByLabel("Email or phone");
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

  await goOffline(page);
  const send = page.getByRole("button", { name: "Send Friend Request" });
  await send.click();
  const failed = told(page, "Unable to send friend request. Please try again.");
  await expect(failed).toBeVisible({ timeout: 2000 });
  await expect(failed).toContainText("No connection. We kept what you typed.");
  await expect(message).toHaveValue("We met at the market.");
  await context.setOffline(false);
  await failed.getByRole("button", { name: "Retry" }).click();
  const sent = page.getByText("Friend Request Sent!");
  await expect(sent).toBeVisible();
  await expect(contact).toHaveValue("");
  await page.reload();
  await expect(contact).toHaveValue("");
  await expect(message).toHaveCount(0);

  // One that fails after its place was left is told elsewhere, and of whom it is about.
  await contact.fill(lena.email);
  await page.getByRole("button", { name: "Search" }).click();
  const url = "**/*FriendsService/SendFriendRequest";
  const fail = await failLater(page, url);
  await send.click();
  await goTo(page, "Favors");
  fail();
  await expect(failed).toContainText("Lena Novak");
  await page.unroute(url);
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(sent).toBeVisible();

  // The form is gone with its button: the focus goes to the heading of the screen.
  await visit(page, "/friends/find");
  await contact.fill(cora.email);
  await page.getByRole("button", { name: "Search" }).click();
  await send.click();
  await expect(sent).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
});

test("words_of_an_answer_stay_in_their_sheet_until_they_are_sent", async ({ page, context }) => {
  const { who, ben } = await twoFriends();
  await ben.askFavor(who, "Water the basil");
  await signIn(page, who);
  await visit(page, "/favors?view=asked");
  await page.getByRole("article").first().getByRole("link").click();
  const open = () => page.getByRole("button", { name: "Another time" }).click();
  const sheet = page.getByRole("dialog", { name: "Propose another time" });
  const field = sheet.getByRole("textbox");
  await open();
  await field.fill("Sunday at noon?");
  await page.goBack();
  await expect(field).toBeHidden();
  await open();
  await expect(field).toHaveValue("Sunday at noon?");
  await page.reload();
  await open();
  await expect(field).toHaveValue("Sunday at noon?");

  await goOffline(page);
  await sheet.getByRole("button", { name: "Send proposal" }).click();
  const failed = sheet.getByRole("alert");
  await expect(failed).toContainText("Failed to send your answer. Please try again.");
  await expect(failed).toBeInViewport();
  // It stands apart from the field.
  const [above, below] = [await field.boundingBox(), await failed.boundingBox()];
  const gap = (below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0);
  expect(gap).toBeGreaterThanOrEqual(8);
  await expect(field).toHaveValue("Sunday at noon?");
  await context.setOffline(false);
  await sheet.getByRole("button", { name: "Send proposal" }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByText("Sunday at noon?").first()).toBeVisible();
});

test("pictures_that_were_cut_off_stay_with_their_item_and_are_sent_once", async ({ page }) => {
  const { who, own } = await twoFriends();
  await signIn(page, who);
  await visit(page, "/share?tab=create");
  await title(page).fill("Party tent");
  await page.getByLabel("Description").fill("For twenty guests.");
  const file = page.locator("input[type=file][multiple]");
  const buffer = painted(320, 240, RED, RED);
  const png = (name: string) => ({ name, mimeType: "image/png", buffer });
  await file.setInputFiles([png("a.png"), png("b.png")]);
  await page.route("**/*", (route) => {
    const isUpload = route.request().method() === "PUT";
    return isUpload ? route.abort() : route.fallback();
  });
  await page.getByRole("button", { name: "List for Friends" }).click();
  const said = told(page, "2 pictures couldn't be uploaded");
  await expect(said).toContainText("Your item was saved but isn't listed yet");
  await expect(said.getByRole("button", { name: "Retry" })).toBeVisible();

  // The form of the item has them, and sends and lists it.
  await page.getByRole("link", { name: "Edit Party tent" }).click();
  const list = page.getByRole("list", { name: "Pictures in order" });
  const pictures = list.getByRole("listitem");
  await expect(pictures).toHaveCount(2);
  await expect(pictures.getByRole("button", { name: "Retry" })).toHaveCount(2);
  await page.unroute("**/*");
  const unlisted = told(page, "The item isn't listed yet");
  await unlisted.getByRole("button", { name: "Retry" }).click();
  const listed = page.getByText("Item listed. Your friends can find it now.");
  await expect(listed).toBeVisible();
  await expect(pictures).toHaveCount(2);
  await expect(page.getByText("Upload Error")).toHaveCount(0);
  const [{ itemId = "" } = {}] = (await own.items.listMyItems({})).items;
  const { item } = await own.items.getItem({ itemId });
  expect([item?.status, item?.images.length]).toEqual([ItemStatus.LISTED, 2]);

  // The answer to another one is lost, and the item does not tell of it either.
  await page.route("**/*ItemsService/GetItem", (route) => route.abort());
  await page.route("**/*ItemsService/ConfirmImage", async (route) => {
    await route.fetch();
    return route.abort();
  });
  await file.setInputFiles(png("c.png"));
  await expect(pictures.getByText("Upload Error")).toBeVisible();
  await page.unroute("**/*ItemsService/ConfirmImage");
  const answer = page.waitForResponse(/ConfirmImage/);
  await pictures.getByRole("button", { name: "Retry" }).click();
  await answer;
  await expect(pictures.getByRole("button", { name: "Remove picture 3" })).toBeVisible();
  await expect(page.getByText("Upload Error")).toBeHidden();
  await expect(pictures).toHaveCount(3);
  expect((await own.items.getItem({ itemId })).item?.images).toHaveLength(3);
});
