// The app by keyboard, with less motion, and with everything twice as large.
import { expect, type Page } from "@playwright/test";
import { expectNoSidewaysScroll, picture, test } from "./looks";
import { asDemo, DEMO, expectHome, goTo, visit } from "./people";

test("signing_in_needs_no_pointer", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("E-mail").focus();
  await page.keyboard.type(DEMO.email);
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
  await page.keyboard.type(DEMO.password);
  await page.keyboard.press("Enter");
  await expectHome(page);
});

test("the_first_tab_stop_skips_to_the_content", async ({ page }) => {
  await asDemo(page);
  await page.reload();
  await expectHome(page);
  // The heading stands there before the app, which then takes the place of the frame it stands in.
  await expect(page.getByRole("list", { name: "Recent Favors" })).toBeVisible();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("button", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("a_new_screen_takes_the_focus_to_its_heading", async ({ page }) => {
  await asDemo(page);
  await goTo(page, "Favors");
  await expect(page.getByRole("heading", { level: 1, name: "Favors" })).toBeFocused();
  await page.getByRole("tab", { name: "Active" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Completed" })).toHaveAttribute("aria-selected", "true");
});

test("a_sheet_takes_the_focus_and_gives_it_back", async ({ page }) => {
  await asDemo(page);
  await page.goto("/favors?tab=create");
  for (const [opener, title] of [
    [/^Start Choose/, "Select Date & Time"],
    [/^Who to ask/, "Who can help?"],
  ] as const) {
    const button = page.getByRole("button", { name: opener });
    await button.focus();
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("dialog", { name: title });
    await expect(sheet.getByText(title, { exact: true })).toBeFocused();
    for (let i = 0; i < 4; i += 1) await page.keyboard.press("Tab");
    await expect(sheet.locator(":focus")).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(sheet).toBeHidden();
    await expect(button).toBeFocused();
  }
});

test("a_question_offers_the_safe_answer_first", async ({ page }) => {
  await asDemo(page);
  await page.goto("/settings");
  const button = page.getByRole("button", { name: "Sign Out" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(button).toBeFocused();
});

/** Tab goes round in what is on top, and never to the page behind it. */
async function expectKeepsTab(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog").last();
  for (const key of [...Array<string>(12).fill("Tab"), ...Array<string>(12).fill("Shift+Tab")]) {
    await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
    await expect(dialog.locator(":focus")).toHaveCount(1);
  }
}

test("tab_stays_in_what_stands_over_the_screen", async ({ page }) => {
  await asDemo(page);
  const close = async (): Promise<void> => {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  };
  for (const [path, opener, shown] of [
    ["/favors?tab=create", /^Start Choose/, "Confirm"],
    ["/favors?tab=create", /^Who to ask/, "Cancel"],
    ["/settings/security", /^Password/, "Change password"],
    ["/settings", "Sign Out", "Cancel"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("button", { name: opener }).click();
    await expect(page.getByRole("dialog").getByRole("button", { name: shown })).toBeVisible();
    await expectKeepsTab(page);
    await close();
  }
  await page.goto("/favors?view=asked");
  await page.getByRole("article").first().getByRole("link").click();
  await page.getByRole("button", { name: "I can help" }).click();
  await expectKeepsTab(page);
});

test("a_password_is_shown_by_keyboard", async ({ page }) => {
  await page.goto("/");
  const password = page.getByLabel("Password", { exact: true });
  await password.fill(DEMO.password);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Show password" })).toBeFocused();
  await page.keyboard.press("Enter");
  // It sends nothing.
  await expect(password).toHaveAttribute("type", "text");
});

/** Notes each animation and transition that changes a place or size. */
async function watchMotion(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    const note = (event: Event): void => {
      for (const animation of (event.target as Element).getAnimations()) {
        const effect = animation.effect as KeyframeEffect;
        const takes_ms = Number(effect.getComputedTiming().duration);
        const moves = effect
          .getKeyframes()
          .some((frame) => ["transform", "translate", "scale"].some((p) => p in frame));
        if (moves && takes_ms > 20) moved.push((event.target as Element).className);
      }
    };
    document.addEventListener("transitionrun", note);
    document.addEventListener("animationstart", note);
  });
  return () => page.evaluate(() => (window as Window & { moved?: string[] }).moved ?? []);
}

test("with_reduced_motion_nothing_moves", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const moved = await watchMotion(page);
  await asDemo(page);
  await goTo(page, "Favors");
  await page.getByRole("tab", { name: "Create" }).click();
  await page.getByRole("button", { name: /^Start Choose/ }).click();
  const sheet = page.getByRole("dialog", { name: "Select Date & Time" });
  await expect(sheet).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  expect(await moved()).toEqual([]);
});

test("twice_as_large_nothing_is_cut_off", async ({ page }, info) => {
  await asDemo(page);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const phone = width < 900;
  await page.setViewportSize(phone ? { width: 320, height: 640 } : { width: width / 2, height: height / 2 });
  for (const path of [
    "/",
    "/friends",
    "/friends/mine",
    "/friends/groups",
    "/favors",
    "/favors?view=asked",
    "/favors?tab=create",
    "/inbox",
    "/settings",
    "/settings/security",
    "/settings/data",
  ]) {
    await visit(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator(".mantine-Skeleton-root")).toHaveCount(0);
    await expectNoSidewaysScroll(page, path);
    await picture(page, info, `small-${path.replaceAll(/\W+/g, "-")}`);
  }
});
