// One's picture: chosen, cropped and saved, seen by friends, refused, removed, and kept whatever happens meanwhile.
import { type Browser, expect, type Locator, type Page, test as loud } from "@playwright/test";
import { as, joined } from "./backstage";
import { expectRoom } from "./eyes";
import { look, picture as screenshot, settled, test } from "./looks";
import { BLUE, painted, RED } from "./paint";
import { isPhone, type Person, signIn } from "./people";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const save = (page: Page) => button(page, "Save Changes");
const card = (page: Page) => page.getByRole("region", { name: "Profile picture" });
const sheet = (page: Page) => page.getByRole("dialog", { name: "Crop your picture" });
const picture = (place: Locator) => place.locator(".face img");

const PHOTO = { name: "me.png", mimeType: "image/png", buffer: painted(1600, 1200, RED, BLUE) };

async function openProfile(page: Page): Promise<void> {
  await page.goto("/profile");
  await expect(page.getByLabel("First name")).not.toHaveValue("");
}

/** As the member does: by the button, and the browser's own window of files. */
async function choose(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  const asked = page.waitForEvent("filechooser");
  await card(page)
    .getByRole("button", { name: /^(Choose a|Change) photo$/ })
    .click();
  await (await asked).setFiles(file);
}

async function crop(page: Page): Promise<void> {
  await choose(page, PHOTO);
  await expect(sheet(page).getByRole("group", { name: /arrow keys/ })).toBeVisible();
  await button(page, "Use this picture").click();
  await expect(sheet(page)).toBeHidden();
  await expect(card(page).getByText("Not saved yet")).toBeVisible();
}

/** Whether a picture is there, drawn: with its size, and the color in its middle on the left and the right. */
async function drawn(image: Locator): Promise<{ side: number; left: number[]; right: number[] }> {
  await expect.poll(() => image.evaluate((e: HTMLImageElement) => e.complete && e.naturalWidth > 0)).toBe(true);
  return image.evaluate((e: HTMLImageElement) => {
    const canvas = document.createElement("canvas");
    canvas.width = e.naturalWidth;
    canvas.height = e.naturalHeight;
    const brush = canvas.getContext("2d");
    brush?.drawImage(e, 0, 0);
    const colorAt = (part: number): number[] =>
      [...(brush?.getImageData(canvas.width * part, canvas.height / 2, 1, 1).data ?? [])].slice(0, 3);
    return { side: canvas.width === canvas.height ? canvas.width : 0, left: colorAt(0.1), right: colorAt(0.9) };
  });
}

const isNear = (color: number[], wanted: readonly number[]): boolean =>
  color.every((value, i) => Math.abs(value - (wanted[i] ?? 0)) < 40);

/** Two friends, of whom one is asked for a favor by the other. */
async function friends(): Promise<{ eve: Person; ben: Person }> {
  const [eve, ben] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  const own = await as(eve);
  await own.askToBeFriends(ben);
  await (await as(ben)).acceptFriends();
  await own.askFavor(ben, "Hold the ladder");
  return { eve, ben };
}

async function elsewhere(browser: Browser, page: Page, who: Person): Promise<Page> {
  const other = await (await browser.newContext({ viewport: page.viewportSize() })).newPage();
  await signIn(other, who);
  return other;
}

