// Helping, from an offer to the tip: another time, a back-up, stepping back, offers to all friends.
// Two members look at it in browsers of their own. Each sees without a reload what the other does.
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./test";
import { FavorResponse, RequestType } from "../src/gen/later/goodturn/favors/v1/favors_service_pb";
import { as, befriend, joined } from "./backstage";
import { isPhone, signIn, visit } from "./people";

const PIANO = "Move a piano";
const BREAD = "Bake bread for Sunday";
const PARTY = "Set up the street party";

/** The favor in full: a pane on a desktop, the whole screen on a phone. */
const favor = (page: Page): Locator =>
  page.getByRole("region", { name: "Favor Details" }).or(page.locator("main:not(:has(.pane))"));
const badge = (page: Page): Locator => favor(page).locator(".badge").first();
const press = (page: Page, name: string | RegExp): Promise<void> =>
  favor(page).getByRole("button", { name, exact: true }).click();

async function confirm(page: Page, about: string, yes = "Confirm"): Promise<void> {
  const question = page.getByRole("dialog");
  await expect(question).toContainText(about);
  await question.getByRole("button", { name: yes, exact: true }).click();
}

/** Something that goes along with a few words, in a sheet. */
async function tell(page: Page, title: string, words: string, yes: string): Promise<void> {
  const sheet = page.getByRole("dialog", { name: title });
  await sheet.getByLabel("Message (optional)").fill(words);
  await sheet.getByRole("button", { name: yes, exact: true }).click();
  await expect(sheet).toBeHidden();
}

