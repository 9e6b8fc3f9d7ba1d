// The app in the pseudo-language, and the faults of a screen in it: texts that do not come from
// words.ts, that are put together from pieces, or that are cut.
import type { Page, TestInfo } from "@playwright/test";
import { DESKTOP, expect, PHONE, test as base } from "./test";
import { pseudo } from "../src/testing/pseudo";
import { SMALL } from "./everySize";
import { expectNoSidewaysScroll, picture, settled, still } from "./looks";
import { DEMO } from "./people";
import type { See, Walk } from "./walk";

/** A text of the app, as it is in the pseudo-language. */
export const said = (text: string): string => pseudo(text);

/** In the page: notes all that the server says, whose words are not the app's. */
function prepare(): void {
  const heard: string[] = [];
  Object.assign(window, { heard });
  const ask = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await ask(...asked);
    // Of the live stream no copy would end.
    if (answer.headers.has("grpc-message")) heard.push(decodeURIComponent(answer.headers.get("grpc-message") ?? ""));
    else if (!answer.url.includes("Watch")) heard.push(await answer.clone().text());
    return answer;
  };
}

export const test = base.extend<{ strange: void }>({
  strange: [
    async ({ page }, use) => {
      await page.addInitScript(`globalThis.goodturnSpoken = ${pseudo.toString()}`);
      await page.addInitScript(prepare);
      await use();
    },
    { auto: true },
  ],
});

/** In the page: what is wrong with it. `typed` is in members' own words too. */
function faultsOf(typed: readonly string[]): string[] {
  const found: string[] = [];
  const [, claims = ""] = (localStorage.getItem("id_token") ?? "").split(".");
  const member = atob(claims.replaceAll("-", "+").replaceAll("_", "/"));
  const known = [...(Reflect.get(window, "heard") as string[]), member, ...typed];
  const isOthers = (text: string): boolean => !text.includes("[") && known.some((told) => told.includes(text));
  const nameOf = (e: Element): string => `${e.tagName.toLowerCase()}.${e.getAttribute("class") ?? ""}`;

  /** The text outside brackets, and how many groups of them there are; groups may hold others. */
  function readOf(text: string): { groups: number; outside: string } {
    let [depth, groups, outside] = [0, 0, ""];
    for (const letter of text) {
      if (letter === "[") {
        if (depth === 0) groups += 1;
        depth += 1;
      } else if (letter === "]") depth -= 1;
      else if (depth === 0) outside += letter;
    }
    return { groups, outside };
  }

  function check(text: string, at: string): void {
    const { groups, outside } = readOf(text);
    const hasLetters = /\p{L}/u.test(outside);
    if (groups > 1 || (groups === 1 && hasLetters)) found.push(`put together: ${text} (${at})`);
    else if (groups === 0 && hasLetters && !isOthers(text)) found.push(`not from words.ts: ${text} (${at})`);
  }

  /** Whether a part of the box is beside what it belongs to, or behind an edge that hides it. */
  function isHidden(box: DOMRect, from: Element): boolean {
    // A row of choices that a finger moves sideways shows each of them in its turn.
    if (from.closest(".slides") !== null) return false;
    if (box.left < -1 || box.right > window.innerWidth + 1) return true;
    let scrolls = false;
    for (let e: Element | null = from; e !== null && e !== document.body; e = e.parentElement) {
      const { display, overflowY } = getComputedStyle(e);
      const edge = e.getBoundingClientRect();
      const isBox = !/^(inline|contents)$/.test(display);
      if (isBox && (box.left < edge.left - 1 || box.right > edge.right + 1)) return true;
      if (/auto|scroll/.test(overflowY)) scrolls = true;
      if (!scrolls && overflowY === "hidden" && (box.top < edge.top - 3 || box.bottom > edge.bottom + 3)) return true;
    }
    return false;
  }

  const blocks = new Map<Element, Text[]>();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    let block = node.parentElement;
    if (block === null || block.closest("script, style, noscript, svg, .face") !== null) continue;
    if (node.nodeValue?.trim() === "" || !block.checkVisibility({ visibilityProperty: true })) continue;
    while (block.parentElement !== null && /^(inline|contents)$/.test(getComputedStyle(block).display))
      block = block.parentElement;
    blocks.set(block, [...(blocks.get(block) ?? []), node as Text]);
  }
  for (const [block, nodes] of blocks) {
    const text = nodes
      .map((node) => node.nodeValue)
      .join("")
      .trim();
    check(text, nameOf(block));
    if (block.closest(".sronly, .skip, select") !== null) continue;
    const range = document.createRange();
    range.setStartBefore(nodes[0] ?? block);
    range.setEndAfter(nodes.at(-1) ?? block);
    const over = block.scrollWidth > block.clientWidth + 1 || block.scrollHeight > block.clientHeight + 4;
    const isCut = over || isHidden(range.getBoundingClientRect(), block);
    // What others wrote may be long, and end in dots.
    if (isCut && !isOthers(text)) found.push(`cut: ${text} (${nameOf(block)})`);
  }
  for (const name of ["aria-label", "placeholder", "title", "alt"])
    for (const e of document.querySelectorAll(`[${name}]`))
      if (e.checkVisibility() && e.closest("[aria-hidden=true]") === null)
        check(e.getAttribute(name) ?? "", `${nameOf(e)} ${name}`);
  check(document.title, "title");
  return found;
}

/** @returns a look at a screen, which finds no fault on two phones and on a desktop. */
export function fitting(page: Page, info: TestInfo): See {
  async function expectFits(name: string, typed: readonly string[]): Promise<void> {
    const at = `${name} at ${page.viewportSize()?.width ?? 0} px`;
    await expectNoSidewaysScroll(page, at);
    const faults = await page.evaluate(faultsOf, [DEMO.name, "USD INR EUR GBP", ...typed]);
    expect.soft(faults, at).toEqual([]);
  }

  return async (name, { typed = [], restore, isPhoneOnly = false } = {}) => {
    await settled(page);
    const sheets = await page.getByRole("dialog").count();
    await picture(page, info, `pseudo-${name}`);
    await expectFits(name, typed);
    await page.setViewportSize(SMALL);
    await still(page);
    await expectFits(name, typed);
    if (isPhoneOnly) return page.setViewportSize(PHONE.viewport);
    await page.setViewportSize(DESKTOP.viewport);
    await still(page);
    await restore?.();
    await settled(page);
    expect(await page.getByRole("dialog").count(), `${name}: its sheet is open on a desktop too`).toBe(sheets);
    await picture(page, info, `pseudo-${name}`);
    await expectFits(name, typed);
    await page.setViewportSize(PHONE.viewport);
    await still(page);
  };
}

/** A walk through the app in the pseudo-language. */
export function pseudoWalk(page: Page, info: TestInfo): Walk {
  const see = fitting(page, info);
  return { page, see, seeWords: see, t: said, part: (text) => said(text).slice(1, -1) };
}
