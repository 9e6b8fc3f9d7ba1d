// The focus is never lost, and toasts cover no button.
import type { Page } from "@playwright/test";
import { as, joined, twoFriends } from "./backstage";
import { test as quiet } from "./looks";
import { signIn, signInAtTheDoor, visit } from "./people";
import { DESKTOP, expect, PHONE, test } from "./test";

/** The element that has the focus. The body stands for none. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName ?? "BODY");

test("the_focus_is_never_lost", async ({ page }) => {
  const { who, ben } = await twoFriends();
  await ben.askFavor(who, "Carry the ladder");
  await (await as(await joined("Lena Novak"))).askToBeFriends(who);
  await signInAtTheDoor(page, who);
  await expect.poll(() => focused(page)).not.toBe("BODY");
  await page.goto("/friends/requests");
  await page.getByRole("button", { name: "Decline Lena Novak" }).click();
  await expect(page.getByText("All caught up!")).toBeVisible();
  await expect.poll(() => focused(page)).not.toBe("BODY");

  await page.goto("/favors?view=asked");
  await page.setViewportSize(DESKTOP.viewport);
  await page.getByRole("article").first().getByRole("link").click();
  await expect(page.getByRole("region", { name: "Favor Details" })).toBeFocused();
  await page.setViewportSize(PHONE.viewport);
  await page.locator(".stick").getByRole("button", { name: "I can help" }).click();
  // A question that destroys nothing has a calm way out.
  const question = page.getByRole("dialog");
  const plain = await page.evaluate(() => getComputedStyle(document.body).color);
  await expect(question.getByRole("button", { name: "Cancel" })).toHaveCSS("color", plain);
  await question.getByRole("button", { name: "I can help" }).click();
  await expect(page.getByRole("button", { name: "Mark completed" })).toBeVisible();
  await expect.poll(() => focused(page)).not.toBe("BODY");
});

/** The texts of buttons and tabs that a toast covers. In the page. */
function covered(): (string | null)[] {
  const boxes = [...document.querySelectorAll(".toast")].map((t) => t.getBoundingClientRect());
  return [...document.querySelectorAll("main button, nav a, .stick button")]
    .filter((e) => {
      const { left, right, top, bottom } = e.getBoundingClientRect();
      const isBeside = (t: DOMRect): boolean => t.left >= right || t.right <= left;
      const isApart = (t: DOMRect): boolean => t.top >= bottom || t.bottom <= top;
      return right > left && boxes.some((t) => !isBeside(t) && !isApart(t));
    })
    .map((e) => e.textContent);
}

/** The number of toasts that can be seen at their middle. In the page. */
const onTop = (): number =>
  [...document.querySelectorAll(".toast")].filter((t) => {
    const b = t.getBoundingClientRect();
    const hit = document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2);
    return hit?.closest(".toast") === t;
  }).length;

quiet("a_toast_covers_no_button_and_ends_with_its_screen", async ({ page }) => {
  const { who, own, ben, other } = await twoFriends();
  const id = await own.draft("Mend the fence");
  await own.askFavor(other, "Water the basil");
  await signIn(page, who);
  // A toast tells what comes by the stream: by then it has begun.
  const watching = page.waitForResponse(/WatchNotifications$/);
  await page.goto(`/favors/${id}`);
  await expect(page.getByRole("button", { name: "Edit favor" })).toBeVisible();
  await watching;
  await ben.offerAnotherTime("Water the basil", "Sunday at noon?");
  const toast = page.locator(".toast");
  await expect(toast).toContainText(/Ben Ortega can help you with/);
  expect(await page.evaluate(covered)).toEqual([]);
  // It finds another place where the screen has another size.
  for (const { viewport } of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    await expect.poll(() => page.evaluate(covered)).toEqual([]);
    await expect(toast).toBeVisible();
  }
  // A question has the screen for itself.
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Confirm" })).toBeVisible();
  expect(await page.evaluate(onTop)).toBe(0);
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Back" }).click();
  // Well before its time is over.
  await expect(toast).toHaveCount(0, { timeout: 3000 });

  // The member can act on the offer.
  const offered = (await own.favors()).find(({ title }) => title === "Water the basil");
  await visit(page, `/favors/${offered?.id ?? ""}`);
  await expect(page.getByText("Sunday at noon?")).toBeVisible();
  const next = "They answered. Edit the favor if another time works for you.";
  await expect(page.getByText(next)).toBeVisible();
});
