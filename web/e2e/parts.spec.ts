// What is loaded when it is opened, and could not be.
import { expect, test } from "@playwright/test";
import { asDemo } from "./people";

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
