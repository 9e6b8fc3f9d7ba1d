// One favor all the way between two new members, one on a desktop and one on a phone. Each sees
// without a reload what the other does.
import type { Locator, Page } from "@playwright/test";
import { DESKTOP, expect, PHONE, test } from "./test";
import { choose, expectLogin, goTo, person, signOut, signUp } from "./people";

const TITLE = "Carry a sofa to the third floor";
const DESCRIPTION = "It is light, the stairs are wide, and there is lemonade at the top.";

test.use(DESKTOP);

/** A page that must stay the one it is: what it shows arrived live. */
async function mark(page: Page): Promise<void> {
  await page.evaluate(() => document.body.setAttribute("data-same-page", ""));
}

const badge = (page: Page): Locator => favor(page).locator(".badge").first();
/** The favor in full: a pane on a desktop, the whole screen on a phone. */
const favor = (page: Page): Locator =>
  page.getByRole("region", { name: "Favor Details" }).or(page.locator("main:not(:has(.pane))"));

/** The documents have "Confirm" for a status action; the question names the favor. */
async function step(page: Page, action: string, yes = "Confirm"): Promise<void> {
  await favor(page).getByRole("button", { name: action }).click();
  const question = page.getByRole("dialog");
  await expect(question).toContainText(TITLE);
  await question.getByRole("button", { name: yes }).click();
}

async function chooseStart(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Start Choose/ }).click();
  const sheet = page.getByRole("dialog", { name: "Select Date & Time" });
  await sheet.getByRole("button", { name: "Next month" }).click();
  await sheet.getByRole("button", { name: / 15, / }).click();
  await sheet.getByLabel("Hour").selectOption("6");
  await choose(page, "PM");
  await expect(sheet.getByText(/15.*6:00\sPM/)).toBeVisible();
  await sheet.getByRole("button", { name: "Confirm" }).click();
  await expect(sheet).toBeHidden();
}

async function chooseRecipient(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /^Who to ask/ }).click();
  const sheet = page.getByRole("dialog", { name: "Who can help?" });
  await sheet.getByRole("checkbox", { name: new RegExp(name) }).check();
  await expect(sheet.getByText("1 selected")).toBeVisible();
  await sheet.getByRole("button", { name: "Done" }).click();
  await expect(sheet).toBeHidden();
}

test("both_members_see_a_favor_live_from_sign_up_to_settled", async ({ page: ana, openBrowser }) => {
  const [anaWho, benWho] = [person("Ana Nova"), person("Ben Ortega")];
  const ben = await openBrowser(PHONE);

  await test.step("both sign up with a code from their mail", async () => {
    await Promise.all([signUp(ana, anaWho), signUp(ben, benWho)]);
    await expect(ana.getByRole("heading", { name: "First steps" })).toBeVisible();
    await mark(ana);
    await mark(ben);
  });

  await test.step("Ben finds Ana by her address and asks her", async () => {
    await goTo(ana, "Friends");
    await expect(ana.getByText("All caught up!")).toBeVisible();
    await goTo(ben, "Friends");
    await ben.getByRole("tab", { name: "Find Friends" }).click();
    await ben.getByLabel("Email or phone").fill(anaWho.email);
    await ben.getByRole("button", { name: "Search" }).click();
    await expect(ben.getByRole("heading", { name: anaWho.name })).toBeVisible();
    await ben.getByLabel("Personal message (optional)").fill("Your neighbour from number 12.");
    await ben.getByRole("button", { name: "Send Friend Request" }).click();
    await expect(ben.getByText("Friend Request Sent!")).toBeVisible();
  });

  await test.step("Ana sees the request and accepts it", async () => {
    await expect(ana.getByRole("heading", { name: benWho.name })).toBeVisible();
    await expect(ana.getByText("Your neighbour from number 12.")).toBeVisible();
    await ben.getByRole("tab", { name: "My Friends" }).click();
    await expect(ben.getByText("No friends yet.")).toBeVisible();
    await ana.getByRole("button", { name: `Accept ${benWho.name}` }).click();
    await expect(ana.getByText("Friend Request Accepted!")).toBeVisible();
    await expect(ben.getByRole("heading", { name: anaWho.name })).toBeVisible();
  });

  await test.step("Ana asks Ben for a favor", async () => {
    await goTo(ben, "Home");
    await goTo(ana, "Home");
    await ana.getByRole("button", { name: "Request a Favor" }).click();
    await ana.getByLabel("Title").fill(TITLE);
    await ana.getByLabel("Description").fill(DESCRIPTION);
    await choose(ana, "Physical Help");
    await chooseStart(ana);
    await ana.getByLabel("Tip (optional)").fill("15");
    await chooseRecipient(ana, benWho.name);
    await ana.getByRole("button", { name: "Post", exact: true }).click();
    await expect(ana.getByText("Your favor has been posted! Selected friends will be notified.")).toBeVisible();
    await ana.getByRole("link", { name: TITLE }).click();
    await expect(badge(ana)).toHaveText("active");
    // As documented: in upper case, and at least so wide.
    await expect(badge(ana)).toHaveCSS("text-transform", "uppercase");
    await expect(badge(ana)).toHaveCSS("min-width", "80px");
    await expect(favor(ana).getByText("No answer yet")).toBeVisible();
  });

  await test.step("Ben sees it on Home and accepts", async () => {
    await expect(ben.getByRole("heading", { name: "Needs your answer" })).toBeVisible();
    await ben.getByRole("article").getByRole("link", { name: TITLE, exact: true }).click();
    await expect(badge(ben)).toHaveText("pending");
    await expect(favor(ben).getByText(DESCRIPTION)).toBeVisible();
    await step(ben, "I can help", "I can help");
    await expect(ben.getByText("You're helping. Thank you!")).toBeVisible();
  });

  await test.step("both see it accepted", async () => {
    await expect(badge(ben)).toHaveText("accepted");
    await expect(badge(ana)).toHaveText("accepted");
    await expect(favor(ana).getByText("Ben accepted")).toBeVisible();
  });

  await test.step("Ben marks it completed", async () => {
    await step(ben, "Mark completed");
    await expect(badge(ben)).toHaveText("completed");
    await expect(badge(ana)).toHaveText("completed");
    await expect(favor(ana).getByText("Ben marked it completed")).toBeVisible();
  });

  await test.step("Ana settles it, and Ben has earned", async () => {
    await step(ana, "Mark settled");
    await expect(badge(ana)).toHaveText("settled");
    await expect(badge(ben)).toHaveText("settled");
    await expect(favor(ben).getByText("Ana marked it settled")).toBeVisible();
  });

  await test.step("nothing of this took a reload, and both sign out", async () => {
    for (const page of [ana, ben]) await expect(page.locator("body")).toHaveAttribute("data-same-page");
    await signOut(ana);
    await signOut(ben);
    await ana.reload();
    await expectLogin(ana);
  });
});
