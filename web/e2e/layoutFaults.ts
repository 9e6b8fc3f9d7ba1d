// Faults in the layout of a screen: cut texts, targets too small for a finger, controls under a
// round edge of the display, and sideways scrolling.
import type { Page, TestInfo } from "@playwright/test";
import { expect } from "./test";
import { picture, settled } from "./looks";

export type Insets = { top: number; right: number; bottom: number; left: number };
export const NO_INSETS: Insets = { top: 0, right: 0, bottom: 0, left: 0 };

/** `isLow`: the screen is so low that its bars must leave it most of its height. */
type Needs = { insets: Insets; isLow: boolean };

/** In the page: what is wrong with it, after two frames. */
async function faultsOf({ insets, isLow }: Needs): Promise<string[]> {
  for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  const found: string[] = [];
  const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (over !== 0) found.push(`wider than its screen, by ${over} px`);
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

  // A card is hit as a whole, a box with its label, and a field beside its own. The seven days of a
  // week, and the five tabs, share the width that there is.
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

/** Finds no fault in the layout of a screen as it is now. */
export async function expectNoFaults(page: Page, name: string, needs: Partial<Needs> = {}): Promise<void> {
  const faults = await page.evaluate(faultsOf, { insets: NO_INSETS, isLow: false, ...needs });
  expect.soft(faults, name).toEqual([]);
}

/** The same once everything has arrived, with a picture for people. */
export async function expectRoom(page: Page, info: TestInfo, name: string, needs: Partial<Needs> = {}): Promise<void> {
  await settled(page);
  await picture(page, info, name);
  await expectNoFaults(page, name, needs);
}
