// Lending: asked, accepted, handed over, kept longer, given back, confirmed and rated. Two members
// look at it in browsers of their own. Each sees without a reload what the other does.
import type { Locator, Page } from "@playwright/test";
import { expect } from "./test";
import { Currency } from "../src/gen/later/goodturn/common/v1/currency_pb";
import { ItemCategory, ItemStatus } from "../src/gen/later/goodturn/items/v1/items_service_pb";
import { as, befriend, joined } from "./backstage";
import { look, test } from "./looks";
import { BLUE, painted, RED } from "./paint";
import { asDemo, signIn, visit } from "./people";

const TITLE = "Projector for movie nights";
const PHOTO = { name: "projector.png", mimeType: "image/png", buffer: painted(1200, 900, RED, BLUE) };
const REQUESTS = "/share?tab=requests";

const card = (page: Page, name: string): Locator => page.getByRole("article").filter({ hasText: name });
const region = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
const badge = (page: Page): Locator => page.getByRole("main").locator(".badge").first();
const story = (page: Page): Locator => page.getByRole("list", { name: "The story so far" });
const press = (page: Page, name: string): Promise<void> =>
  page.getByRole("main").getByRole("button", { name, exact: true }).click();
/** The first day that can be chosen and is not: with nothing chosen, today where the item is. */
const firstFree = (place: Locator | Page): Locator =>
  place.getByRole("table").getByRole("button", { disabled: false, pressed: false }).first();

async function confirm(page: Page, yes: string): Promise<void> {
  const question = page.getByRole("dialog");
  await expect(question).toContainText(TITLE);
  await question.getByRole("button", { name: yes, exact: true }).click();
}

/** Notes a hand-over or a return in its sheet, with a picture if one is given. */
async function note(page: Page, title: string, words: string, yes: string, photo?: typeof PHOTO): Promise<void> {
  const sheet = page.getByRole("dialog", { name: title });
  await sheet.getByLabel("Note (optional)").fill(words);
  if (photo !== undefined) {
    await sheet.locator("input[type=file]").setInputFiles(photo);
    await expect(sheet.getByRole("button", { name: "Remove picture 1" })).toBeVisible();
    await expect(sheet.getByRole("progressbar")).toHaveCount(0);
  }
  await sheet.getByRole("button", { name: yes, exact: true }).click();
  await expect(sheet).toBeHidden();
}

async function rate(page: Page, stars: string, words = ""): Promise<void> {
  await press(page, "Rate");
  const sheet = page.getByRole("dialog", { name: "How was it?" });
  await sheet
    .locator("label")
    .filter({ has: page.getByRole("radio", { name: stars }) })
    .click();
  await sheet.getByLabel("Note (optional)").fill(words);
  await sheet.getByRole("button", { name: "Rate", exact: true }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByText(`You gave ${stars}`)).toBeVisible();
}

/** Eve lends a projector, which her friends Ben and Zoe may ask for. */
async function lender() {
  const [eveWho, benWho, zoeWho] = await Promise.all([joined("Eve Lang"), joined("Ben Ortega"), joined("Zoe Arndt")]);
  await befriend(eveWho, [benWho, zoeWho]);
  const [eve, zoe] = await Promise.all([as(eveWho), as(zoeWho)]);
  const { item } = await eve.items.createItem({
    title: TITLE,
    description: "Bright enough for a garden wall after dusk.",
    category: ItemCategory.ELECTRONICS,
    status: ItemStatus.LISTED,
    pricePerDay: 5,
    deposit: 40,
    currency: Currency.USD,
    maxDays: 7,
  });
  const zone = async () => (await eve.profile.getProfile({})).profile?.details?.timeZone;
  return { eveWho, benWho, zoe, itemId: item?.itemId ?? "", zone };
}

