// The form of a new favor, filled in as a member does.
import type { Page } from "@playwright/test";

/** Fills the fields that a draft needs. */
export async function fillDraft(page: Page, title: string): Promise<void> {
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Description").fill("It takes ten minutes and there is cake.");
}

/** Fills a favor to be posted. `done` taps Done in the sheet of friends, the last tap. */
export async function fillFavor(
  page: Page,
  title: string,
  done = (): Promise<void> => page.getByRole("button", { name: "Done" }).click(),
): Promise<void> {
  await fillDraft(page, title);
  await page.getByRole("button", { name: /^Start Choose/ }).click();
  const calendar = page.getByRole("dialog", { name: "Select Date & Time" });
  await calendar.getByRole("button", { name: "Next month" }).click();
  await calendar.getByRole("button", { name: / 15, / }).click();
  await calendar.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("button", { name: /^Who to ask/ }).click();
  await page.getByRole("checkbox", { name: /Ben Ortega/ }).check();
  await done();
}
