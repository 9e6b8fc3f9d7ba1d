// The screens and sheets of what members share, for the demo member.
import { expect } from "./test";
import { button, closeSheet, firstCard, seeEach, type Walk } from "./walk";

export async function items(walk: Walk): Promise<void> {
  const { page, see, seeWords, t } = walk;
  await seeEach(walk, [["items", "/share", page.locator("main article")]]);
  await page.locator("main article a").first().click();
  await expect(button(walk, "Select Dates")).toBeVisible();
  await expect(page.getByRole("list", { name: t("Calendar legend") })).toBeVisible();
  await see("item");
  await seeEach(walk, [["item-form", "/share?tab=create", page.getByLabel(t("List item immediately"))]]);
  await button(walk, "List for Friends").click();
  await expect(page.getByText(t("Validation Error"))).toBeVisible();
  await seeWords("item-form-wrong");
  await seeEach(walk, [["listings", "/share?tab=mine", page.getByRole("list", { name: t("Your items") })]]);
  await page.getByRole("link", { name: "Sewing machine", exact: true }).click();
  await expect(page.getByText(t("Total earned"))).toBeVisible();
  await see("management");
  await button(walk, "Choose days").click();
  await expect(page.getByRole("dialog").getByRole("table")).toBeVisible();
  await see("item-days");
  await closeSheet(walk);
  await button(walk, "Delete Item").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await seeWords("item-delete");
  await closeSheet(walk);
  await page.getByRole("link", { name: t("Edit"), exact: true }).click();
  await expect(button(walk, "Save Changes")).toBeVisible();
  await see("item-edit");
}

export async function rentals(walk: Walk): Promise<void> {
  const { page, see, t } = walk;
  const first = page.getByRole("article");
  await seeEach(walk, [
    ["rental-requests", "/share?tab=requests", first],
    ["rentals-lent", "/share?tab=active&view=lending", first],
    ["rentals-borrowed", "/share?tab=active", first],
  ]);
  await firstCard(walk).click();
  await expect(page.getByRole("list", { name: t("The story so far") })).toBeVisible();
  await see("rental");
  await button(walk, "Mark returned").click();
  await expect(page.getByRole("dialog").getByLabel(t("Note (optional)"))).toBeVisible();
  await see("rental-return");
  await closeSheet(walk);
  await button(walk, "Ask for more days").click();
  await expect(page.getByRole("dialog").getByRole("table")).toBeVisible();
  await see("rental-days");
  await closeSheet(walk);
}