test("both_members_see_each_step_of_a_loan_live", async ({ page: eve, openBrowser }, info) => {
  test.slow();
  const { eveWho, benWho, zoe, itemId, zone } = await lender();
  const ben = await openBrowser();
  await Promise.all([signIn(eve, eveWho), signIn(ben, benWho)]);
  // Today is where the item is: her browser tells that a moment after the sign-in.
  await expect.poll(zone).toBe(info.project.use.timezoneId);
  let rental = "";

  await test.step("Ben asks for today, and Eve sees it", async () => {
    await visit(eve, REQUESTS);
    await expect(eve.getByRole("heading", { name: "No received requests" })).toBeVisible();
    await visit(ben, `/share/items/${itemId}/borrow`);
    await ben.getByRole("button", { name: "Send Borrow Request" }).click();
    await expect(ben.getByText("Please select borrowing dates first.")).toBeVisible();
    await firstFree(ben).click();
    await ben.getByRole("table").getByRole("button", { pressed: true }).click();
    await expect(ben.getByText("It's available on this day.")).toBeVisible();
    await ben.getByLabel("Message (optional)").fill("A film for the courtyard. You are invited, of course.");
    await ben.getByLabel("Gratitude (optional)").fill("5");
    await expect(ben.getByText("$50.00 USD")).toBeVisible();
    await look(ben, info, "borrow");
    await ben.getByRole("button", { name: "Send Borrow Request" }).click();
    await expect(ben).toHaveURL(/tab=requests&view=sent$/);
    await expect(ben.getByText("Your request was sent. We let the owner know.")).toBeVisible();
    await expect(card(ben, TITLE)).toContainText("pending", { ignoreCase: true });
    await expect(card(eve, "Ben Ortega")).toContainText("A film for the courtyard.");
  });

  await test.step("Zoe asks for the same days, which Ben has as soon as Eve accepts", async () => {
    const { today } = await zoe.rentals.checkAvailability({ itemId });
    await zoe.rentals.requestRental({ itemId, startDate: today, endDate: today });
    await expect(card(eve, "Zoe Arndt")).toBeVisible();
    await card(eve, "Ben Ortega").getByRole("button", { name: "Accept" }).click();
    await confirm(eve, "Accept");
    await expect(eve.getByText("Request accepted. We let the borrower know.")).toBeVisible();
    await expect(card(ben, TITLE)).toContainText("accepted", { ignoreCase: true });
    await expect(card(ben, TITLE)).toContainText(eveWho.email);
    await expect(card(eve, "Zoe Arndt")).toContainText("Some of these dates are no longer available.");
    await look(eve, info, "requests");
    await eve.getByRole("button", { name: "Declined 0" }).click();
    await expect(eve.getByRole("heading", { name: "No declined received requests" })).toBeVisible();
  });

  await test.step("Eve hands it over, with a note and a picture", async () => {
    await card(ben, TITLE).getByRole("link", { name: TITLE }).click();
    await expect(story(ben)).toContainText("Eve accepted");
    rental = new URL(ben.url()).pathname;
    await visit(eve, rental);
    await press(eve, "Mark handed over");
    await note(eve, "Mark as handed over", "All there, the lens is clean.", "Mark handed over", PHOTO);
    await expect(badge(ben)).toHaveText("active", { ignoreCase: true });
    await expect(region(ben, "Handover")).toContainText("All there, the lens is clean.");
    const photo = region(ben, "Handover").getByRole("img", { name: "Picture 1 of 1" });
    await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await expect(ben.getByText("Due today")).toBeVisible();
    await look(ben, info, "rental");
  });

  await test.step("Eve has the deposit, and Ben sees that", async () => {
    await expect(region(ben, "Payment")).toContainText("Not received yet");
    await press(eve, "Mark deposit as received");
    await confirm(eve, "Mark as received");
    await expect(region(ben, "Payment")).toContainText("Paid on");
  });

  await test.step("Ben asks for one more day, and Eve agrees", async () => {
    await press(ben, "Ask for more days");
    const sheet = ben.getByRole("dialog", { name: "Ask for more days" });
    await firstFree(sheet).click();
    await expect(sheet.getByText(/New total: .*That's \$5\.00 USD more\./)).toBeVisible();
    await look(ben, info, "rental-more-days");
    await sheet.getByRole("button", { name: "Ask for more days" }).click();
    await expect(sheet).toBeHidden();
    await expect(region(eve, "More days")).toContainText("That's $5.00 USD more.");
    await press(eve, "Agree");
    await confirm(eve, "Agree");
    await expect(ben.getByText("1 day left")).toBeVisible();
    await expect(region(ben, "More days")).toHaveCount(0);
    await visit(ben, "/share?tab=active");
    await expect(card(ben, TITLE)).toContainText("1 day left");
    await visit(ben, "/");
    await expect(region(ben, "What's due")).toContainText("Return to Eve Lang");
  });

  await test.step("Ben gives it back, and Eve confirms it", async () => {
    await visit(ben, rental);
    await press(ben, "Mark returned");
    await note(ben, "Mark as returned", "Dusted, with the cable.", "Mark returned");
    await expect(ben.getByText("Waiting for owner to confirm return")).toBeVisible();
    await expect(region(eve, "Return")).toContainText("Dusted, with the cable.");
    await press(eve, "Confirm return");
    await note(eve, "Confirm the return", "Thank you, all there.", "Confirm return", PHOTO);
    await expect(badge(ben)).toHaveText("completed", { ignoreCase: true });
    await expect(story(ben)).toContainText("Eve confirmed the return");
    await expect(region(ben, "Confirmation")).toContainText("Thank you, all there.");
    await expect(region(ben, "Confirmation").getByRole("img", { name: "Picture 1 of 1" })).toBeVisible();
  });

  await test.step("Ben pays all that is due, and gets the deposit back", async () => {
    await expect(region(ben, "Ways to pay")).toContainText("$15.00");
    await press(ben, "Mark as paid");
    await confirm(ben, "Mark as paid");
    await expect(region(ben, "Ways to pay")).toHaveCount(0);
    await expect(region(eve, "Payment")).toContainText("Paid $15.00 USD");
    await press(eve, "Mark deposit as returned");
    await confirm(eve, "Mark as returned");
    await expect(region(ben, "Payment")).toContainText("marked it as returned on");
    await expect(story(ben)).toContainText("Eve marked the deposit as returned");
  });

  await test.step("each rates the other, once", async () => {
    await rate(ben, "5 stars", "Explained it well");
    await expect(eve.getByText("Explained it well")).toBeVisible();
    await rate(eve, "4 stars");
    await expect(eve.getByRole("button", { name: "Rate", exact: true })).toHaveCount(0);
    // Each sees how the other stands by now.
    await expect(ben.getByText("5.0 out of 5")).toBeVisible();
    await expect(eve.getByText("4.0 out of 5")).toBeVisible();
  });
});

test("a_return_becomes_its_confirmation_and_keeps_typed_words_and_pictures", async ({ page: eve }) => {
  const { eveWho, zoe, itemId } = await lender();
  const { today } = await zoe.rentals.checkAvailability({ itemId });
  const { rental } = await zoe.rentals.requestRental({ itemId, startDate: today, endDate: today });
  const about = { itemId, requestId: rental?.requestId ?? "" };
  const own = await as(eveWho);
  await own.rentals.acceptRental(about);
  await own.rentals.startRental(about);
  const watching = eve.waitForResponse(/WatchNotifications$/);
  await signIn(eve, eveWho);
  await watching;
  await visit(eve, `/share/rentals/${about.requestId}`);
  await press(eve, "I have it back");
  const sheet = eve.getByRole("dialog");
  const words = sheet.getByLabel("Note (optional)");
  await words.fill("The lens is scratched.");
  await sheet.locator("input[type=file]").setInputFiles(PHOTO);
  await expect(sheet.getByRole("button", { name: "Remove picture 1" })).toBeVisible();
  await expect(sheet.getByRole("progressbar")).toHaveCount(0);
  await zoe.rentals.returnRental(about);
  await expect(sheet).toHaveAccessibleName("Confirm the return");
  await expect(sheet).toContainText("Zoe Arndt just marked it returned.");
  await expect(words).toHaveValue("The lens is scratched.");
  await sheet.getByRole("button", { name: "Confirm return", exact: true }).click();
  await expect(sheet).toBeHidden();
  await expect(badge(eve)).toHaveText("completed", { ignoreCase: true });
  await expect(region(eve, "Confirmation")).toContainText("The lens is scratched.");
  await expect(region(eve, "Confirmation").getByRole("img", { name: "Picture 1 of 1" })).toBeVisible();
});

test("an_overdue_loan_says_so", async ({ page }) => {
  await asDemo(page);
  await expect(region(page, "What's due")).toContainText(/days? overdue/);
  await visit(page, "/share?tab=active&view=lending");
  await expect(
    page
      .getByRole("article")
      .filter({ hasText: /days? overdue/ })
      .first(),
  ).toBeVisible();
});
