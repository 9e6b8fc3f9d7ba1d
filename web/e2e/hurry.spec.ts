// Who is in a hurry: taps twice, goes back, changes their mind, loses the connection. Nothing hits what was not meant, and each outcome stays
// with its thing.
import { expect, type Locator, type Page, type Route, test } from "@playwright/test";
import { as, joined, twoFriends } from "./backstage";
import {
  codeFor,
  expectHome,
  expectLogin,
  fillSignUp,
  goTo,
  isPhone,
  leaveForm,
  person,
  signIn,
  typeCode,
} from "./people";

const dialog = (page: Page): Locator => page.getByRole("dialog");
const topOf = (place: Locator): Promise<number> => place.evaluate((e) => Math.round(e.getBoundingClientRect().top));

/** The middle of something, for taps that do not wait until it may be tapped. */
async function middle(place: Locator): Promise<[number, number]> {
  const box = await place.boundingBox();
  if (box === null) throw new Error("it has no place");
  return [box.x + box.width / 2, box.y + box.height / 2];
}

test("an_outcome_stays_with_its_favor", async ({ page }) => {
  const { who, ben } = await twoFriends();
  for (const title of ["Water the basil", "Mend the gate"]) await ben.askFavor(who, title);
  await signIn(page, who);
  await page.goto("/favors?view=asked");
  const first = page.getByRole("article").first().getByRole("link");
  const title = (await first.textContent()) ?? "";
  if (isPhone(page)) await first.click();
  await page.getByRole("button", { name: "I can't" }).click();
  await dialog(page).getByRole("button", { name: "Decline" }).click();
  await expect(page.getByText("You declined this favor")).toBeVisible();
  if (isPhone(page)) return;
  await expect(page.getByRole("list", { name: "Asked of you" }).getByRole("listitem")).toHaveCount(1);
  const pane = page.getByRole("region", { name: "Favor Details" });
  await expect(pane.getByRole("heading", { name: title })).toBeVisible();
  await expect(pane).toContainText("You declined this favor");
});

test("an_outcome_on_home_names_its_favor", async ({ page }) => {
  const { who, ben } = await twoFriends();
  await ben.askFavor(who, "Water the basil");
  await signIn(page, who);
  await page.getByRole("button", { name: "I can't" }).click();
  await dialog(page).getByRole("button", { name: "Decline" }).click();
  await expect(page.locator(".outcome .note")).toHaveText(/Water the basil.*You declined this favor/);
});

test("the_second_of_two_clicks_hits_nothing_that_comes_in_its_place", async ({ page }) => {
  const { who, ben } = await twoFriends();
  for (const title of ["Water the basil", "Mend the gate", "Turn the compost"]) await ben.askFavor(who, title);
  await signIn(page, who);
  await page.goto("/favors?view=asked");
  if (isPhone(page)) await page.getByRole("article").first().getByRole("link").click();
  await page.getByRole("button", { name: "I can't" }).click();
  const decline = dialog(page).getByRole("button", { name: "Decline" });
  await expect(decline).toBeVisible();
  // Until the question takes taps.
  await page.waitForTimeout(600);
  const before = new URL(page.url()).pathname;
  await page.mouse.dblclick(...(await middle(decline)));
  await expect(page.getByText("You declined this favor")).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(before);
  expect(await page.evaluate(() => window.getSelection()?.toString())).toBe("");
});

test("the_second_of_two_clicks_answers_no_other_request", async ({ page }) => {
  const eve = await joined("Eve Lang");
  for (const name of ["Lena Novak", "Marcus Hill", "Priya Nair"])
    await (await as(await joined(name))).askToBeFriends(eve);
  await signIn(page, eve);
  await page.goto("/friends/requests");
  const decline = page.getByRole("button", { name: /^Decline / });
  await expect(decline).toHaveCount(3);
  const at = await middle(decline.first());
  await page.mouse.dblclick(...at);
  await expect(page.getByText("Friend Request Declined")).toBeVisible();
  await expect(decline).toHaveCount(2);
  // The third one, a moment later, is meant.
  await page.waitForTimeout(600);
  await page.mouse.click(...at);
  await expect(decline).toHaveCount(1);
});

test("a_request_that_was_accepted_meanwhile_cannot_be_taken_back", async ({ page }) => {
  const [eve, ben] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  await (await as(eve)).askToBeFriends(ben);
  // Nothing tells this page of it.
  await page.route("**/*NotificationsService/WatchNotifications", () => undefined);
  await signIn(page, eve);
  await page.goto("/friends/requests");
  const takeBack = page.getByRole("button", { name: "Take back the request to Ben Ortega" });
  await expect(takeBack).toBeVisible();
  await expect(page.getByText("No email available")).toHaveCount(0);
  await (await as(ben)).acceptFriends();
  await takeBack.click();
  await expect(page.getByText("You and Ben Ortega are friends now.")).toBeVisible();
  await expect(takeBack).toHaveCount(0);
});

