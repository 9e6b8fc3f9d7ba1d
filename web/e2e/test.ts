// The `test` of this folder, and the two sizes of screen that tests run in.
import { type BrowserContext, type BrowserContextOptions, expect, type Page, test as base } from "@playwright/test";

export { expect };

/** A phone, the default size of every test. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A desktop: `test.use(DESKTOP)` at the top of a file or of a `describe` block. */
export const DESKTOP = { viewport: { width: 1280, height: 800 }, hasTouch: false, isMobile: false };

/** Sheets move as they do for most members. Tests run without motion, unless they are about what it covers. */
export const MOTION = { contextOptions: { reducedMotion: "no-preference" as const } };

const saveData = (context: BrowserContext) =>
  context.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));

type Given = {
  /**
   * Tests fetch no code ahead of its use: it costs a third of the processor time and only few tests
   * are about it. Those say `test.use({ prefetch: true })`.
   */
  prefetch: boolean;
  /** Opens a page in a browser of its own: with the settings of the test, but for those given. */
  openBrowser: (settings?: BrowserContextOptions) => Promise<Page>;
};

export const test = base.extend<Given>({
  prefetch: [false, { option: true }],
  context: async ({ context, prefetch }, run) => {
    if (!prefetch) await saveData(context);
    await run(context);
  },
  openBrowser: async ({ browser, prefetch }, run) => {
    const opened: BrowserContext[] = [];
    await run(async (settings) => {
      const context = await browser.newContext(settings);
      opened.push(context);
      if (!prefetch) await saveData(context);
      return context.newPage();
    });
    await Promise.all(opened.map((context) => context.close()));
  },
});
