// The browser's own setting of letters twice as large, which media queries follow. Letters that a
// style sheet sets are looked at by visual.spec.ts.
import { DESKTOP, expect, PHONE, test } from "./test";
import { expectRoom } from "./layoutFaults";
import { asDemo, visit } from "./people";
import { hostedPage } from "./hostedPage";
import { SMALL } from "./everySize";

test("letters_that_the_browser_sets_twice_as_large_have_room", async ({ playwright, baseURL }, info) => {
  const { launchOptions, viewport, isMobile, hasTouch, locale, timezoneId } = info.project.use;
  const args = [...(launchOptions?.args ?? []), "--blink-settings=defaultFontSize=32,defaultFixedFontSize=26"];
  const browser = await playwright.chromium.launch({ ...launchOptions, args });
  try {
    const page = await browser.newPage({ baseURL, viewport, isMobile, hasTouch, locale, timezoneId });
    const look = async (name: string, ...more: (typeof SMALL)[]): Promise<void> => {
      for (const size of [DESKTOP.viewport, ...more, PHONE.viewport]) {
        await page.setViewportSize(size);
        await expectRoom(page, info, `large-${size.width}-${name}`);
      }
    };
    const labels = (): Promise<string> =>
      page
        .locator("label")
        .first()
        .evaluate((e) => getComputedStyle(e).fontSize);
    await page.goto(await hostedPage());
    expect(await labels()).toBe("28px");
    await look("hosted");
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await labels()).toBe("28px");
    await look("login");
    await asDemo(page);
    await expect(page.getByRole("list", { name: "Recent Favors" })).toBeVisible();
    await look("home");
    await visit(page, "/favors?tab=create");
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await look("form");
    await page.getByRole("button", { name: /^Start Choose/ }).click();
    await expect(page.getByRole("dialog").getByRole("button", { name: "Next month" })).toBeVisible();
    await look("calendar", SMALL);
    await page.setViewportSize(SMALL);
    const sheet = page.locator(".mantine-Drawer-content");
    expect(await sheet.evaluate((e) => e.scrollWidth - e.clientWidth)).toBe(0);
  } finally {
    await browser.close();
  }
});
