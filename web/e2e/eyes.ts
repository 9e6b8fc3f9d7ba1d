// What eyes and fingers need of a screen: room for its texts, targets that a finger hits, nothing at an edge that is round or cut out.
import { type Browser, expect, type Page, type TestInfo } from "@playwright/test";
import { expectNoSidewaysScroll, picture, settled } from "./looks";
import { BLUE, painted, RED } from "./paint";
import { visit } from "./people";

export type Insets = { top: number; right: number; bottom: number; left: number };
export const NO_INSETS: Insets = { top: 0, right: 0, bottom: 0, left: 0 };

type Needs = { insets: Insets; isLow: boolean };

/** In the page: what is wrong with it. */
function faultsOf({ insets, isLow }: Needs): string[] {
  const found: string[] = [];
  const [width, height] = [document.documentElement.clientWidth, window.innerHeight];
  const finger = 2.75 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const nameOf = (e: Element): string =>
    `${e.tagName.toLowerCase()}.${e.getAttribute("class") ?? ""} ${(e.textContent ?? "").trim().slice(0, 30)}`;
  const isShown = (e: Element): boolean =>
    e.checkVisibility({ visibilityProperty: true }) &&
    e.closest(".sronly, .skip, .lb, [aria-hidden=true], svg, .mantine-Select-dropdown") === null;
  const inside = document.querySelector("dialog[open], [role=dialog]") ?? document.body;

  function isCut(box: DOMRect, from: Element): boolean {
    // A row of choices that a finger moves sideways shows each of them in its turn.
    if (from.closest(".slides") !== null) return false;
    for (let e: Element | null = from; e !== null && e !== document.body; e = e.parentElement) {
      const { overflowX } = getComputedStyle(e);
      const edge = e.getBoundingClientRect();
      if (overflowX !== "visible" && (box.left < edge.left - 1 || box.right > edge.right + 1)) return true;
    }
    return box.left < insets.left - 1 || box.right > width - insets.right + 1;
  }

  /** A short word of which a part stands in the next line. An address may be broken. */
  function brokenIn(node: Node): string | undefined {
    const range = document.createRange();
    return [...(node.nodeValue ?? "").matchAll(/(?<!\S)[\p{L}.,!?]{2,12}(?!\S)/gu)].find(({ 0: word, index }) => {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
    })?.[0];
  }

  /** A dot between two things that begins a line. */
  function isDotFirst(node: Node): boolean {
    const text = node.nodeValue ?? "";
    const range = document.createRange();
    const topOf = (at: number): number => {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().top;
    };
    const before = (at: number): number => text.slice(0, at).trimEnd().length - 1;
    return [...text.matchAll(/·/g)].some(({ index }) => before(index) >= 0 && topOf(index) > topOf(before(index)) + 4);
  }

  const texts = document.createTreeWalker(inside, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const parent = node.parentElement;
    if (parent === null || node.nodeValue?.trim() === "" || !isShown(parent)) continue;
    if (parent.closest("script, style, noscript, select, .face") !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    if ([...range.getClientRects()].some((box) => isCut(box, parent))) found.push(`cut: ${nameOf(parent)}`);
    if (isDotFirst(node)) found.push(`a dot begins a line: ${nameOf(parent)}`);
    const broken = brokenIn(node);
    if (broken !== undefined) found.push(`broken: ${broken} in ${nameOf(parent)}`);
  }

  // A card is hit as a whole, a box with its label, and a field beside its own. The seven days of a week, and the five tabs, share the width that
  // there is.
  const targets = "a[href]:not(.cover), button, input:not([type=checkbox], [type=radio]), textarea, select, label";
  for (const e of inside.querySelectorAll(targets)) {
    const box = e.getBoundingClientRect();
    if (!isShown(e) || box.width === 0 || e.matches(".mantine-InputWrapper-label, .mantine-Checkbox-label, .in label"))
      continue;
    const isWide = e.matches(".mantine-DatePicker-day, .tabbar a") || box.width > finger - 0.6;
    if (!isWide || box.height < finger - 0.6)
      found.push(`small: ${Math.round(box.width)}×${Math.round(box.height)} ${nameOf(e)}`);
  }

  for (const e of document.querySelectorAll(".dock, .tabbar, .stick, .foot, .top, .saybar, .offline")) {
    const box = e.getBoundingClientRect();
    if (!isShown(e) || box.height === 0 || !/fixed|sticky/.test(getComputedStyle(e).position)) continue;
    if (isLow && box.height > height / 5) found.push(`high: ${Math.round(box.height)} of ${height} ${nameOf(e)}`);
    for (const child of e.querySelectorAll("a, button")) {
      const at = child.getBoundingClientRect();
      if (isShown(child) && (at.bottom > height - insets.bottom + 1 || at.top < insets.top - 1))
        found.push(`at the edge: ${nameOf(child)}`);
    }
  }
  return [...new Set(found)];
}

/** Takes a picture of a screen and finds nothing wrong with it. */
export async function expectRoom(page: Page, info: TestInfo, name: string, needs: Partial<Needs> = {}): Promise<void> {
  await settled(page);
  await picture(page, info, name);
  await expectNoSidewaysScroll(page, name);
  const faults = await page.evaluate(faultsOf, { insets: NO_INSETS, isLow: false, ...needs });
  expect.soft(faults, name).toEqual([]);
}

type Look = (name: string) => Promise<void>;

/** Shows the screens and sheets of the demo member one after another. */
export async function eachScreen(page: Page, look: Look): Promise<void> {
  const screens = [
    ["home", "/", "list", "Recent Favors"],
    ["requests", "/friends/requests", "button", "Accept Lena Novak"],
    ["mine", "/friends/mine", "heading", "Ben Carter"],
    ["find", "/friends/find", "button", "Search"],
    ["groups", "/friends/groups", "button", "Edit Our street"],
    ["favors", "/favors", "button", /^Clone/],
    ["completed", "/favors?tab=completed", "button", /^Clone/],
    ["browse", "/favors?tab=browse", "button", /^All$/],
    ["inbox", "/inbox", "button", /Lena Novak/],
    ["security", "/settings/security", "button", /^Authenticator app/],
    ["profile", "/profile", "button", "Save Changes"],
    ["data", "/settings/data", "button", "Delete account"],
    ["blocked", "/settings/blocked", "link", "My Friends"],
    ["notification-settings", "/settings/notifications", "heading", "Muted members"],
    ["settings", "/settings", "button", "Sign Out"],
  ] as const;
  for (const [name, path, role, text] of screens) {
    await visit(page, path);
    await expect(page.getByRole(role, { name: text }).first()).toBeVisible();
    await look(name);
  }
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await look("question");
  await aFriend(page, look);
  await eachOfSettings(page, look);
  await eachOfThePicture(page, look);
  await eachOfSecurity(page, look);
  await eachOfAFavor(page, look);
  await eachOfTheForm(page, look);
  await eachOfTheItems(page, look);
  await eachOfTheRentals(page, look);
}

/** What friends lend and what one lends oneself, an item in full, its management, and its form. */
async function eachOfTheItems(page: Page, look: Look): Promise<void> {
  await visit(page, "/share");
  const things = page.getByRole("list", { name: "Items of your friends" }).getByRole("article");
  await expect(things.first()).toBeVisible();
  await look("items");
  await things.first().getByRole("link").click();
  await expect(page.getByRole("list", { name: "What the days mean" })).toBeVisible();
  await look("item");
  await visit(page, "/share?tab=create");
  await expect(page.getByLabel("List item immediately")).toBeVisible();
  await look("item-form");
  await visit(page, "/share?tab=mine");
  await expect(page.getByRole("list", { name: "Your items" })).toBeVisible();
  await look("listings");
  await page.getByRole("link", { name: "Sewing machine", exact: true }).click();
  await expect(page.getByText("Total earned")).toBeVisible();
  await look("management");
  await page.getByRole("button", { name: "Choose days" }).click();
  await expect(page.getByRole("dialog").getByRole("table")).toBeVisible();
  await look("item-days");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await expect(page.getByRole("button", { name: "Save Changes" })).toBeVisible();
  await look("item-edit");
}

/** The lists, a rental in full, and the sheets of one. */
async function eachOfTheRentals(page: Page, look: Look): Promise<void> {
  for (const [name, path] of [
    ["rental-requests", "/share?tab=requests"],
    ["rentals-lent", "/share?tab=active&view=lending"],
    ["rentals-borrowed", "/share?tab=active"],
  ] as const) {
    await visit(page, path);
    await expect(page.getByRole("article").first()).toBeVisible();
    await look(name);
  }
  await page.getByRole("article").first().getByRole("link").first().click();
  await expect(page.getByRole("list", { name: "The story so far" })).toBeVisible();
  await look("rental");
  await page.getByRole("button", { name: "Mark returned" }).click();
  await expect(page.getByRole("dialog").getByLabel("Note (optional)")).toBeVisible();
  await look("rental-return");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Ask for more days" }).click();
  await expect(page.getByRole("dialog").getByRole("table")).toBeVisible();
  await look("rental-days");
}

async function aFriend(page: Page, look: Look): Promise<void> {
  await page.goto("/friends/mine");
  await page.getByRole("button", { name: "More about Ben Carter" }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Mute" })).toBeVisible();
  await look("friend-sheet");
  await page.getByRole("button", { name: "Report" }).click();
  await expect(page.getByRole("dialog").getByLabel("What happened?")).toBeVisible();
  await look("report-member");
  await page.goto("/friends/mine");
  await page.getByRole("button", { name: "Add Friend" }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Search" })).toBeVisible();
  await look("add-friend");
  await page.goto("/friends/find");
  await page.getByLabel("E-mail or phone").fill("somebody.new@goodturn.example");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("button", { name: "Send Invitation" })).toBeVisible();
  await look("invite");
  await page.goto("/no-invitations#none");
  await expect(page.getByRole("link", { name: "Go to Goodturn" })).toBeVisible();
  await look("link-over");
}

async function eachOfSettings(page: Page, look: Look): Promise<void> {
  await page.goto("/settings");
  for (const name of ["Help & FAQ", "Privacy & Terms", "Report a Problem"]) {
    await page.getByRole("button", { name }).click();
    await expect(page.getByRole("dialog", { name })).toBeVisible();
    await look(name.split(" ")[0]?.toLowerCase() ?? name);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
}

async function eachOfThePicture(page: Page, look: Look): Promise<void> {
  await page.goto("/profile");
  await page
    .locator("input[type=file]:not([capture])")
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: painted(300, 200, RED, BLUE) });
  await expect(page.getByRole("dialog").getByRole("slider")).toBeVisible();
  await look("picture-crop");
  await page.getByRole("button", { name: "Use this picture" }).click();
  await expect(page.getByText("Not saved yet")).toBeVisible();
  await look("picture-pending");
  // What there is stays.
  await page.getByRole("button", { name: "Undo" }).click();
}

async function eachOfSecurity(page: Page, look: Look): Promise<void> {
  await page.goto("/settings/security");
  for (const [name, row, shown] of [
    ["change-email", /^E-mail/, "New e-mail address"],
    ["change-password", /^Password/, "Present password"],
    ["authenticator", /^Authenticator app/, "Digit 1 of 6"],
  ] as const) {
    await page.getByRole("button", { name: row }).click();
    await expect(page.getByRole("dialog").getByLabel(shown)).toBeVisible();
    await look(name);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
  await page.goto("/settings/data");
  await page.getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByRole("dialog").getByRole("textbox")).toBeVisible();
  await look("delete-account");
}

async function eachOfAFavor(page: Page, look: Look): Promise<void> {
  await page.goto("/favors?view=asked");
  await page.getByRole("article").first().getByRole("link").click();
  await expect(page.getByRole("list", { name: "The story so far" })).toBeVisible();
  await look("favor");
  await page.getByRole("button", { name: "Another time" }).click();
  await expect(page.getByRole("dialog", { name: "Offer another time" })).toBeVisible();
  await look("another-time");
  await page.goto("/favors?view=helping");
  await page.getByRole("article").first().getByRole("link").click();
  await page.getByRole("button", { name: "Step back" }).click();
  await expect(page.getByLabel("Message (optional)")).toBeVisible();
  await look("step-back");
  await page.goto("/favors");
  await page.getByRole("link", { name: "Carry a sofa up two flights of stairs" }).first().click();
  await page.getByRole("button", { name: "Ask one more friend" }).click();
  await expect(page.getByRole("button", { name: "Ask Priya Nair" })).toBeVisible();
  await look("ask-one-more");
  await page.goto("/favors?tab=completed");
  await page.getByRole("link", { name: "Hold the garden gate while I hang it" }).first().click();
  await page.getByRole("button", { name: "Pay with Venmo" }).click();
  await expect(page.getByText("Payment Method Not Available")).toBeVisible();
  await look("pay");
}

async function eachOfTheForm(page: Page, look: Look): Promise<void> {
  await page.goto("/favors?tab=create");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByText("Please select at least one recipient")).toBeVisible();
  await look("form-wrong");
  await page.getByRole("button", { name: /^Start Choose/ }).click();
  const calendar = page.getByRole("dialog", { name: "Select Date & Time" });
  await calendar.getByRole("button", { name: "Next month" }).click();
  await calendar.getByRole("button", { name: /^15 / }).click();
  await look("calendar");
  await page.keyboard.press("Escape");
  await expect(calendar).toBeHidden();
  await page.getByRole("button", { name: /^Who to ask/ }).click();
  await expect(page.getByRole("checkbox", { name: /Ben Carter/ })).toBeVisible();
  await look("people");
  await page.getByRole("tab", { name: /^Groups/ }).click();
  await page.getByRole("button", { name: "Who is in Our street" }).click();
  await expect(page.getByRole("checkbox", { name: /Ben Carter/ })).toBeVisible();
  await page.getByRole("checkbox", { name: /Our street/ }).check();
  await look("people-groups");
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "One more may accept" }).click();
  await look("form-more");
}

/** A page of a browser whose letters are set twice as large. */
export async function withLargeLetters(
  launch: (args: string[]) => Promise<Browser>,
  options: Parameters<Browser["newPage"]>[0],
  run: (page: Page) => Promise<void>,
): Promise<void> {
  const browser = await launch(["--blink-settings=defaultFontSize=32,defaultFixedFontSize=26"]);
  try {
    await run(await browser.newPage(options));
  } finally {
    await browser.close();
  }
}
