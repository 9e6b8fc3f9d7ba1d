// One member's words never break another's screen: without a space, from right to left, in signs,
// piled up, as long as they may be.
import type { Page } from "@playwright/test";
import { DESKTOP, expect } from "./test";
import { as, joined } from "./backstage";
import { SMALL } from "./everySize";
import { expectNoSidewaysScroll, settled, still, test } from "./looks";
import { type Person, signIn, visit } from "./people";

/** 54 letters. */
const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerks";
const PILE = "\u0301\u0323\u0334".repeat(30);
const NAMES = [LONG, "שרה בת-אור 12", `👩‍👩‍👧‍👦${"🎉".repeat(40)}`, `Z${PILE}algo`] as const;
const SAID = [LONG.repeat(4).slice(0, 200), "مرحبا (3)!", "🏳️‍🌈".repeat(25), `${"\n".repeat(150)}down`] as const;

/** In the page: words that leave their place, and letters from the right that turn their neighbors. */
function faultsOf(): string[] {
  const found: string[] = [];
  const width = document.documentElement.clientWidth;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    const parent = node.parentElement;
    const text = node.nodeValue ?? "";
    if (parent === null || parent.closest("script, style, title, .sronly, .face, option") !== null) continue;
    if (text.trim() === "" || !parent.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const card = parent.closest(".card, .pane, [role=dialog], .tl")?.getBoundingClientRect();
    const isCut = parent.closest(".one") !== null;
    for (const box of range.getClientRects()) {
      const edges = [Math.max(0, card?.left ?? 0), Math.min(width, card?.right ?? width)] as const;
      if (!isCut && (box.left < edges[0] - 1 || box.right > edges[1] + 1)) found.push(`leaves: ${text.slice(0, 40)}`);
    }
    const bare = text.replaceAll(/\u2068[^\u2069]*\u2069/g, "");
    if (/[\u0590-\u08ff]/.test(bare) && parent.closest("bdi") === null) found.push(`turns: ${text.slice(0, 40)}`);
    if (/\p{M}{5}/u.test(text)) found.push(`piles up: ${text.slice(0, 10)}`);
  }
  // No row is higher than the screen because of what somebody said in it.
  for (const row of document.querySelectorAll("main li, main article"))
    if (row.getBoundingClientRect().height > window.innerHeight)
      found.push(`is high: ${row.textContent?.slice(0, 40)}`);
  return [...new Set(found)];
}

/** On a small phone and on a desktop. `restore` opens a sheet again. */
async function expectKept(page: Page, name: string, restore?: () => Promise<void>): Promise<void> {
  for (const size of [SMALL, DESKTOP.viewport]) {
    await page.setViewportSize(size);
    await still(page);
    if (size !== SMALL) await restore?.();
    await settled(page);
    await expectNoSidewaysScroll(page, `${name} at ${size.width} px`);
    expect.soft(await page.evaluate(faultsOf), `${name} at ${size.width} px`).toEqual([]);
  }
  await page.setViewportSize(SMALL);
}

/** Members of these names ask `eve` to be friends; some are, and ask for a favor. */
async function surround(eve: Person): Promise<void> {
  for (const [i, name] of NAMES.entries()) {
    const other = await as(await joined(name));
    await other.askToBeFriends(eve, SAID[i]);
    await (await as(eve)).acceptFriends();
    await other.askFavor(eve, SAID[i]?.trim() ?? "", SAID[i]);
  }
  for (const [i, name] of NAMES.entries()) await (await as(await joined(name))).askToBeFriends(eve, SAID[i]);
}

test("words_of_others_keep_to_their_place", async ({ page }) => {
  const eve = await joined("Eve Lang");
  await surround(eve);
  await signIn(page, eve);
  await page.setViewportSize(SMALL);
  const screens = [
    ["home", "/", "Needs your answer"],
    ["requests", "/friends/requests", "All caught up!"],
    ["mine", "/friends/mine", LONG],
    ["inbox", "/inbox", "New favor request"],
    ["asked", "/favors?view=asked", "Requested by"],
  ] as const;
  for (const [name, path, text] of screens) {
    await visit(page, path);
    const shown = page.getByText(text).filter({ visible: true });
    if (name === "requests") await expect(page.getByRole("button", { name: /^Accept/ })).toHaveCount(NAMES.length);
    else await expect(shown.first()).toBeVisible();
    await expectKept(page, name);
  }
  const favors = await page.getByRole("article").getByRole("link").all();
  const paths = await Promise.all(favors.map((link) => link.getAttribute("href")));
  for (const [i, path] of paths.entries()) {
    await visit(page, path ?? "");
    await expect(page.getByRole("list", { name: "The story so far" })).toBeVisible();
    await expectKept(page, `favor-${i}`);
  }
  await visit(page, "/favors?tab=create");
  const people = page.getByRole("dialog", { name: "Who can help?" });
  const checkAll = async (): Promise<void> => {
    await page.getByRole("button", { name: /^Who to ask/ }).click();
    const boxes = people.getByRole("checkbox");
    await expect(boxes).toHaveCount(NAMES.length);
    for (const box of await boxes.all()) await box.check();
  };
  await checkAll();
  await expectKept(page, "people", checkAll);
  await checkAll();
  await people.getByRole("button", { name: "Done" }).click();
  await expectKept(page, "form");
});

test("a_sentence_goes_on_in_our_direction_after_a_name", async ({ page }) => {
  const [eve, sara] = [await joined("Eve Lang"), await joined("שרה לוי")];
  const other = await as(sara);
  await other.askToBeFriends(eve);
  await (await as(eve)).acceptFriends();
  await other.askFavor(eve, "מים (12)");
  await signIn(page, eve);
  // The title ends with what it ends with, and not with what the text around makes of it.
  const places = await page.getByRole("link", { name: "מים (12)", exact: true }).evaluate((link) => {
    const text = document.createTreeWalker(link, NodeFilter.SHOW_TEXT).nextNode() as Text;
    const at = (sign: string): number => {
      const range = document.createRange();
      range.setStart(text, text.data.indexOf(sign));
      range.setEnd(text, text.data.indexOf(sign) + 1);
      return range.getBoundingClientRect().left;
    };
    return { first: at("מ"), last: at(")") };
  });
  expect(places.first).toBeGreaterThan(places.last);
  await page.getByRole("button", { name: "I can help" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "I can help" }).click();
  await expect(page.getByText("You're helping \u2068שרה לוי\u2069").filter({ visible: true }).first()).toBeVisible();
});

test("a_member_with_such_a_name_sees_all_of_the_frame", async ({ page }) => {
  await signIn(page, await joined(`${LONG} ${LONG.slice(0, 40)}`));
  await expectKept(page, "own-home");
  await visit(page, "/settings");
  await expect(page.getByRole("button", { name: "Sign Out" })).toBeVisible();
  await expectKept(page, "own-settings");
});
