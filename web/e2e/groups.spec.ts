// Groups: made, changed, asked for a favor and deleted, while a second tab follows live.
import type { Page } from "@playwright/test";
import { DESKTOP, expect } from "./test";
import { twoFriends } from "./backstage";
import { test } from "./looks";
import { goTo, signIn, visit } from "./people";

const PATH = "/friends/groups";
const yours = (page: Page) => page.getByRole("region", { name: "Your Groups" });
const name = (page: Page) => page.getByLabel("Group name");
const ben = (page: Page) => page.getByRole("checkbox", { name: "Ben Ortega" });

async function make(page: Page, group: string): Promise<void> {
  const opens = page.getByRole("button", { name: "New group" });
  await expect(name(page).or(opens)).toBeVisible();
  if (await opens.isVisible()) await opens.click();
  await name(page).fill(group);
  await page.locator("label.pick", { hasText: "Ben Ortega" }).click();
  await page.getByRole("button", { name: "Create Group" }).click();
}

test.use(DESKTOP);

test("a_group_is_made_changed_asked_and_deleted_while_a_second_tab_follows", async ({ page }) => {
  const { who, own, ben: friend } = await twoFriends();
  await signIn(page, who);
  await goTo(page, "Friends");
  await page.getByRole("tab", { name: "Groups" }).click();
  await expect(page.getByText("No groups created yet")).toBeVisible();
  await expect(page.getByText("Create your first group by selecting friends above")).toBeVisible();
  const second = await page.context().newPage();
  await second.goto(PATH);
  await expect(second.getByText("No groups created yet")).toBeVisible();

  await make(page, "Our street");
  await expect(page.getByText("Group created successfully!")).toBeVisible();
  await expect(yours(page).getByRole("heading", { name: "Our street" })).toBeVisible();
  await expect(yours(page).getByText("1 member")).toBeVisible();
  await expect(name(page)).toBeHidden();
  await expect(yours(second).getByRole("heading", { name: "Our street" })).toBeVisible();

  await make(page, "OUR  street");
  await expect(page.getByText("Failed to create group. You already have a group with this name.")).toBeVisible();
  await expect(name(page)).toHaveValue("OUR  street");
  // The typed words are there again.
  await page.reload();
  await expect(name(page)).toHaveValue("OUR  street");
  await expect(ben(page)).toBeChecked();

  await page.getByRole("button", { name: "Edit Our street" }).click();
  await page.getByRole("dialog", { name: "Discard Changes" }).getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText("Editing Our street")).toBeVisible();
  await expect(name(page)).toHaveValue("Our street");
  await expect(name(page)).toBeFocused();
  await name(page).fill("Our road");
  const update = page.getByRole("button", { name: "Update Group" });
  const label = update.locator(".mantine-Button-label");
  expect(await label.evaluate((e) => e.getClientRects().length * e.scrollHeight), "one line").toBeLessThan(32);
  await update.click();
  await expect(page.getByText("Group updated successfully!")).toBeVisible();
  await expect(yours(second).getByRole("heading", { name: "Our road" })).toBeVisible();

  await visit(page, "/favors?tab=create");
  await page.getByLabel("Title").fill("Carry a sofa");
  await page.getByLabel("Description").fill("It takes ten minutes and there is cake.");
  await page.getByRole("button", { name: /^Start Choose/ }).click();
  const calendar = page.getByRole("dialog", { name: "Select Date & Time" });
  await calendar.getByRole("button", { name: "Next month" }).click();
  await calendar.getByRole("button", { name: / 15, / }).click();
  await calendar.getByRole("button", { name: "Confirm" }).click();

  await page.getByRole("button", { name: /^Who to ask/ }).click();
  const sheet = page.getByRole("dialog", { name: "Who can help?" });
  await expect(sheet.getByRole("tab", { name: "Friends (1)" })).toHaveAttribute("aria-selected", "true");
  await expect(sheet.getByRole("button", { name: "Done" })).toBeDisabled();
  await sheet.getByRole("tab", { name: "Groups (1)" }).click();
  await sheet.getByLabel("Search groups").fill("club");
  await expect(sheet.getByText("No groups found")).toBeVisible();
  await sheet.getByLabel("Search groups").fill("ROAD");
  await sheet.getByRole("checkbox", { name: /Our road/ }).check();
  await expect(sheet.getByText("1 selected")).toBeVisible();
  await sheet.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: /^Who to ask/ })).toContainText("Our road");

  // A draft keeps its groups; their members are asked once it is posted.
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await expect(page.getByText("Draft saved")).toBeVisible();
  const [draft] = await own.favors();
  expect([draft?.recipients.length, draft?.groupIds.length]).toEqual([0, 1]);
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByText("Your favor has been posted! Selected friends will be notified.")).toBeVisible();
  const [posted] = await own.favors();
  expect([posted?.recipients.length, posted?.groupIds.length]).toEqual([1, 0]);
  await friend.offerAnotherTime("Carry a sofa", "At six?");

  await visit(page, PATH);
  await page.getByRole("button", { name: "Delete Our road" }).click();
  const question = page.getByRole("dialog", { name: "Delete Group" });
  await expect(question).toContainText("Our road");
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("No groups created yet")).toBeVisible();
  await expect(second.getByText("No groups created yet")).toBeVisible();
});
