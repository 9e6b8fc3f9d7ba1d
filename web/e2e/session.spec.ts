// The session and the live stream of a browser: over reloads, in two tabs, on a broken connection.
import type { BrowserContext, Page, Request } from "@playwright/test";
import { DESKTOP, expect, test } from "./test";
import { joined, twoFriends } from "./backstage";
import {
  codeFor,
  enterAtTheDoor,
  expectHome,
  expectLogin,
  fillSignUp,
  goTo,
  person,
  signIn,
  signInAtTheDoor,
  skipPhoneStep,
  typeCode,
  visit,
} from "./people";
import { baseURL } from "./calls";
import { openRelay } from "./relay";

const TOKENS = ["access_token", "id_token", "refresh_token"];
const isCall =
  (method: string) =>
  (request: Request): boolean =>
    request.url().endsWith(`/${method}`);
const isRefresh = isCall("GetTokensFromRefreshToken");
const isStream = isCall("WatchNotifications");

/** How many live streams a browser holds at this moment, in all its tabs. */
function countStreams(context: BrowserContext): () => number {
  const open = new Set<Request>();
  context.on("request", (request) => isStream(request) && open.add(request));
  context.on("requestfinished", (request) => open.delete(request));
  context.on("requestfailed", (request) => open.delete(request));
  context.on("page", (page) =>
    page.on("close", () => {
      for (const request of open) if (request.frame().page() === page) open.delete(request);
    }),
  );
  return () => open.size;
}

const stored = (page: Page): Promise<(string | null)[]> =>
  page.evaluate((keys) => keys.map((key) => localStorage.getItem(key)), TOKENS);

test.use(DESKTOP);

test("two_tabs_share_one_refresh_and_one_stream", async ({ page, context }) => {
  const { who, ben } = await twoFriends();
  const streams = countStreams(context);
  await signIn(page, who);
  const second = await context.newPage();
  await second.goto("/inbox");
  await expect.poll(streams).toBe(1);

  // A clock a day behind the server's makes every stored token expired. The app is closed now.
  const before = await stored(page);
  await Promise.all([page.goto("/config.json"), second.goto("/config.json")]);
  await page.evaluate(() => localStorage.setItem("goodturn.clock_drift_s", "-86400"));
  const refreshes: Request[] = [];
  context.on("request", (request) => isRefresh(request) && refreshes.push(request));
  await Promise.all([page.goto("/"), second.goto("/inbox")]);
  await expectHome(page);
  await expect(second.getByRole("heading", { level: 1, name: "Notifications" })).toBeVisible();
  await expect.poll(streams).toBe(1);
  expect(refreshes).toHaveLength(1);
  expect((await stored(page))[0]).not.toBe(before[0]);

  await ben.askFavor(who, "Water the basil");
  await expect(page.getByRole("heading", { name: "Needs your answer" })).toBeVisible();
  await expect(second.getByText(/Water the basil/)).toBeVisible();

  // The tab that is left takes the stream over.
  await second.close();
  await expect.poll(streams).toBe(1);
  await ben.askFavor(who, "Turn the compost");
  await expect(page.getByRole("link", { name: "Turn the compost", exact: true }).first()).toBeVisible();
});

test("a_cut_connection_loses_no_notification", async ({ openBrowser }) => {
  const { who, ben } = await twoFriends();
  const relay = await openRelay(baseURL());
  const page = await openBrowser({ baseURL: relay.url });
  const streams = countStreams(page.context());
  await signIn(page, who);
  await goTo(page, "Notifications");
  await expect.poll(streams).toBe(1);
  await ben.askFavor(who, "Before the cut");
  await expect(page.getByText(/Before the cut/)).toBeVisible();

  relay.cut();
  await expect.poll(streams).toBe(0);
  await ben.askFavor(who, "While it was cut");
  relay.mend();
  await expect(page.getByText(/While it was cut/).first()).toBeVisible();
  await ben.askFavor(who, "After the cut");
  await expect(page.getByText(/After the cut/).first()).toBeVisible();
  await page.context().close();
  await relay.close();
});

test("a_session_and_typed_words_survive_a_reload_and_leave_all_tabs_with_the_member", async ({ page, context }) => {
  const eve = await joined("Eve Lang");

  await test.step("tokens that cannot be parsed are removed", async () => {
    await page.goto("/");
    await expectLogin(page);
    await page.evaluate((keys) => {
      for (const key of keys) localStorage.setItem(key, "not.a.token");
    }, TOKENS);
    await page.reload();
    await expectLogin(page);
    expect(await stored(page)).toEqual([null, null, null]);
  });

  await test.step("a reload keeps the session and the words", async () => {
    await signInAtTheDoor(page, eve);
    await visit(page, "/favors?tab=create");
    await page.getByLabel("Title").fill("Mend the fence");
    await page.getByLabel("Description").fill("Two boards are loose.");
    await page.reload();
    await expect(page.getByLabel("Title")).toHaveValue("Mend the fence");
    await expect(page.getByLabel("Description")).toHaveValue("Two boards are loose.");
    expect(await stored(page)).not.toContain(null);
  });

  await test.step("a sign-out reaches the other tab", async () => {
    const second = await context.newPage();
    await second.goto("/friends");
    await expect(second.getByRole("heading", { name: "Friends", level: 1 })).toBeVisible();
    await visit(page, "/settings");
    await page.getByRole("button", { name: "Sign Out" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign Out" }).click();
    await expectLogin(page);
    await expectLogin(second);
    expect(await stored(second)).toEqual([null, null, null]);
    await second.close();
  });

  await test.step("the words have left with the member", async () => {
    await signInAtTheDoor(page, eve);
    await visit(page, "/favors?tab=create");
    await expect(page.getByLabel("Title")).toHaveValue("");
  });
});

test("a_sign_up_goes_on_after_a_reload_and_keeps_no_password", async ({ page }) => {
  const eve = person("Eve Lang");
  await fillSignUp(page, eve);
  await page.reload();
  await expect(page.getByLabel("Full name")).toHaveValue(eve.name);
  await expect(page.getByLabel("Email")).toHaveValue(eve.email);
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");
  await page.getByLabel("Password", { exact: true }).fill(eve.password);
  await page.getByLabel("Confirm password").fill(eve.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(eve.password);

  await page.reload();
  await typeCode(page, await codeFor(eve.email));
  // The password was not kept: the member types it once more.
  await expect(page.getByText("Your account is verified. Please sign in.")).toBeVisible();
  await enterAtTheDoor(page, eve);
  await skipPhoneStep(page);
});
