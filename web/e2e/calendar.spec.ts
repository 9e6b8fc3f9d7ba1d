// The calendar of a new favor at a fixed time of the day.
import { expect, test } from "./test";
import { asDemo } from "./people";

test("the_calendar_refuses_a_time_that_has_passed", async ({ page }) => {
  await asDemo(page);
  // About noon in the browser's zone. Yesterday, when its session was good too.
  const noon = new Date(Date.now() - 86_400_000);
  await page.clock.setFixedTime(noon.setUTCHours(17, 0, 0, 0));
  // The app goes by the server's clock. Where no answer tells that, the browser's counts.
  await page.addInitScript(() => {
    const { get } = Headers.prototype;
    Headers.prototype.get = function getWithoutDate(name: string) {
      return name.toLowerCase() === "date" ? null : get.call(this, name);
    };
  });
  await page.goto("/favors?tab=create");
  await page.getByRole("button", { name: /^Start Choose/ }).click();
  const calendar = page.getByRole("dialog", { name: "Select Date & Time" });
  await calendar.locator("[data-today]").click();
  const passed = calendar.getByText("This time has passed");
  await expect(passed).toBeVisible();
  await expect(calendar.getByRole("button", { name: "Confirm" })).toBeDisabled();
  await calendar.locator("label").filter({ hasText: "PM" }).click();
  await expect(passed).toBeHidden();
  await calendar.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("button", { name: /^Start .*10:00 PM/ })).toBeVisible();
});
