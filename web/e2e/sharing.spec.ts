// Share Stuff: an item is listed, found by a friend, closed for days, changed, and deleted.
import type { Locator, Page } from "@playwright/test";
import { DESKTOP, expect, PHONE } from "./test";
import { joined, twoFriends } from "./backstage";
import { look, test } from "./looks";
import { BLUE, painted, RED } from "./paint";
import { asDemo, expectHome, goTo, signIn, visit } from "./people";

const GREEN = [20, 140, 70] as const;
const file = (name: string, color: typeof RED) => ({
  name: `${name}.png`,
  mimeType: "image/png",
  buffer: painted(320, 240, color, color),
});

/** As a camera makes them: larger than what the server takes. */
const photo = (name: string, color: typeof RED) => {
  const { buffer, ...rest } = file(name, color);
  return { ...rest, buffer: Buffer.concat([buffer, Buffer.alloc(6_000_000)]) };
};

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
/** A day of the month that is shown. Days of the next one come after it. */
const day = (place: Page | Locator, number: number): Locator =>
  place.getByRole("button", { name: new RegExp(` ${number}, `) }).first();
/** The first day that can be had. */
const firstFree = (page: Page): Locator =>
  page.getByRole("table").getByRole("button", { disabled: false, pressed: false }).first();
const pictures = (page: Page) => page.getByRole("list", { name: "Pictures in order" }).getByRole("listitem");

async function choose(page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  const asked = page.waitForEvent("filechooser");
  await button(page, "Add pictures").click();
  await (await asked).setFiles(files);
}

const topOf = async (what: Locator): Promise<number> => Math.round((await what.boundingBox())?.y ?? NaN);

/** How many lines the name of a kind takes. */
const linesOf = (page: Page, kind: string): Promise<number> =>
  page.locator("label.pick", { hasText: kind }).evaluate((label) => {
    const range = document.createRange();
    range.selectNodeContents(label.lastChild ?? label);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });

async function oneLineAKind(page: Page): Promise<void> {
  for (const kind of ["Transportation", "Entertainment"])
    await expect.poll(() => linesOf(page, kind), { message: kind }).toBe(1);
}

async function atWidth(page: Page, width: number, seen: () => Promise<void>): Promise<void> {
  const size = page.viewportSize() ?? { width, height: 800 };
  await page.setViewportSize({ ...size, width });
  await seen();
  await page.setViewportSize(size);
}

/** The color in the middle of a picture, once it is drawn. */
async function colorOf(image: Locator): Promise<number[]> {
  await expect.poll(() => image.evaluate((e: HTMLImageElement) => e.complete && e.naturalWidth > 0)).toBe(true);
  return image.evaluate((e: HTMLImageElement) => {
    const canvas = document.createElement("canvas");
    canvas.width = e.naturalWidth;
    canvas.height = e.naturalHeight;
    const brush = canvas.getContext("2d");
    brush?.drawImage(e, 0, 0);
    return [...(brush?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data ?? [])].slice(0, 3);
  });
}

const isNear = (color: readonly number[], wanted: readonly number[]): boolean =>
  color.every((value, i) => Math.abs(value - (wanted[i] ?? 0)) < 40);

const answer = (page: Page, title: string, yes: string): Promise<void> =>
  page.getByRole("dialog", { name: title }).getByRole("button", { name: yes }).click();

/** A new item is typed, loaded anew and discarded. */
async function discardItem(page: Page): Promise<void> {
  await page.getByLabel("Title").fill("Four-person tent");
  await page.getByLabel("City").fill("Porto");
  await choose(page, file("red", RED));
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue("Four-person tent");
  await expect(page.getByText("please add your pictures again.")).toBeVisible();
  await button(page, "Cancel").click();
  await answer(page, "Discard Changes?", "Keep Editing");
  await expect(page.getByLabel("City")).toHaveValue("Porto");
  await button(page, "Cancel").click();
  await answer(page, "Discard Changes?", "Discard");
  await expect(page.getByRole("tab", { name: "Browse" })).toHaveAttribute("aria-selected", "true");
  await visit(page, "/share?tab=create");
  await expect(page.getByLabel("Title")).toHaveValue("");
}