test("a_picture_is_cropped_and_saved_and_a_friend_sees_it", async ({ page, browser }, info) => {
  const { eve, ben } = await friends();
  await signIn(page, eve);
  await openProfile(page);
  // A desk has no camera that one would hold up.
  await expect(page.getByRole("button", { name: "Take a photo with the camera" })).toBeVisible({
    visible: isPhone(page),
  });
  await look(page, info, "picture-none");
  await choose(page, PHOTO);
  const area = sheet(page).getByRole("group", { name: /arrow keys/ });
  await expect(area).toBeVisible();
  await expectRoom(page, info, "picture-crop-room");
  await look(page, info, "picture-crop");
  // By the keys to the left half of it, which is red.
  await sheet(page).getByRole("slider", { name: "Zoom" }).fill("2");
  await area.focus();
  for (let i = 0; i < 60; i += 1) await page.keyboard.press("ArrowRight");
  await button(page, "Use this picture").click();
  await expect(card(page).getByText("Not saved yet")).toBeVisible();
  const pending = await drawn(picture(card(page)));
  expect(pending.side).toBe(600);
  expect([isNear(pending.left, RED), isNear(pending.right, RED)]).toEqual([true, true]);
  await look(page, info, "picture-pending");

  // Whoever comes back to the page finds it.
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.reload();
  await expect(card(page).getByText("Not saved yet")).toBeVisible();
  await save(page).click();
  await expect(page.getByText("Profile updated successfully!")).toBeVisible();
  const saved = await drawn(picture(card(page)));
  expect(saved.side).toBe(256);
  expect(isNear(saved.left, pending.left) && isNear(saved.right, pending.right)).toBe(true);
  await look(page, info, "picture-saved");
  await button(page, "Close").first().click();
  await drawn(picture(page.getByRole("link", { name: /Eve Lang/ }).first()));
  await look(page, info, "picture-settings");

  const other = await elsewhere(browser, page, ben);
  await drawn(picture(other.getByRole("main")).first());
  await look(other, info, "picture-home-friend");
  await other.goto("/friends/mine");
  await drawn(picture(other.getByRole("main")).first());
  await look(other, info, "picture-friends");
  await other.goto("/favors?view=asked");
  await drawn(picture(other.getByRole("article").first()));
  await look(other, info, "picture-favor");
  await other.goto("/inbox");
  await drawn(picture(other.getByRole("main")).first());
  await look(other, info, "picture-inbox");

  // Removed, it is gone for both.
  await openProfile(page);
  await button(page, "Remove").click();
  await expect(card(page).getByText("Removed when you save")).toBeVisible();
  await expect(picture(card(page))).toHaveCount(0);
  await look(page, info, "picture-removal");
  await save(page).click();
  await expect(page.getByText("Profile updated successfully!")).toBeVisible();
  await page.reload();
  await expect(card(page).getByRole("button", { name: "Choose a photo" })).toBeVisible();
  await other.goto("/friends/mine");
  await expect(other.getByRole("heading", { name: "Eve Lang" })).toBeVisible();
  await settled(other);
  await expect(picture(other.getByRole("main"))).toHaveCount(0);
  await other.context().close();
});

test("what_is_no_picture_or_too_large_is_refused", async ({ page }, info) => {
  await signIn(page, await joined("Eve Lang"));
  await openProfile(page);
  const files = [
    ["Invalid File Format", { name: "me.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") }],
    ["File Too Large", { name: "me.png", mimeType: "image/png", buffer: Buffer.alloc(5_242_881) }],
    // It says that it is one.
    ["Invalid File Format", { name: "me.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture at all") }],
  ] as const;
  for (const [title, file] of files) {
    await choose(page, file);
    await expect(page.getByRole("alert").getByText(title)).toBeVisible();
    await expect(sheet(page)).toBeHidden();
    await expect(save(page)).toBeDisabled();
  }
  await look(page, info, "picture-wrong");
  await crop(page);
  await expect(page.getByRole("alert").getByText("Invalid File Format")).toBeHidden();
});

loud("a_picture_is_moved_by_mouse_and_wheel", async ({ page }) => {
  loud.skip(isPhone(page), "a phone has no mouse");
  await signIn(page, await joined("Eve Lang"));
  await openProfile(page);
  await choose(page, PHOTO);
  const area = sheet(page).getByRole("group", { name: /arrow keys/ });
  await expect(area).toBeVisible();
  // The sheet may still be on its way to its place.
  let [x, y] = [0, 0];
  const zoomed = async (): Promise<string> => {
    const box = (await area.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -600);
    return sheet(page).getByRole("slider").inputValue();
  };
  await expect.poll(zoomed).not.toBe("1");
  await page.mouse.down();
  await page.mouse.move(x + 2000, y, { steps: 8 });
  await page.mouse.up();
  await button(page, "Use this picture").click();
  const { left, right } = await drawn(picture(card(page)));
  expect([isNear(left, RED), isNear(right, RED)]).toEqual([true, true]);
});

