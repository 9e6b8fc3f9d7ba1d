// Reduced motion: nothing flickers while things load, and nothing moves.
import type { Page } from "@playwright/test";
import { expect, test } from "./test";
import { asDemo, goTo } from "./people";

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

test("with_reduced_motion_nothing_flickers_and_nothing_moves", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const moved = await watchMotion(page);
  const held = "**/*FavorsService/ListReceivedFavors";
  await page.route(held, () => undefined);
  await asDemo(page);
  await expect(page.getByRole("status", { name: "Loading Home..." })).toBeVisible();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  await page.unroute(held);
  await goTo(page, "Favors");
  await page.getByRole("tab", { name: "Create" }).click();
  await page.getByRole("button", { name: /^Start Choose/ }).click();
  const sheet = page.getByRole("dialog", { name: "Select Date & Time" });
  await expect(sheet).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  expect(await moved()).toEqual([]);
});
