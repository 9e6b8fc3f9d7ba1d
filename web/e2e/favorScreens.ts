// The screens and sheets of favors, for the demo member.
import { expect } from "./test";
import { visit } from "./people";
import { button, closeSheet, firstCard, type Walk } from "./walk";

const LISTS = [
  ["favors", "/favors"],
  ["favors-asked", "/favors?view=asked"],
  ["favors-helping", "/favors?view=helping"],
  ["favors-browse", "/favors?tab=browse"],
  ["favors-completed", "/favors?tab=completed"],
  ["favors-helped", "/favors?tab=completed&view=helped"],
  ["favors-cancelled", "/favors?tab=completed&view=cancelled"],
] as const;

/** Each list, and a favor of each: a desktop shows both at once. */
export async function favors(walk: Walk): Promise<void> {
  const { page, see, t } = walk;
  for (const [name, path] of LISTS) {
    await visit(page, path);
    await expect(page.getByRole("article").first()).toBeVisible();
    await see(name, { isPhoneOnly: true });
    await firstCard(walk).click();
    await expect(page.getByRole("list", { name: t("The story so far") })).toBeVisible();
    await see(`${name}-details`);
  }
}

/** The sheets of a favor, and what a search does not find. */
export async function favorSheets(walk: Walk): Promise<void> {
  const { page, see, t, part } = walk;
  const open = async (list: string, title?: string): Promise<void> => {
    await visit(page, list);
    await (title === undefined ? firstCard(walk) : page.getByRole("link", { name: title }).first()).click();
    await expect(page.getByRole("list", { name: t("The story so far") })).toBeVisible();
  };
  // A desktop shows the favor in a pane: it is drawn anew, and its sheet closes.
  const anotherTime = async (): Promise<void> => {
    await button(walk, "Another time").click();
    await expect(page.getByRole("dialog", { name: t("Propose another time") })).toBeVisible();
    await button(walk, "Send proposal").click();
  };
  const stepBack = async (): Promise<void> => {
    await button(walk, "Step back").click();
    await expect(page.getByLabel(t("Message (optional)"))).toBeVisible();
  };
  const askMore = async (): Promise<void> => {
    await button(walk, "Ask one more friend").click();
    await expect(page.getByRole("dialog").getByText("Priya Nair")).toBeVisible();
  };
  const pay = async (): Promise<void> => {
    await button(walk, "Pay with Venmo").click();
    await expect(page.getByText(t("Payment Method Not Available"))).toBeVisible();
  };
  for (const [name, list, title, act] of [
    ["favor-another-time", "/favors?view=asked", undefined, anotherTime],
    ["favor-step-back", "/favors?view=helping", undefined, stepBack],
    ["favor-ask", "/favors", "Carry a sofa up two flights of stairs", askMore],
    ["favor-pay", "/favors?tab=completed", "Hold the garden gate while I hang it", pay],
  ] as const) {
    await open(list, title);
    await act();
    await see(name, { restore: act });
  }
  await visit(page, "/favors?tab=browse");
  await button(walk, "Location").click();
  await page.getByRole("searchbox", { name: part("Search favors") }).fill("nothing is called so");
  await expect(page.getByRole("heading", { name: part("No favors found") })).toBeVisible();
  await see("favors-none-found", { typed: ["nothing is called so"] });
}

/** A desktop shows the form as a tab, a phone as a screen: a switch closes its sheets. */
export async function favorForm(walk: Walk): Promise<void> {
  const { page, see, seeWords, t, part } = walk;
  await visit(page, "/favors?tab=create");
  await expect(page.getByRole("heading", { name: t("Request a favor") })).toBeVisible();
  await see("form");
  const post = async (): Promise<void> => {
    await button(walk, "Post").click();
    await expect(page.getByText(t("Please select at least one recipient"))).toBeVisible();
    await expect(page.locator(":focus")).toContainText(t("Choose friends or groups"));
  };
  await post();
  await see("form-wrong", { restore: post });

  const calendar = page.getByRole("dialog", { name: t("Select Date & Time") });
  const chooseDay = async (): Promise<void> => {
    await page
      .getByRole("button", { name: part("Choose date and time") })
      .first()
      .click();
    await button(walk, "Next month").click();
    await calendar.getByRole("button", { name: / 15, / }).click();
  };
  await chooseDay();
  await see("form-date", { restore: chooseDay });
  await chooseDay();
  await calendar.getByRole("button", { name: t("Confirm"), exact: true }).click();

  const people = page.getByRole("dialog", { name: t("Who can help?") });
  const choosePeople = async (): Promise<void> => {
    await page.getByRole("button", { name: part("Who to ask") }).click();
    for (const name of [/Ben Carter/, /Marcus Hill/]) await people.getByRole("checkbox", { name }).check();
  };
  await choosePeople();
  await see("form-people", { restore: choosePeople });
  const chooseGroup = async (): Promise<void> => {
    await choosePeople();
    await people.getByRole("tab").last().click();
    await people.getByRole("checkbox", { name: /Book club/ }).check();
    await people.getByRole("button", { name: /Our street/ }).click();
    await expect(people.getByRole("checkbox", { name: /Marcus/ })).toBeVisible();
  };
  await chooseGroup();
  await see("form-groups", { restore: chooseGroup });
  await chooseGroup();
  await button(walk, "Done").click();
  await button(walk, "One more helper").click();
  await see("form-filled");
  await page
    .locator("label")
    .filter({ hasText: t("All friends") })
    .filter({ visible: true })
    .click();
  await see("form-all");
  await button(walk, "Start New").click();
  await expect(page.getByRole("dialog", { name: t("Start New") })).toBeVisible();
  await seeWords("form-clear");
  await closeSheet(walk);
}
