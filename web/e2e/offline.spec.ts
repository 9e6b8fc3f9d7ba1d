// Without the server nothing blanks, and everything goes on when it is back.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { as, joined } from "./backstage";
import { look } from "./looks";
import { asDemo, expectHome, expectLogin, goTo, leaveForm, signIn } from "./people";
import { failLater, goOffline } from "./relay";
import { DESKTOP, expect, PHONE, test } from "./test";

const NOT_LOADED = "This part couldn't load. Check your connection.";

const banner = (page: Page) => page.getByText("You're offline. This may be out of date.");

/** A part of the app, by the beginning of its file's name, is gone from the server. */
function without(page: Page, name: string) {
  return page.route(`**/assets/${name}-*.js`, (route) => route.abort());
}

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

test.describe("with code that was fetched ahead", () => {
  test.use({ prefetch: true });

  test("offline_a_member_can_go_everywhere_and_leave", async ({ page, context }, info) => {
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
});

test("an_offline_sign_out_is_told_to_the_server_later", async ({ page, context }) => {
  // The code of toasts and of the next screen is still on its way when the connection is lost.
  const late = "**/assets/{ToastHost,LoginScreen}-*.js";
  const lose = await failLater(page, late);
  await signIn(page, await joined("Eve Lang"));
  await page.getByRole("link", { name: "Settings" }).filter({ visible: true }).click();
  const signOutHere = page.getByRole("button", { name: "Sign Out" });
  await expect(signOutHere).toBeVisible();
  const refresh = await page.evaluate(() => localStorage.getItem("refresh_token") ?? "nothing");
  await context.setOffline(true);
  lose();
  await signOutHere.click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByText(NOT_LOADED)).toBeVisible();
  await expect(page.getByText("You're signed out on this device.")).toBeVisible();
  await expect(page.getByText("Failed to sign out")).toHaveCount(0);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(refresh);
  await page.unroute(late);
  const revoked = page.waitForRequest(/RevokeToken$/);
  await context.setOffline(false);
  expect((await revoked).postDataBuffer()?.toString()).toContain(refresh);
  await expect(page.getByText("You're fully signed out.")).toBeVisible();
  // The missing code has come by itself.
  await expectLogin(page);
});

test("a_lost_connection_moves_nothing_and_the_counts_heal", async ({ page, context }) => {
  const eve = await joined("Eve Lang");
  const isAskedBy = async (name: string) => (await as(await joined(name))).askToBeFriends(eve);
  for (const name of ["Ben Ortega", "Priya Nair"]) await isAskedBy(name);
  await signIn(page, eve);
  const heading = page.getByRole("heading", { level: 1 });
  const top = async (): Promise<number> => Math.round((await heading.boundingBox())?.y ?? 0);
  const accept = (name: string) => page.getByRole("button", { name: `Accept ${name}` });

  // That there is no connection is said on every screen, and moves nothing.
  for (const { viewport } of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    for (const tab of ["Home", "Friends"] as const) {
      await goTo(page, tab);
      await expect(page.locator(".mantine-Skeleton-root")).toHaveCount(0);
      const before = await top();
      await goOffline(page);
      await expect(banner(page)).toBeInViewport();
      expect(await top()).toBe(before);
      await context.setOffline(false);
      await expect(banner(page)).toBeHidden();
    }
  }

  const accepted = page.getByText("Friend Request Accepted!");
  await accept("Priya Nair").click();
  await expect(accepted).toBeVisible();
  await expect(accept("Priya Nair")).toHaveCount(0);
  await goOffline(page);
  await accept("Ben Ortega").click();
  await expect(accepted).toHaveCount(0);
  const text = "Failed to accept friend request. Please try again.";
  const failed = page.getByRole("alert").filter({ hasText: text });
  await expect(failed).toContainText("No connection.");
  await expect(accept("Ben Ortega")).toBeVisible();
  for (const name of ["Lena Novak", "Marcus Hill"]) await isAskedBy(name);
  await context.setOffline(false);
  await expect(page.getByRole("tab", { name: /Requests/ })).toContainText("3");
  await expect(failed).not.toContainText("No connection.");
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(accepted).toBeVisible();
});

test("a_part_that_does_not_come_is_tried_again", async ({ page, context }, info) => {
  await without(page, "SettingsScreen");
  await asDemo(page);
  await goOffline(page);
  await page.getByRole("link", { name: "Settings" }).filter({ visible: true }).click();
  await expect(page.getByText(NOT_LOADED)).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText(NOT_LOADED)).toBeVisible();
  expect(page.url()).toContain("/settings");
  await look(page, info, "missing-part");
  await page.unroute("**/assets/SettingsScreen-*.js");
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign Out" })).toBeVisible();
});

/** Tells whether the tabs' own style sheet is in force. In the page. */
function isStyled(): boolean {
  const sheets = [...document.styleSheets].filter(({ href }) => href?.includes("/Tabs-") === true);
  return sheets.some(({ cssRules }) => cssRules.length > 0);
}

test("a_style_sheet_that_does_not_come_comes_with_its_part", async ({ page }) => {
  await page.route("**/assets/Tabs-*.css", (route) => route.abort());
  await asDemo(page);
  await goTo(page, "Friends");
  await expect(page.getByText(NOT_LOADED)).toBeVisible();
  await page.unroute("**/assets/Tabs-*.css");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("tab", { name: "Find Friends" })).toBeVisible();
  expect(await page.evaluate(isStyled)).toBe(true);
});

test("an_open_tab_goes_on_with_the_next_release", async ({ page }) => {
  // The files that the tab was opened with are gone from the server, which names others by now.
  const dist = join(import.meta.dirname, "..", "dist", "assets");
  const entry = readdirSync(dist).find((name) => /^index-.*\.js$/.test(name)) ?? "";
  let released = false;
  await page.route("**/assets/FriendsArea-*.js", (route) => {
    return released ? route.continue() : route.abort();
  });
  await asDemo(page);
  await page.route(/\/(friends)?$/, async (route) => {
    const response = await route.fetch();
    released = true;
    const html = (await response.text()).replaceAll(`/assets/${entry}`, "/assets/index-next.js");
    return route.fulfill({ response, body: html });
  });
  // The new name leads to the same code: a second copy would be a second app in the page.
  await page.route("**/assets/index-next.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: `import "./${entry}";` }),
  );
  await goTo(page, "Friends");
  await expect(page.getByRole("tab", { name: "Find Friends" })).toBeVisible();
  await expect(page).toHaveURL(/\/friends/);
  const script = page.locator("script[type=module]");
  await expect(script).toHaveAttribute("src", "/assets/index-next.js");
  await goTo(page, "Home");
  await expectHome(page);
});