test("both_members_see_each_step_of_helping_live", async ({ page: eve, openBrowser }) => {
  const [eveWho, benWho, zoeWho] = await Promise.all([joined("Eve Lang"), joined("Ben Ortega"), joined("Zoe Arndt")]);
  await befriend(eveWho, [benWho, zoeWho]);
  const [own, zoe] = await Promise.all([as(eveWho), as(zoeWho)]);
  const piano = await own.post(PIANO, [benWho, zoeWho], { maxResponses: 2, tip: 15 });
  const ben = await openBrowser();
  await Promise.all([signIn(eve, eveWho), signIn(ben, benWho)]);

  await test.step("Ben proposes another time, and Eve takes it", async () => {
    await Promise.all([visit(eve, `/favors/${piano}`), visit(ben, `/favors/${piano}`)]);
    await expect(favor(eve).getByText("No answer yet")).toBeVisible();
    await press(ben, "Another time");
    await ben.getByRole("button", { name: /^Propose a start/ }).click();
    const calendar = ben.getByRole("dialog", { name: "Select Date & Time" });
    await calendar.getByRole("button", { name: "Next month" }).click();
    await calendar.getByRole("button", { name: / 15, / }).click();
    await calendar.getByRole("button", { name: "Confirm" }).click();
    const sheet = ben.getByRole("dialog", { name: "Propose another time" });
    await sheet.getByRole("textbox").fill("My brother helps then");
    await sheet.getByRole("button", { name: "Send proposal" }).click();
    await expect(ben.getByText("Your proposal was sent")).toBeVisible();
    await expect(eve.getByRole("list", { name: "Proposed times" })).toContainText("My brother helps then");
    await eve.getByRole("button", { name: /^Use this time: .*15.*Ben Ortega/ }).click();
    await confirm(eve, PIANO, "Use this time");
    await expect(eve.getByText("The favor has a new time")).toBeVisible();
    await expect(badge(eve)).toHaveText("accepted");
    await expect(badge(ben)).toHaveText("accepted");
    await expect(
      favor(ben)
        .getByText(/15.*10:00\sAM/)
        .first(),
    ).toBeVisible();
  });

  await test.step("Zoe is the back-up, and moves up when Ben steps back", async () => {
    await zoe.acts.respondToFavor({ id: piano, response: FavorResponse.ACCEPT });
    await expect(favor(eve).locator(".backups")).toHaveText("Zoe Arndt");
    await press(ben, "Step back");
    await tell(ben, "Step back from this favor?", "My back hurts, sorry", "Step back");
    await expect(ben.getByText("You stepped back")).toBeVisible();
    await expect(favor(eve).getByText("My back hurts, sorry")).toBeVisible();
    await expect(favor(eve).getByText("Zoe moved up and is helping now")).toBeVisible();
    await expect(favor(eve).locator(".backups")).toBeHidden();
  });

  await test.step("Eve pays Zoe, who says that nothing arrived", async () => {
    await zoe.profile.updateProfile({
      data: { paymentInfo: { venmoUsername: "zoe-arndt" } },
      updateMask: { paths: ["data.payment_info.venmo_username"] },
    });
    // However long the helper's address is, it does not lie on the name.
    const gap_px = await favor(eve)
      .locator(".factlist a.mail")
      .evaluate((mail) => {
        const range = document.createRange();
        range.selectNodeContents(mail);
        const tops = [...range.getClientRects()].map(({ top }) => top);
        return Math.min(...tops) - (mail.previousElementSibling?.getBoundingClientRect().bottom ?? 0);
      });
    expect(gap_px).toBeGreaterThan(-4);
    await press(eve, "Mark completed");
    await eve.getByLabel("Thank-you note (optional)").fill("Not a scratch on it");
    await confirm(eve, PIANO);
    await expect(favor(eve).getByText("Not a scratch on it")).toBeVisible();
    await expect(favor(eve).getByText("Thank Zoe with a tip")).toBeVisible();
    await press(eve, "Pay with PayPal");
    await expect(eve.getByText("Payment Method Not Available")).toBeVisible();
    await press(eve, "Pay with Venmo");
    await expect(favor(eve).getByText("@zoe-arndt", { exact: true })).toBeVisible();
    const shown = isPhone(eve) ? eve.getByText("Venmo App Not Installed") : eve.getByRole("img", { name: /Venmo/ });
    await expect(shown).toBeVisible();
    // All of it stands above the actions, where there is room for it.
    const card = favor(eve).locator(".pay .card");
    const bar = favor(eve).locator(".stick");
    await expect
      .poll(async () => ((await card.boundingBox())?.y ?? 0) + ((await card.boundingBox())?.height ?? 0))
      .toBeLessThanOrEqual(((await bar.boundingBox())?.y ?? 0) + 1);
    await press(eve, "Mark settled");
    await confirm(eve, PIANO);
    await expect(badge(eve)).toHaveText("settled");
    await expect(eve.getByRole("region", { name: "Payment" })).toBeHidden();
    await zoe.acts.reportMissingTip({ id: piano, message: "Not yet" });
    await expect(favor(eve).getByText("Zoe said the tip didn't arrive")).toBeVisible();
    await expect(eve.getByRole("region", { name: "Payment" })).toBeVisible();
  });

  await test.step("Ben offers to help with what all friends may, and is chosen", async () => {
    const party = await own.post(PARTY, [], { requestType: RequestType.PUBLIC });
    await Promise.all([visit(eve, `/favors/${party}`), visit(ben, `/favors/${party}`)]);
    await expect(badge(ben)).toHaveText("open");
    await expect(favor(eve).getByText("Nobody has offered yet")).toBeVisible();
    await press(ben, "Offer to help");
    await tell(ben, "Offer to help?", "I have a van", "Offer to help");
    await expect(favor(ben).getByText(/We'll let you know when someone is chosen/)).toBeVisible();
    await expect(favor(eve).getByText("I have a van").first()).toBeVisible();
    await press(eve, "Ask one more friend");
    const askZoe = eve.getByRole("button", { name: "Ask Zoe Arndt" });
    await expect(askZoe).toBeVisible();
    // An offer would be lost by asking.
    await expect(eve.getByRole("button", { name: "Ask Ben Ortega" })).toHaveCount(0);
    await askZoe.click();
    await tell(eve, "Ask Zoe Arndt", "You were so quick last time", "Ask");
    await expect(eve.getByText("We asked your friend")).toBeVisible();
    await expect(eve.getByRole("list", { name: "Offers to help" }).getByRole("listitem")).toHaveCount(1);
    await press(eve, "Choose Ben Ortega");
    await confirm(eve, PARTY, "Choose");
    await expect(badge(eve)).toHaveText("accepted");
    await expect(badge(ben)).toHaveText("accepted");
    await expect(favor(ben).getByRole("button", { name: "Mark completed" })).toBeVisible();
  });

  await test.step("Eve calls it off, and Ben sees that", async () => {
    await press(eve, "More");
    await eve.getByRole("dialog").getByRole("button", { name: "Mark cancelled" }).click();
    await confirm(eve, PARTY);
    await expect(badge(ben)).toHaveText("cancelled");
    await expect(favor(ben).getByText("Eve cancelled this favor")).toBeVisible();
  });

  await test.step("Ben declines, finds it where he was asked, and helps after all", async () => {
    const bread = await own.post(BREAD, [benWho]);
    await Promise.all([visit(eve, `/favors/${bread}`), visit(ben, "/favors?view=asked")]);
    await ben.getByRole("link", { name: BREAD }).first().click();
    await press(ben, "I can't");
    await ben.getByLabel("Reason (optional)").fill("I'm out of flour");
    await ben.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
    await expect(badge(ben)).toHaveText("declined");
    await expect(favor(eve).getByText("I'm out of flour")).toBeVisible();
    await expect(favor(eve).getByText("Ben can't help")).toBeVisible();
    await visit(ben, "/favors?view=asked");
    await ben.getByRole("list", { name: "You declined" }).getByRole("link", { name: BREAD }).click();
    await press(ben, "I can help");
    await ben.getByRole("dialog").getByRole("button", { name: "I can help" }).click();
    await expect(badge(ben)).toHaveText("accepted");
    await expect(badge(eve)).toHaveText("accepted");
    await visit(ben, "/favors?view=asked");
    await expect(ben.getByRole("heading", { name: "Nobody is waiting for your answer" })).toBeVisible();
    await expect(ben.getByRole("list", { name: "You declined" })).toBeHidden();
  });
});