test("back_leaves_a_form_as_the_arrow_does", async ({ page }) => {
  const eve = await joined("Eve Lang");
  const id = await (await as(eve)).draft("Mend the fence");
  await signIn(page, eve);
  await page.goto(`/favors/${id}`);
  const edit = page.getByRole("button", { name: "Edit favor" });
  const title = page.getByLabel("Title");
  await edit.click();
  // Nothing would be lost.
  await page.goBack();
  await expect(edit).toBeVisible();
  await edit.click();
  await title.fill("Mend the fence and the gate");
  await page.goBack();
  await expect(dialog(page)).toContainText("Discard Changes");
  await dialog(page).getByRole("button", { name: "Keep Editing" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(title).toHaveValue("Mend the fence and the gate");
  // What is typed is found again by who goes elsewhere, who is not asked.
  await page.goto("/friends");
  await page.goto(`/favors/${id}`);
  await expect(page.getByText("You changed this favor and did not save it.")).toBeVisible();
  await page.getByRole("button", { name: "Keep Editing" }).click();
  await expect(title).toHaveValue("Mend the fence and the gate");
  await page.goBack();
  await dialog(page).getByRole("button", { name: "Discard" }).click();
  await expect(edit).toBeVisible();
  await edit.click();
  await expect(title).toHaveValue("Mend the fence");
  await title.fill("Paint the fence");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Favor updated successfully")).toBeVisible();
  await expect(edit).toBeVisible();
  await expect(dialog(page)).toBeHidden();
});

test("an_earlier_outcome_ends_when_the_next_deed_begins", async ({ page, context }) => {
  const eve = await joined("Eve Lang");
  for (const name of ["Lena Novak", "Priya Nair"]) await (await as(await joined(name))).askToBeFriends(eve);
  await signIn(page, eve);
  await page.goto("/friends/requests");
  await page.getByRole("button", { name: "Accept Lena Novak" }).click();
  await expect(page.getByText("Friend Request Accepted!")).toBeVisible();
  await expect(page.getByRole("button", { name: "Accept Lena Novak" })).toHaveCount(0);
  await context.setOffline(true);
  await page.getByRole("button", { name: "Accept Priya Nair" }).click();
  await expect(page.getByText("Friend Request Accepted!")).toHaveCount(0);
  const failed = page.getByRole("alert").filter({ hasText: "Failed to accept friend request. Please try again." });
  await expect(failed).toContainText("There is no connection.");
  await context.setOffline(false);
  await expect(failed).not.toContainText("There is no connection.");
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Friend Request Accepted!")).toBeVisible();
});

test("a_busy_button_keeps_the_focus_and_a_wrong_code_begins_anew", async ({ page }) => {
  const eve = person("Eve Lang");
  await fillSignUp(page, eve);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel("Digit 1 of 6")).toBeFocused();
  await typeCode(page, "000000");
  const verify = page.getByRole("button", { name: "Verify" });
  await page.route("**/*IdentityService/ConfirmSignUp", async (route) => {
    await expect(verify).toBeFocused();
    await expect(verify).toHaveAttribute("aria-disabled", "true");
    await verify.press("Enter");
    await route.continue();
  });
  let calls = 0;
  page.on("request", (request) => (calls += Number(request.url().endsWith("/ConfirmSignUp"))));
  await verify.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Invalid verification code")).toBeVisible();
  await expect(page.getByLabel("Digit 1 of 6")).toBeFocused();
  expect(calls).toBe(1);
});

test("what_was_sent_leaves_the_focus_near", async ({ page }) => {
  const [eve, ben] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  await signIn(page, eve);
  await page.goto("/friends/find");
  await page.getByLabel("E-mail or phone").fill(ben.email);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("button", { name: "Send Friend Request" }).click();
  await expect(page.getByText("Friend Request Sent!")).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
});

test("a_lost_connection_moves_nothing", async ({ page, context }) => {
  await signIn(page, await joined("Eve Lang"));
  const heading = page.getByRole("heading", { level: 1 });
  for (const tab of ["Home", "Friends"] as const) {
    await goTo(page, tab);
    await expect(page.locator(".mantine-Skeleton-root")).toHaveCount(0);
    const before = await topOf(heading);
    await context.setOffline(true);
    const banner = page.getByText("You are offline. This may be out of date.");
    await expect(banner).toBeInViewport();
    expect(await topOf(heading)).toBe(before);
    await context.setOffline(false);
    await expect(banner).toBeHidden();
  }
});

test("a_screen_does_not_jump_when_its_code_has_come", async ({ page }) => {
  const eve = await joined("Eve Lang");
  await signIn(page, eve);
  const held: Route[] = [];
  await page.route("**/assets/FavorsScreen-*.js", (route) => void held.push(route));
  await page.route("**/*FavorsService/ListActiveFavors", () => undefined);
  await page.goto("/favors");
  const loading = page
    .getByRole("status", { name: /^Loading/ })
    .locator(".card")
    .first();
  await expect(page.locator(".tabshape")).toBeVisible();
  // What has just been taken away has no place.
  let before = 0;
  await expect.poll(async () => (before = await topOf(loading))).toBeGreaterThan(0);
  for (const route of held) await route.continue();
  await expect(page.getByRole("tab", { name: "Active" })).toBeVisible();
  await expect.poll(async () => Math.abs((await topOf(loading)) - before)).toBeLessThanOrEqual(4);
});

test("the_form_of_a_favor_has_a_way_back", async ({ page }) => {
  await signIn(page, await joined("Eve Lang"));
  await page.getByRole("button", { name: "Request a Favor" }).click();
  await expect(page.getByLabel("Title")).toBeVisible();
  if (!isPhone(page)) return expect(page.getByRole("tab", { name: "Active" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "New favor" })).toBeFocused();
  await leaveForm(page);
  await expectHome(page);
  await goTo(page, "Favors");
  await page.getByRole("tab", { name: "Create" }).click();
  await leaveForm(page);
  return expect(page.getByRole("tab", { name: "Active" })).toBeVisible();
});

test("before_its_code_has_come_a_form_has_its_shape_and_the_way_back", async ({ page }) => {
  await signIn(page, await joined("Eve Lang"));
  const held: Route[] = [];
  await page.route("**/assets/FavorsScreen-*.js", (route) => void held.push(route));
  await page.goto("/favors?tab=create");
  await expect(page.getByRole("status", { name: "Loading..." })).toBeVisible();
  // None of a list is there.
  await expect(page.locator(".mantine-Skeleton-root").first()).toBeVisible();
  await expect(page.getByRole("status").locator(".card")).toHaveCount(0);
  if (!isPhone(page)) return expect(page.getByRole("button", { name: "Back" })).toBeHidden();
  const heading = page.getByRole("heading", { level: 1, name: "New favor" });
  const leftOf = async (): Promise<number> => (await heading.boundingBox())?.x ?? 0;
  // It is drawn anew when it is known who is in: at that moment it is nowhere.
  let before = 0;
  await expect.poll(async () => (before = await leftOf())).toBeGreaterThan(0);
  await expect.poll(() => held.length).toBeGreaterThan(0);
  for (const route of held) await route.continue();
  await expect(page.getByLabel("Title")).toBeVisible();
  expect(await leftOf()).toBe(before);
  held.length = 0;
  await page.reload();
  await page.getByRole("button", { name: "Back" }).click();
  return expect(page).toHaveURL(/\/favors$/);
});

test("an_offer_of_another_time_is_heard_and_can_be_acted_on", async ({ page }) => {
  const [eve, other] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  const [own, ben] = [await as(eve), await as(other)];
  await ben.askToBeFriends(eve);
  await own.acceptFriends();
  await own.askFavor(other, "Water the basil");
  const watching = page.waitForResponse(/WatchNotifications$/);
  await signIn(page, eve);
  await watching;
  await ben.offerAnotherTime("Water the basil", "Sunday at noon?");
  await expect(page.getByText(/Ben Ortega could help you with/)).toBeVisible();
  const [favor] = await own.favors();
  await page.goto(`/favors/${favor?.id ?? ""}`);
  await expect(page.getByText("Sunday at noon?")).toBeVisible();
  await expect(page.getByText("The answer has come. Edit the favor if another time suits you.")).toBeVisible();
});

test("an_earlier_word_at_the_door_ends_when_somebody_signs_in", async ({ page }) => {
  const eve = person("Eve Lang");
  await fillSignUp(page, eve);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel("Digit 1 of 6")).toBeFocused();
  await page.reload();
  await typeCode(page, await codeFor(eve.email));
  await page.getByRole("button", { name: "Verify" }).click();
  const verified = page.getByText("Your account is verified. Please sign in.");
  await expect(verified).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Sign In Failed")).toBeVisible();
  await expect(verified).toHaveCount(0);
  await expectLogin(page);
});
