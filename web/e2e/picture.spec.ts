// A profile picture: refused, cropped, saved, seen by friends, removed, and kept when unsent.
import type { Locator, Page } from "@playwright/test";
import { DESKTOP, expect, test as loud } from "./test";
import { as, joined, twoFriends } from "./backstage";
import { expectRoom } from "./layoutFaults";
import { look, picture as screenshot, settled, test } from "./looks";
import { BLUE, painted, RED } from "./paint";
import { signIn, visit } from "./people";

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
    .getByRole("button", { name: /^(Choose a|Change) picture$/ })
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

/** The size of a picture once it is drawn, and its colors on the left and the right. */
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

/** What a PNG has behind its end is not drawn. */
const LARGE = { ...PHOTO, name: "camera.png", buffer: Buffer.concat([PHOTO.buffer, Buffer.alloc(9_600_000)]) };

/** It begins as a PNG does. */
const TORN = Buffer.concat([PHOTO.buffer.subarray(0, 8), Buffer.alloc(40)]);

/** Each is refused with what is said of it; the last two only say that they are pictures. */
const WRONG = [
  ["We can't use me.gif.", { name: "me.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") }],
  ["none.jpg is an empty file.", { name: "none.jpg", mimeType: "image/jpeg", buffer: Buffer.alloc(0) }],
  ["We can't use text.jpg.", { name: "text.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture at all") }],
  ["We couldn't read torn.png.", { name: "torn.png", mimeType: "image/png", buffer: TORN }],
] as const;

/** The picture is cropped to its left half, which is red, by the keys. */
async function cropByKeys(page: Page): Promise<void> {
  await sheet(page).getByRole("slider", { name: "Zoom" }).fill("2");
  await sheet(page)
    .getByRole("group", { name: /arrow keys/ })
    .focus();
  for (let i = 0; i < 60; i += 1) await page.keyboard.press("ArrowRight");
  await button(page, "Use this picture").click();
}

/** Holds back the upload of the picture. @returns what lets it go on. */
async function holdUpload(page: Page): Promise<() => Promise<void>> {
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/./, async (route) => {
    if (route.request().method() === "PUT") await held;
    // An upload that was stopped does not go on.
    await route.continue().catch(() => undefined);
  });
  return async () => {
    release?.();
    await page.unroute(/./);
  };
}

/** The address of the picture has ended: its list is asked for once more, and shows initials. */
async function seeEndedAddress(other: Page, url: string): Promise<void> {
  const path = new URL(url, other.url()).pathname;
  let lists = 0;
  await other.route("**/*FriendsService/GetActive", (route) => {
    lists += 1;
    return route.continue();
  });
  await other.route(`**${path}*`, (route) => route.fulfill({ status: 403 }));
  // The start of the stream asks again for old answers as well: here it never starts.
  await other.route("**/*NotificationsService/WatchNotifications", () => undefined);
  await other.goto("/friends/mine");
  await expect(other.getByRole("heading", { name: "Eve Lang" })).toBeVisible();
  await expect(other.getByRole("main").locator(".face").first()).toContainText("EL");
  await expect.poll(() => lists).toBe(2);
  await other.unrouteAll({ behavior: "ignoreErrors" });
}

