// Nothing is lost and nothing lies: pages loaded anew, several tabs, taps that come too soon, and calls that nobody answers.
import { expect, type Page, type Route, test } from "@playwright/test";
import { as, joined, signUpElsewhere, twoFriends } from "./backstage";
import { fillFavor } from "./fill";
import { look } from "./looks";
import {
  asDemo,
  codeFor,
  expectHome,
  expectLogin,
  person,
  signIn,
  signOut,
  signInAtTheDoor,
  typeCode,
  skipPhoneStep,
} from "./people";

const CREATE = "**/*FavorsService/CreateFavor";
const POSTED = "Your favor has been posted! Selected friends will be notified.";

/** Fills what a favor needs that is posted. */
async function fill(page: Page, title: string): Promise<void> {
  await page.goto("/favors?tab=create");
  await fillFavor(page, title);
}

/** Whether a draft is under way, as far as the next page would know. In the page. */
const isSending = (): boolean =>
  Object.values({ ...sessionStorage }).some((kept) => String(kept).includes('"sending":"draft"'));

const post = (page: Page) => page.getByRole("button", { name: "Post", exact: true });

test("the_second_of_two_taps_on_retry_opens_nothing_that_comes_in_its_place", async ({ page }) => {
  await page.route("**/*FavorsService/ListActiveFavors", (route) => route.abort());
  await asDemo(page);
  await page.goto("/favors");
  const retry = page.getByRole("main").getByRole("button", { name: "Retry" });
  await expect(retry).toBeVisible();
  // What a tap would hit there as soon as the list has come.
  await retry.evaluate((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    new MutationObserver((_changes, watch) => {
      if (document.querySelector("main article") === null) return;
      watch.disconnect();
      // When everybody has heard of the change, and before it is painted.
      queueMicrotask(() => {
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        document.documentElement.dataset["hit"] = hit?.closest("a, button, .shield")?.className ?? "nothing";
      });
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.unroute("**/*FavorsService/ListActiveFavors");
  const place = await retry.boundingBox();
  await page.mouse.dblclick((place?.x ?? 0) + 20, (place?.y ?? 0) + 20);
  await expect(page.getByRole("article").first()).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-hit", /^(shield|nothing)$/);
  await expect(page).toHaveURL(/\/favors$/);
});

test("who_loads_the_page_anew_while_a_favor_is_posted_learns_what_became_of_it", async ({ page }) => {
  const { who, own } = await twoFriends();
  await signIn(page, who);
  await fill(page, "Water the basil");
  const keys: (string | undefined)[] = [];
  // The server has made it, and the answer never comes.
  await page.route(CREATE, async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 1) return route.continue();
    return void (await route.fetch());
  });
  await post(page).click();
  await expect.poll(async () => (await own.favors()).length).toBe(1);
  await page.reload();
  await expect(page.getByText(POSTED)).toBeVisible();
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
  expect((await own.favors()).map(({ title }) => title)).toEqual(["Water the basil"]);
  await page.goto("/favors?tab=create");
  await expect(page.getByLabel("Title")).toHaveValue("");
});

test("after_a_reload_it_is_said_that_a_failed_try_may_have_arrived", async ({ page }, info) => {
  const who = await joined("Eve Lang");
  await signIn(page, who);
  await page.goto("/favors?tab=create");
  await page.getByLabel("Title").fill("Mend the gate");
  await page.getByLabel("Description").fill("One hinge is loose.");
  await page.route(CREATE, async (route) => {
    await route.fetch();
    return route.abort();
  });
  await page.getByRole("button", { name: "Save as Draft" }).click();
  const failed = page.getByRole("alert").filter({ hasText: "Failed to save favor. Please try again." });
  // The server can be reached, and nobody says that it cannot.
  await expect(failed).toContainText("What you typed is kept.");
  await expect(page.getByText("There is no connection")).toHaveCount(0);
  await look(page, info, "form-lost");
  await expect.poll(() => page.evaluate(isSending)).toBe(false);
  await page.reload();
  await expect(page.getByText("Your last try may have arrived all the same.")).toBeVisible();
  await look(page, info, "form-unsure");
  await page.unroute(CREATE);
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await expect(page.getByText("Draft saved")).toBeVisible();
  expect(await (await as(who)).favors()).toHaveLength(1);
});

test("what_was_posted_while_the_page_was_on_its_way_anew_is_told_by_the_new_one", async ({ page }) => {
  const { who, own } = await twoFriends();
  await signIn(page, who);
  await fill(page, "Water the basil");
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
});

test("what_is_posted_is_what_is_shown", async ({ page }, info) => {
  const { who, own } = await twoFriends();
  await own.draft("Mend the fence");
  await signIn(page, who);
  await fill(page, "Water the basil");
  await post(page).click();
  await expect(page.getByText(POSTED)).toBeVisible();
  if (info.project.name === "phone") return expect(page).toHaveURL(/\/favors$/);
  await look(page, info, "posted");
  return expect(page.getByRole("region", { name: "Favor Details" })).toContainText("Water the basil");
});

test("each_tab_has_its_own_words_and_none_has_any_after_a_sign_out", async ({ page, context }) => {
  await signIn(page, await joined("Eve Lang"));
  const other = await context.newPage();
  for (const [tab, title] of [
    [page, "Water the basil"],
    [other, "Turn the compost"],
  ] as const) {
    await tab.goto("/favors?tab=create");
    await tab.getByLabel("Title").fill(title);
  }
  await page.reload();
  await other.reload();
  await expect(page.getByLabel("Title")).toHaveValue("Water the basil");
  await expect(other.getByLabel("Title")).toHaveValue("Turn the compost");
  await page.getByRole("button", { name: "Start New" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start New" }).click();
  await other.reload();
  await expect(other.getByLabel("Title")).toHaveValue("Turn the compost");
  await signOut(page);
  await expectLogin(other);
  expect(await other.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain("compost");
});

test("what_is_typed_outlives_a_session_that_ends_elsewhere_and_is_shown_to_nobody_else", async ({ page }) => {
  const [eve, ben] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  const endElsewhere = async (): Promise<void> => void (await (await as(eve)).identity.globalSignOut({}));
  const typed = () => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  await signInAtTheDoor(page, eve);
  await page.goto("/favors?tab=create");
  await page.getByLabel("Title").fill("Turn the compost");
  await endElsewhere();
  await page.reload();
  await expectLogin(page);
  await signInAtTheDoor(page, eve);
  await page.goto("/favors?tab=create");
  await expect(page.getByLabel("Title")).toHaveValue("Turn the compost");
  await endElsewhere();
  await page.reload();
  await expectLogin(page);
  await signInAtTheDoor(page, ben);
  expect(await typed()).not.toContain("compost");
  await page.goto("/favors?tab=create");
  await expect(page.getByLabel("Title")).toHaveValue("");
});

test("a_tab_that_was_closed_before_a_sign_out_brings_nothing_back", async ({ page, context }) => {
  const eve = await joined("Eve Lang");
  await signIn(page, eve);
  await page.goto("/favors?tab=create");
  await page.getByLabel("Title").fill("Turn the compost");
  const words = await page.evaluate(() => JSON.stringify(sessionStorage));
  await signOut(page);
  await signIn(page, eve);
  // What a browser gives a tab that is opened again.
  const again = await context.newPage();
  await again.addInitScript((kept) => {
    for (const [key, value] of Object.entries(JSON.parse(kept) as Record<string, string>))
      sessionStorage.setItem(key, value);
  }, words);
  await again.goto("/favors?tab=create");
  await expect(again.getByLabel("Title")).toHaveValue("");
  expect(await again.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("compost");
});

test("a_notification_that_was_not_read_does_not_look_read", async ({ page, context }, info) => {
  const [eve, ben] = [await joined("Eve Lang"), await as(await joined("Ben Ortega"))];
  await ben.askToBeFriends(eve);
  await signIn(page, eve);
  await page.goto("/inbox");
  const unread = page.getByRole("region", { name: "New" });
  await expect(unread.getByRole("listitem")).toHaveCount(1);
  // Where outcomes are told comes a moment after the screen.
  await expect(page.locator(".saybar")).toBeAttached();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Mark all as read" }).click();
  const failed = page.getByRole("alert").filter({ hasText: "Failed to mark as read. Please try again." });
  await expect(failed).toContainText("There is no connection.");
  await expect(unread.getByRole("listitem")).toHaveCount(1);
  await look(page, info, "inbox-lost");
  // Who goes where it leads has not asked for it to be marked.
  await unread.getByRole("listitem").getByRole("button").click();
  await expect(page).toHaveURL(/\/friends\/requests$/);
  await page.waitForTimeout(500);
  await expect(page.getByText("Failed to mark as read")).toHaveCount(0);
  await context.setOffline(false);
  await failed.waitFor({ state: "detached" });
});

test("what_came_of_other_words_goes_when_they_are_typed_over", async ({ page }) => {
  const eve = await joined("Eve Lang");
  await page.goto("/");
  await page.getByLabel("E-mail").fill(eve.email);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign In" }).click();
  const refused = page.getByRole("alert").filter({ hasText: "Sign In Failed" });
  await expect(refused).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(eve.password);
  await expect(refused).toHaveCount(0);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expectHome(page);
  await page.goto("/friends/find");
  const contact = page.getByLabel("E-mail or phone");
  await contact.fill("+15550100000");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("No user found")).toBeVisible();
  await contact.fill("+15550100001");
  await expect(page.getByText("No user found")).toHaveCount(0);
});

test("who_has_not_verified_an_address_is_led_to_the_code", async ({ page }, info) => {
  const eve = person("Eve Lang");
  await signUpElsewhere(eve);
  await page.goto("/");
  await page.getByLabel("E-mail").fill(eve.email);
  await page.getByLabel("Password", { exact: true }).fill(eve.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("This address is not verified yet.")).toBeVisible();
  await expect(page.getByLabel("Digit 1 of 6")).toBeFocused();
  await look(page, info, "verify-unconfirmed");
  await typeCode(page, await codeFor(eve.email));
  await page.getByRole("button", { name: "Verify" }).click();
  await skipPhoneStep(page);
});

test("a_failed_sign_in_says_that_there_is_no_connection", async ({ page, context }, info) => {
  const eve = await joined("Eve Lang");
  await page.goto("/");
  await page.getByLabel("E-mail").fill(eve.email);
  await page.getByLabel("Password", { exact: true }).fill(eve.password);
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Sign In" }).click();
  const failed = page.getByRole("alert").filter({ hasText: "Sign In Failed" });
  await expect(failed).toContainText("There is no connection. What you typed is kept.");
  await look(page, info, "sign-in-lost");
  await context.setOffline(false);
  await failed.getByRole("button", { name: "Retry" }).click();
  await expectHome(page);
});

test("what_is_not_known_yet_is_not_named", async ({ page }) => {
  await signIn(page, await joined("Eve Lang"));
  const held: Route[] = [];
  await page.route("**/assets/FirstSteps-*.js", (route) => void held.push(route));
  await page.route("**/*FriendsService/ListFriendRequests", (route) => void held.push(route));
  await page.reload();
  await expect(page.getByRole("status", { name: "Loading Home..." })).toBeVisible();
  await expect(page.getByText("First steps")).toHaveCount(0);
  await page.unroute("**/*FriendsService/ListFriendRequests");
  for (const route of held.splice(0)) await route.continue();
  // Its code is on its way too.
  await expect.poll(() => held.length).toBe(1);
  await expect(page.getByRole("status", { name: "Loading Home..." })).toBeVisible();
  await expect(page.getByText("First steps")).toHaveCount(0);
  for (const route of held.splice(0)) await route.continue();
  await expect(page.getByRole("region", { name: "First steps" })).toBeVisible();
});
