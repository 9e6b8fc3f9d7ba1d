// What is loaded when it is opened, and could not be.
import { expect, test } from "@playwright/test";
import { twoFriends } from "./backstage";
import { asDemo, signIn } from "./people";

test("what_a_sheet_lacks_is_said_in_it_in_full", async ({ page, context }) => {
  await page.route("**/assets/CalendarSheet-*.js", (route) => route.abort());
  await asDemo(page);
  await page.goto("/favors?tab=create");
  await expect(page.getByRole("button", { name: /^Who to ask/ })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole("button", { name: /^Start Choose/ }).click();
  const calendar = page.getByRole("dialog", { name: "Select Date & Time" });
  const retry = calendar.getByRole("button", { name: "Retry" });
  await expect(retry).toBeInViewport({ ratio: 1 });
  // Nothing stands over it.
  await retry.click();
  await expect(retry).toBeInViewport({ ratio: 1 });
  await page.unroute("**/assets/CalendarSheet-*.js");
  await context.setOffline(false);
  await expect(calendar.getByRole("button", { name: "Next month" })).toBeVisible();
});

test("a_style_sheet_that_was_lost_while_parts_were_fetched_ahead_comes_with_the_next_that_needs_it", async ({
  page,
}) => {
  const { own, other } = await twoFriends();
  const item = await own.lend("Cake tin");
  await signIn(page, other);
  let asked = 0;
  await page.route("**/assets/form-*.css", (route) => {
    asked += 1;
    return asked === 1 ? route.abort() : route.continue();
  });
  // The part that is needed later comes ahead, after another that needs the same sheet.
  const ahead = page.waitForResponse("**/assets/BorrowScreen-*.js");
  await page.goto(`/share/items/${item}`);
  const day = page.getByRole("table").getByRole("button", { disabled: false }).first();
  await day.click();
  await day.click();
  await ahead;
  await page.getByRole("button", { name: "Request to Borrow" }).click();
  await expect(page.locator(".opener")).toHaveCSS("display", "flex");
});