test("a_picture_is_cropped_saved_seen_by_a_friend_and_removed", async ({ page, openBrowser }, info) => {
  const { who: eve, own, other: ben } = await twoFriends();
  await own.askFavor(ben, "Hold the ladder");
  await signIn(page, eve);
  await openProfile(page);
  await expect(page.getByRole("button", { name: "Take a picture with the camera" })).toBeVisible();

  await test.step("other files are refused", async () => {
    for (const [text, file] of WRONG) {
      await choose(page, file);
      await expect(page.getByRole("alert").getByText("Invalid File Format")).toBeVisible();
      await expect(page.getByRole("alert").getByText(text)).toBeVisible();
      await expect(sheet(page)).toBeHidden();
      await expect(save(page)).toBeDisabled();
    }
    await look(page, info, "picture-wrong");
  });

  await test.step("a large picture is cropped and waits for the save, over a reload", async () => {
    await choose(page, LARGE);
    await expect(sheet(page).getByRole("group", { name: /arrow keys/ })).toBeVisible();
    await expectRoom(page, info, "picture-crop-room");
    await cropByKeys(page);
    await expect(card(page).getByText("Not saved yet")).toBeVisible();
    await expect(page.getByRole("alert").getByText("Invalid File Format")).toBeHidden();
    const pending = await drawn(picture(card(page)));
    expect(pending.side).toBe(600);
    expect([isNear(pending.left, RED), isNear(pending.right, RED)]).toEqual([true, true]);
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await page.reload();
    await expect(card(page).getByText("Not saved yet")).toBeVisible();
  });

  await test.step("its upload is shown and can be stopped", async () => {
    const goOn = await holdUpload(page);
    await save(page).click();
    await expect(page.getByRole("progressbar", { name: "Uploading your picture..." })).toBeVisible();
    await screenshot(page, info, "picture-sending");
    await button(page, "Stop").click();
    await expect(page.getByText(/wasn't uploaded\. We'll keep it/)).toBeVisible();
    await goOn();
  });

  await test.step("it is saved", async () => {
    await save(page).click();
    await expect(page.getByText("Profile updated successfully!")).toBeVisible();
    const saved = await drawn(picture(card(page)));
    expect(saved.side).toBe(256);
    expect(isNear(saved.left, RED) && isNear(saved.right, RED)).toBe(true);
    await button(page, "Close").first().click();
    await drawn(picture(page.getByRole("link", { name: /Eve Lang/ }).first()));
  });

  const other = await openBrowser(DESKTOP);
  await test.step("a friend sees it on every screen", async () => {
    await signIn(other, ben);
    await drawn(picture(other.getByRole("main")).first());
    for (const [path, place] of [
      ["/friends/mine", other.getByRole("main")],
      ["/favors?view=asked", other.getByRole("article").first()],
      ["/inbox", other.getByRole("main")],
    ] as const) {
      await visit(other, path);
      await drawn(picture(place).first());
    }
  });

  await test.step("an address that has ended is asked for once more", async () => {
    const { profile } = await own.profile.getProfile({});
    await seeEndedAddress(other, profile?.details?.profilePictureUrl ?? "");
  });

  await test.step("removed, it is gone for both", async () => {
    await openProfile(page);
    await button(page, "Remove").click();
    await expect(card(page).getByText("Removed when you save")).toBeVisible();
    await expect(picture(card(page))).toHaveCount(0);
    await look(page, info, "picture-removal");
    await save(page).click();
    await expect(page.getByText("Profile updated successfully!")).toBeVisible();
    await page.reload();
    await expect(card(page).getByRole("button", { name: "Choose a picture" })).toBeVisible();
    await other.reload();
    await expect(other.getByRole("heading", { name: "Eve Lang" })).toBeVisible();
    await settled(other);
    await expect(picture(other.getByRole("main"))).toHaveCount(0);
  });
});

loud.describe("on a desktop", () => {
  loud.use(DESKTOP);

  loud("a_picture_is_moved_by_mouse_and_wheel_and_sent_again_when_the_network_was_lost", async ({ page, context }) => {
    const eve = await joined("Eve Lang");
    await signIn(page, eve);
    await openProfile(page);
    // A desktop has no camera that one would hold up.
    await expect(page.getByRole("button", { name: "Take a picture with the camera" })).toBeHidden();
    await choose(page, PHOTO);
    const area = sheet(page).getByRole("group", { name: /arrow keys/ });
    await expect(area).toBeVisible();
    // The sheet may still be moving to its place.
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
    await button(page, "Undo").click();
    await expect(save(page)).toBeDisabled();

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
});