test.describe("the owner on a desktop", () => {
  test.use(DESKTOP);

  test("an_item_is_listed_found_by_a_friend_on_a_phone_changed_and_deleted", async ({ page, openBrowser }, info) => {
    const { who, own, other } = await twoFriends();
    await signIn(page, who);
    await goTo(page, "Share Stuff");
    await page.getByRole("tab", { name: "My Listings" }).click();
    await page.getByRole("link", { name: "List Your First Item" }).click();
    await expect(page.getByRole("heading", { name: "Share Item with Friends" })).toBeVisible();

    await test.step("typed words outlast a reload and are discarded after a question", () => discardItem(page));

    await button(page, "List for Friends").click();
    await expect(page.getByText("Validation Error")).toBeVisible();
    await expect(page.getByLabel("Title")).toBeFocused();
    await look(page, info, "item-form-wrong");
    await page.getByLabel("Title").fill("Hammer drill");
    await page.getByLabel("Description").fill("With masonry bits.");
    await page.getByText("Tools & Equipment").click();
    await page.getByLabel("Price per day").fill("4");
    await page.getByLabel("Deposit").fill("20");
    await page.getByLabel("Maximum rental period (days)").fill("7");
    await choose(page, { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") });
    await expect(page.getByText("Invalid File Format")).toBeVisible();
    await choose(page, file("red", RED), photo("blue", BLUE), file("green", GREEN));
    await expect(pictures(page)).toHaveCount(3);
    await oneLineAKind(page);
    await atWidth(page, 320, () => oneLineAKind(page));
    await button(page, "Move picture 3 earlier").click();
    await button(page, "Move picture 2 earlier").click();
    expect(isNear(await colorOf(pictures(page).first().locator("img")), GREEN)).toBe(true);
    await look(page, info, "item-form");
    expect(await topOf(page.getByLabel("Price per day"))).toBe(await topOf(page.getByLabel("Deposit")));
    await button(page, "List for Friends").click();
    await expect(page.getByText("Item listed. Your friends can find it now.")).toBeVisible();
    await expect(page.getByRole("tab", { name: "My Listings" })).toHaveAttribute("aria-selected", "true");
    await expect(page.getByRole("radio", { name: "Listed (1)", exact: true })).toBeAttached();
    const [item] = (await own.items.listMyItems({})).items;
    const id = item?.itemId ?? "";
    expect([item?.images.length, item?.pricePerDay, item?.deposit, item?.maxDays]).toEqual([3, 4, 20, 7]);

    // A friend finds it, also with a typo, but not in another category.
    const ben = await openBrowser(PHONE);
    await signIn(ben, other);
    await goTo(ben, "Share Stuff");
    const found = ben.getByRole("list", { name: "Your friends' items" }).getByRole("article");
    await expect(found).toHaveCount(1);
    await expect(ben.getByText("Friends only\u00a0· 1 item")).toBeVisible();
    await ben.getByRole("searchbox", { name: "Search items" }).fill("hamer dril");
    await expect(found.getByRole("link", { name: "Hammer drill", exact: true })).toBeVisible();
    await button(ben, "Electronics").click();
    await expect(ben.getByRole("heading", { name: "No items found" })).toBeVisible();
    await button(ben, "Clear search").click();
    await found.getByRole("link", { name: "Hammer drill", exact: true }).click();
    await expect(ben.getByRole("heading", { name: "Hammer drill" })).toBeVisible();
    expect(isNear(await colorOf(ben.locator(".carousel img").first()), GREEN)).toBe(true);
    await expect(ben.getByText("1 / 3")).toBeVisible();
    // The second press comes before the first turn is over.
    await button(ben, "Next picture").dblclick();
    await expect(ben.getByText("3 / 3")).toBeVisible();
    await button(ben, "Previous picture").click();
    await expect(ben.getByText("2 / 3")).toBeVisible();
    await expect(button(ben, "Select Dates")).toBeEnabled();

    // Nobody can choose days in which it is not lent.
    await page.getByRole("link", { name: "Hammer drill", exact: true }).click();
    await button(page, "Choose days").click();
    const sheet = page.getByRole("dialog", { name: "When is it unavailable?" });
    await sheet.getByRole("button", { name: "Next month" }).click();
    await day(sheet, 10).click();
    await day(sheet, 12).click();
    await sheet.getByRole("button", { name: "Mark unavailable" }).click();
    await expect(page.getByText("Unavailable days saved")).toBeVisible();
    await expect(page.getByRole("list", { name: "Unavailable days" }).getByRole("listitem")).toHaveCount(1);
    await look(page, info, "item-manage");
    // A desktop has room for two of them beside each other.
    const [requests, details] = ["Active requests", "Details"].map((name) => page.getByRole("region", { name }));
    expect((await details?.boundingBox())?.x).toBeGreaterThan((await requests?.boundingBox())?.x ?? NaN);
    await ben.reload();
    await ben.getByRole("button", { name: "Next month" }).click();
    await expect(ben.getByRole("button", { name: / 11, .*unavailable/ })).toBeDisabled();
    await day(ben, 14).click();
    await day(ben, 16).click();
    await expect(button(ben, "Request to Borrow")).toBeVisible();
    await look(ben, info, "item");

    // Changed: its words when they are saved, its pictures at once.
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByLabel("Title").fill("Hammer drill with bits");
    await button(page, "Remove picture 3").click();
    await answer(page, "Remove Picture", "Remove");
    await expect(pictures(page)).toHaveCount(2);
    await pictures(page).nth(1).dragTo(pictures(page).nth(0));
    await expect.poll(async () => isNear(await colorOf(pictures(page).first().locator("img")), RED)).toBe(true);
    await button(page, "Save Changes").click();
    await expect(page.getByText("Item updated successfully")).toBeVisible();
    await ben.reload();
    await expect(ben.getByRole("heading", { name: "Hammer drill with bits" })).toBeVisible();

    await button(page, "Unlist").click();
    await answer(page, "Unpublish Item", "Unpublish");
    await expect(page.getByText("Item unlisted")).toBeVisible();
    await ben.reload();
    await expect(ben.getByText("This item is not yet available for borrowing")).toBeVisible();
    await expect(ben.getByRole("heading", { name: "When do you need it?" })).toBeHidden();
    await button(ben, "Back").click();
    await expect(ben.getByRole("link", { name: "List Your First Item" })).toBeVisible();

    await button(page, "Delete Item").click();
    await answer(page, "Delete Item", "Delete");
    await expect(page.getByText("Item deleted")).toBeVisible();
    await ben.goto(`/share/items/${id}`);
    await expect(ben.getByRole("heading", { name: "Unable to Load Item" })).toBeVisible();
  });
});

test("a_stranger_sees_neither_item_nor_calendar", async ({ page }, info) => {
  const { own } = await twoFriends();
  const forFriends = await own.lend("Party tent");
  await signIn(page, await joined("Zoe Arndt"));
  await goTo(page, "Share Stuff");
  await expect(page.getByRole("link", { name: "List Your First Item" })).toBeVisible();
  await visit(page, `/share/items/${forFriends}`);
  await expect(page.getByRole("heading", { name: "Unable to Load Item" })).toBeVisible();
  await expect(
    page.getByText("This item is only available to friends. Send a friend request to the owner to access their items."),
  ).toBeVisible();
  await expect(page.getByText("Party tent")).toHaveCount(0);
  await expect(page.getByText("When do you need it?")).toHaveCount(0);
  await look(page, info, "item-friends-only");
  await button(page, "Go Back").click();
  await expect(page.getByRole("heading", { name: "Share Stuff" })).toBeVisible();
  await visit(page, `/share/items/${forFriends}/borrow`);
  await expect(button(page, "Go Back")).toBeVisible();
  expect(await topOf(page.getByRole("link", { name: "Find Friends" }))).toBe(await topOf(button(page, "Go Back")));
});

test("back_leads_through_the_screens_under_a_tab_to_that_tab", async ({ page }) => {
  await asDemo(page);
  await goTo(page, "Share Stuff");
  await page.getByRole("link", { name: "Stand mixer", exact: true }).click();
  await firstFree(page).click();
  await page.getByRole("table").getByRole("button", { pressed: true }).click();
  await button(page, "Request to Borrow").click();
  await expect(page.getByRole("heading", { level: 1, name: "Borrow Request" })).toBeVisible();
  await button(page, "Back").click();
  await expect(page.getByRole("heading", { level: 1, name: "Item Details" })).toBeVisible();
  await button(page, "Back").click();
  await expect(page.getByRole("tab", { name: "Browse" })).toHaveAttribute("aria-selected", "true");

  await page.getByRole("tab", { name: "My Listings" }).click();
  await page.getByRole("link", { name: "Extension ladder", exact: true }).click();
  await page.getByRole("link", { name: "See the item" }).click();
  await expect(page.getByText("This is your item")).toBeVisible();
  await button(page, "Back").click();
  await expect(page.getByRole("heading", { level: 1, name: "Manage Item" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("tab", { name: "My Listings" })).toHaveAttribute("aria-selected", "true");
  // The tabs themselves have left no trace.
  await page.goBack();
  await expectHome(page);
});