loud("what_does_not_arrive_is_kept_and_sent_again", async ({ page, context }) => {
  const eve = await joined("Eve Lang");
  await signIn(page, eve);
  await openProfile(page);
  await crop(page);
  await page.getByLabel("Last name").fill("Langley");
  // The network goes while the picture is on its way.
  await page.route(/./, async (route) => {
    if (route.request().method() !== "PUT") return route.continue();
    await context.setOffline(true);
    return route.abort("internetdisconnected");
  });
  await save(page).click();
  const failed = page.getByRole("alert").filter({ hasText: "Upload Error" });
  await expect(failed).toContainText("Your other changes are saved.");
  await expect(card(page).getByText("Not saved yet")).toBeVisible();
  await page.unroute(/./);
  await context.setOffline(false);
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Profile updated successfully!")).toBeVisible();
  const { profile } = await (await as(eve)).profile.getProfile({});
  expect(profile?.details?.lastName).toBe("Langley");
  expect(profile?.details?.profilePictureUrl).not.toBe("");
});

test("sending_is_shown_and_can_be_stopped", async ({ page }, info) => {
  await signIn(page, await joined("Eve Lang"));
  await openProfile(page);
  await crop(page);
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/./, async (route) => {
    if (route.request().method() === "PUT") await held;
    // Who has stopped it does not wait for it.
    await route.continue().catch(() => undefined);
  });
  await save(page).click();
  await expect(page.getByRole("progressbar", { name: "Sending your picture..." })).toBeVisible();
  await screenshot(page, info, "picture-sending");
  await button(page, "Stop").click();
  await expect(page.getByText(/was not sent\. It is kept/)).toBeVisible();
  release?.();
  await page.unroute(/./);
  await button(page, "Undo").click();
  await expect(save(page)).toBeDisabled();
});

loud("an_address_that_has_ended_is_asked_anew_once", async ({ page }) => {
  const { eve, ben } = await friends();
  const own = await as(eve);
  await signIn(page, eve);
  await openProfile(page);
  await crop(page);
  await save(page).click();
  await expect(page.getByText("Profile updated successfully!")).toBeVisible();
  const url = (await own.profile.getProfile({})).profile?.details?.profilePictureUrl ?? "";
  const path = new URL(url, page.url()).pathname;
  await signIn(page, ben);
  let lists = 0;
  await page.route("**/*FriendsService/GetActive", (route) => {
    lists += 1;
    return route.continue();
  });
  await page.route(`**${path}*`, (route) => route.fulfill({ status: 403 }));
  // The beginning of the stream asks again too what is old by then: here it never begins.
  await page.route("**/*NotificationsService/WatchNotifications", () => undefined);
  await page.goto("/friends/mine");
  await expect(page.getByRole("heading", { name: "Eve Lang" })).toBeVisible();
  await expect(page.getByRole("main").locator(".face").first()).toContainText("EL");
  await expect.poll(() => lists).toBe(2);
  await page.waitForTimeout(1500);
  expect(lists).toBe(2);
});

loud("the_profile_is_there_without_a_connection_and_gone_with_the_sign_out", async ({ page, context }) => {
  const eve = await joined("Eve Lang");
  await signIn(page, eve);
  await openProfile(page);
  const keys = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("goodturn.cache.")).length);
  await expect.poll(keys).toBe(1);
  await page.route("**/*ProfileService/GetProfile", (route) => route.abort());
  await page.reload();
  await expect(page.getByLabel("First name")).toHaveValue("Eve");
  await page.unroute("**/*ProfileService/GetProfile");
  // Another tab leaves while there is no connection.
  const other = await context.newPage();
  await other.goto("/settings");
  await expect(button(other, "Sign Out")).toBeVisible();
  await context.setOffline(true);
  await button(other, "Sign Out").click();
  await other.getByRole("dialog").getByRole("button", { name: "Sign Out" }).click();
  await expect.poll(keys).toBe(0);
});

loud("the_server_learns_the_zone_of_the_browser", async ({ page }) => {
  const eve = await joined("Eve Lang");
  const { profile } = await as(eve);
  expect((await profile.getProfile({})).profile?.details?.timeZone).toBe("UTC");
  await signIn(page, eve);
  await expect.poll(async () => (await profile.getProfile({})).profile?.details?.timeZone).toBe("America/New_York");
});
