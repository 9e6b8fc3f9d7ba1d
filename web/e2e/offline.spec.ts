// Without the server: nothing blanks, what is there stays there, and everything goes on when it is back.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { as, joined } from "./backstage";
import { look } from "./looks";
import { asDemo, expectHome, expectLogin, goTo, leaveForm, signIn } from "./people";

const banner = (page: Page) => page.getByText("You are offline. This may be out of date.");

/** A part of the app, by the beginning of its file's name, is gone from the server. */
const without = (page: Page, name: string) => page.route(`**/assets/${name}-*.js`, (route) => route.abort());

/** Everything that is fetched ahead has come. */
async function settled(page: Page): Promise<void> {
  const parts = ["SettingsScreen", "FriendsArea", "FavorsScreen", "LoginScreen", "CalendarSheet"];
  await expect
    .poll(
      () =>
        page.evaluate(() =>
          performance
            .getEntriesByType("resource")
            .map((r) => r.name)
            .join(" "),
        ),
      { timeout: 30_000 },
    )
    .toMatch(new RegExp(parts.map((part) => `(?=.*${part})`).join("")));
}

test("who_is_offline_can_go_everywhere_and_leave", async ({ page, context }, info) => {
  await asDemo(page);
  await settled(page);
  await context.setOffline(true);
  await expect(banner(page)).toBeVisible();
  await look(page, info, "offline");
  await goTo(page, "Friends");
  await expect(page.getByRole("heading", { level: 1, name: "Friends" })).toBeVisible();
  await goTo(page, "Favors");
  await page.getByRole("tab", { name: "Create" }).click();
  await page.getByRole("button", { name: /^Start Choose/ }).click();
  await expect(page.getByRole("dialog", { name: "Select Date & Time" })).toBeVisible();
  await page.keyboard.press("Escape");
  await leaveForm(page);
  await goTo(page, "Home");
  await page.getByRole("link", { name: "Settings" }).filter({ visible: true }).click();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign Out" }).click();
  await expectLogin(page);
  await context.setOffline(false);
  await expect(banner(page)).toBeHidden();
});

test("what_is_loaded_stays_and_the_counts_heal", async ({ page, context }) => {
  const [eve, ben] = [await joined("Eve Lang"), await as(await joined("Ben Ortega"))];
  await ben.askToBeFriends(eve);
  await signIn(page, eve);
  await goTo(page, "Friends");
  await expect(page.getByRole("button", { name: "Accept Ben Ortega" })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Accept Ben Ortega" }).click();
  const failed = page.getByRole("alert").filter({ hasText: "Failed to accept friend request. Please try again." });
  await expect(failed).toBeVisible();
  await expect(page.getByRole("button", { name: "Accept Ben Ortega" })).toBeVisible();
  await (await as(await joined("Lena Novak"))).askToBeFriends(eve);
  await context.setOffline(false);
  await expect(page.getByRole("tab", { name: /Requests/ })).toContainText("2");
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Friend Request Accepted!")).toBeVisible();
});

test("a_part_that_does_not_come_is_tried_again", async ({ page, context }, info) => {
  await without(page, "SettingsScreen");
  await asDemo(page);
  await context.setOffline(true);
  await page.getByRole("link", { name: "Settings" }).filter({ visible: true }).click();
  await expect(page.getByText("This part could not be loaded. Check your connection.")).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("This part could not be loaded. Check your connection.")).toBeVisible();
  expect(page.url()).toContain("/settings");
  await look(page, info, "missing-part");
  await page.unroute("**/assets/SettingsScreen-*.js");
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign Out" })).toBeVisible();
});

/** Whether the tabs' own style sheet is in force. In the page. */
const isStyled = (): boolean =>
  [...document.styleSheets].some((sheet) => sheet.href?.includes("/Tabs-") === true && sheet.cssRules.length > 0);

test("a_style_sheet_that_does_not_come_comes_with_its_part", async ({ page }) => {
  await page.route("**/assets/Tabs-*.css", (route) => route.abort());
  await asDemo(page);
  await goTo(page, "Friends");
  await expect(page.getByText("This part could not be loaded. Check your connection.")).toBeVisible();
  await page.unroute("**/assets/Tabs-*.css");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("tab", { name: "Find Friends" })).toBeVisible();
  expect(await page.evaluate(isStyled)).toBe(true);
});

test("an_open_tab_goes_on_with_the_next_release", async ({ page }) => {
  // What the tab was opened with is gone from the server, which names other files by now.
  const dist = join(import.meta.dirname, "..", "dist", "assets");
  const entry = readdirSync(dist).find((name) => /^index-.*\.js$/.test(name)) ?? "";
  let released = false;
  await page.route("**/assets/FriendsArea-*.js", (route) => (released ? route.continue() : route.abort()));
  await asDemo(page);
  await page.route(/\/(friends)?$/, async (route) => {
    const response = await route.fetch();
    released = true;
    const html = (await response.text()).replaceAll(`/assets/${entry}`, "/assets/index-next.js");
    return route.fulfill({ response, body: html });
  });
  // It is the same under another name: a second copy of the frame would be a second app in the page.
  await page.route("**/assets/index-next.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: `import "./${entry}";` }),
  );
  await goTo(page, "Friends");
  await expect(page.getByRole("tab", { name: "Find Friends" })).toBeVisible();
  await expect(page).toHaveURL(/\/friends/);
  expect(await page.locator("script[type=module]").getAttribute("src")).toBe("/assets/index-next.js");
  await goTo(page, "Home");
  await expectHome(page);
});
