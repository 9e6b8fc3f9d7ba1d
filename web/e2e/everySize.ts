// One look at a screen in every size, scheme and size of letters, without leaving it.
import type { CDPSession, Page, TestInfo } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expectNoFaults, type Insets, NO_INSETS } from "./layoutFaults";
import { expectNoSidewaysScroll, picture, settled, still } from "./looks";
import { DESKTOP, expect, PHONE } from "./test";
import type { See, Walk } from "./walk";

export const SMALL = { width: 360, height: 740 };
const ON_ITS_SIDE = { width: 844, height: 390 };
const ROUND: Insets = { top: 47, right: 0, bottom: 34, left: 0 };
const ROUND_ON_ITS_SIDE: Insets = { top: 0, right: 47, bottom: 21, left: 47 };

/** Letters as a reader's style sheet sets them. The media queries of the app do not follow. */
export async function setLetters(page: Page, percent: number): Promise<void> {
  await page.evaluate((size) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`html { font-size: ${size}% }`);
    document.adoptedStyleSheets = size === 100 ? [] : [sheet];
  }, percent);
}

const sessions = new WeakMap<Page, CDPSession>();

/** Sets the safe-area insets of a phone with round corners or a notch. */
export async function cutOut(page: Page, insets: Insets): Promise<void> {
  const cdp = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, cdp);
  await cdp.send("Emulation.setSafeAreaInsetsOverride", { insets });
}

/** Begins in the dark. `sheets`: so many stay open, or `restore` opens them again. */
async function lookOnDesktop(
  page: Page,
  info: TestInfo,
  name: string,
  sheets: number,
  restore?: () => Promise<void>,
): Promise<void> {
  await page.setViewportSize(DESKTOP.viewport);
  await still(page);
  await restore?.();
  await settled(page);
  expect(await page.getByRole("dialog").count(), `${name}: its sheet is open on a desktop too`).toBe(sheets);
  await picture(page, info, `${name}.dark`);
  await expectNoSidewaysScroll(page, `${name} on a desktop`);
  await expectAccessible(page, `${name} on a desktop, dark`, "contrast");
  await page.emulateMedia({ colorScheme: "light" });
  await still(page);
  await picture(page, info, `${name}.light`);
  await expectAccessible(page, `${name} on a desktop`, "all");
}

/** The phone of 390 px has round corners, the one of 360 px has none. @returns a look at a screen. */
async function everySize(page: Page, info: TestInfo): Promise<See> {
  await cutOut(page, ROUND);

  return async (name, { restore, isPhoneOnly = false } = {}) => {
    await settled(page);
    const sheets = await page.getByRole("dialog").count();
    await picture(page, info, `${name}.light`);
    await expectNoFaults(page, `${name} on a phone`, { insets: ROUND });
    await expectAccessible(page, `${name} on a phone`, "all");
    await setLetters(page, 200);
    await expectNoFaults(page, `${name} with large letters`, { insets: ROUND });
    await setLetters(page, 100);
    await page.setViewportSize(ON_ITS_SIDE);
    await cutOut(page, ROUND_ON_ITS_SIDE);
    await expectNoFaults(page, `${name} on its side`, { insets: ROUND_ON_ITS_SIDE, isLow: true });
    await page.setViewportSize(SMALL);
    await cutOut(page, NO_INSETS);
    await expectNoFaults(page, `${name} at 360 px`);

    await page.setViewportSize(PHONE.viewport);
    await cutOut(page, ROUND);
    // Only the colors can differ in the second scheme.
    await page.emulateMedia({ colorScheme: "dark" });
    await still(page);
    await picture(page, info, `${name}.dark`);
    await expectAccessible(page, `${name} on a phone, dark`, "contrast");
    if (!isPhoneOnly) await lookOnDesktop(page, info, name, sheets, restore);
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(PHONE.viewport);
    await still(page);
  };
}

const same = (text: string): string => text;

/** A walk through the app in its own language. */
export async function visualWalk(page: Page, info: TestInfo): Promise<Walk> {
  return { page, see: await everySize(page, info), seeWords: async () => undefined, t: same, part: same };
}
