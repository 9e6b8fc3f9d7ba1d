// Drafts of favors keep every word while they are saved and posted and while others change them.
import type { Page } from "@playwright/test";
import { Currency } from "../src/gen/goodturn/common/v1/currency_pb";
import { FavorStatus, RequestType } from "../src/gen/goodturn/favors/v1/favors_service_pb";
import { as, joined, twoFriends } from "./backstage";
import { fillDraft } from "./fill";
import { look, test } from "./looks";
import { choose, signIn, visit } from "./people";
import { expect } from "./test";

const STREAM = "**/*NotificationsService/WatchNotifications";
const CHANGED = "Changed elsewhere: title.";

const title = (page: Page) => page.getByLabel("Title");
const opener = (page: Page, label: string) => {
  const name = new RegExp(`^${label} (?!New)`);
  return page.getByRole("button", { name });
};
const saved = (page: Page) => page.getByText("Draft saved");
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function startNew(page: Page): Promise<void> {
  await press(page, "Start New");
  await page.getByRole("dialog").getByRole("button", { name: "Start New" }).click();
  await expect(title(page)).toHaveValue("");
}

/** Chooses a day in the next month and a full hour before noon. */
async function chooseTime(page: Page, label: string, day: number, hour: string): Promise<void> {
  await opener(page, label).click();
  const calendar = page.getByRole("dialog", { name: "Select Date & Time" });
  await expect(calendar.getByRole("button", { name: "Confirm" })).toBeVisible();
  const at = calendar.getByRole("button", { name: new RegExp(` ${day}, `) });
  if (label === "Start") await calendar.getByRole("button", { name: "Next month" }).click();
  await at.click();
  await calendar.getByLabel("Hour").selectOption(hour);
  await calendar.getByText("AM", { exact: true }).click();
  await calendar.getByRole("button", { name: "Confirm" }).click();
  await expect(calendar).toBeHidden();
}

/** Chooses friends to ask by their names. */
async function chooseFriends(page: Page, ...names: readonly string[]): Promise<void> {
  await opener(page, "Who to ask").click();
  for (const name of names) await page.getByRole("checkbox", { name: new RegExp(name) }).check();
  await press(page, "Done");
}

/** "Nov 24": the day after today where the browser is. */
async function tomorrowOf(page: Page): Promise<RegExp> {
  const day = await page.evaluate(() => {
    const at = new Date();
    at.setDate(at.getDate() + 1);
    return at.toLocaleDateString("en-US", { month: "short", day: "numeric" });
  });
  return new RegExp(day.replace(" ", "\\s"));
}

/** Opens a favor of one's own in the form that changes it. */
async function edit(page: Page, id: string): Promise<void> {
  await visit(page, `/favors/${id}?edit=1`);
  await expect(page.getByRole("button", { name: "Save changes" })).toBeVisible();
}

test("a_draft_is_saved_posted_cancelled_and_asked_again", async ({ page }) => {
  const { who, own } = await twoFriends("Eve Lang");
  await signIn(page, who);
  await visit(page, "/favors?tab=create");
  await fillDraft(page, "Water the basil");
  await opener(page, "Confirm by").click();
  await expect(page.getByText("Please select start date first")).toBeVisible();
  await press(page, "Save as Draft");
  await expect(saved(page)).toBeInViewport();
  await expect(saved(page)).toBeHidden();

  // It is the same draft from now on: what is chosen goes into it.
  await chooseTime(page, "Start", 15, "10");
  await chooseTime(page, "Confirm by", 15, "11");
  const late = "Invalid Date: Confirmation deadline cannot be after the start date";
  await expect(page.getByText(late)).toBeVisible();
  await chooseTime(page, "Confirm by", 15, "8");
  await page.getByLabel("Where (optional)").fill("Elm Street 12");
  await page.getByLabel("Tip (optional)").fill("12.5");
  await press(page, "Currency: USD. Change");
  await press(page, "Update Draft");
  await expect(saved(page)).toBeInViewport();
  const { DRAFT, ACTIVE } = FavorStatus;
  const more = { location: "Elm Street 12", tip: 12.5, currency: Currency.INR };
  expect(await own.favors()).toMatchObject([{ title: "Water the basil", status: DRAFT, ...more }]);

  await chooseFriends(page, "Ben Ortega");
  await press(page, "Post");
  const posted = "Your favor has been posted! Selected friends will be notified.";
  await expect(page.getByText(posted)).toBeVisible();
  expect((await own.favors()).map(({ status }) => status)).toEqual([ACTIVE]);

  // Cloning asks before it takes the place of unsaved words.
  await own.cancel("Water the basil");
  await visit(page, "/favors?tab=create");
  await fillDraft(page, "Turn the compost");
  await visit(page, "/favors?tab=completed&view=cancelled");
  await page.getByRole("link", { name: "Water the basil" }).click();
  await press(page, "Clone");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await visit(page, "/favors?tab=create");
  await expect(title(page)).toHaveValue("Turn the compost");
  await startNew(page);

  // The new one is for tomorrow, and for other friends.
  await visit(page, "/favors?tab=completed&view=cancelled");
  await page.getByRole("link", { name: "Water the basil" }).click();
  await press(page, "Clone");
  await expect(title(page)).toHaveValue("Water the basil");
  const tomorrow = await tomorrowOf(page);
  for (const label of ["Start", "Confirm by"]) {
    await expect(opener(page, label)).toContainText(tomorrow);
    await expect(opener(page, label)).toContainText(/10:00\sAM/);
  }
  await expect(page.getByLabel("Tip (optional)")).toHaveValue("");
  await expect(page.getByRole("button", { name: "Currency: USD. Change" })).toBeVisible();
  await expect(opener(page, "Who to ask")).toContainText("Choose friends or groups");
  await startNew(page);
});

test("a_draft_changes_between_all_friends_and_some_and_is_posted_to_all", async ({ page }) => {
  const { who, own } = await twoFriends("Eve Lang");
  await (await as(await joined("Cora Lind"))).askToBeFriends(who);
  await own.acceptFriends();
  await signIn(page, who);
  await visit(page, "/favors?tab=create");
  await fillDraft(page, "Carry a sofa");
  await choose(page, "All friends");
  await press(page, "Save as Draft");
  await expect(saved(page)).toBeInViewport();
  const { PUBLIC, DIRECT } = RequestType;
  expect(await own.favors()).toMatchObject([{ requestType: PUBLIC, recipients: [] }]);

  await choose(page, "Friends I choose");
  await chooseFriends(page, "Ben Ortega", "Cora Lind");
  await press(page, "One more helper");
  await expect(page.getByText(/One more stands by/)).toBeVisible();
  await press(page, "Update Draft");
  await expect(saved(page)).toBeInViewport();
  const [several] = await own.favors();
  expect(several).toMatchObject({ requestType: DIRECT, maxResponses: 2 });
  expect(several?.recipients).toHaveLength(2);

  await chooseTime(page, "Start", 15, "10");
  await choose(page, "All friends");
  await press(page, "Post");
  const text = "Your favor has been posted! All your friends can see it.";
  await expect(page.getByText(text)).toBeVisible();
  const [posted] = await own.favors();
  const { ACTIVE } = FavorStatus;
  expect(posted).toMatchObject({ status: ACTIVE, requestType: PUBLIC, recipients: [] });
  // Friends may have offered help by now: it stays theirs to see.
  await edit(page, posted?.id ?? "");
  await expect(page.getByText(/All your friends can see it/)).toBeVisible();
  await expect(page.getByRole("radio", { name: "Friends I choose" })).toHaveCount(0);
});

test("a_change_elsewhere_is_shown_and_never_overwritten", async ({ page }, info) => {
  const who = await joined("Eve Lang");
  const own = await as(who);
  const [fence, gate, compost] = [
    await own.draft("Mend the fence"),
    await own.draft("Mend the gate"),
    await own.draft("Turn the compost"),
  ];
  const titles = async () => (await own.favors()).map((favor) => favor.title).toSorted();
  const words = page.getByLabel("Description");

  // Without the live stream nothing tells this screen of the change: the server refuses it.
  await page.route(STREAM, () => undefined);
  await signIn(page, who);
  await edit(page, fence);
  await words.fill("Two boards are loose.");
  await own.retitle(fence, "Paint the fence");
  await press(page, "Save changes");
  await expect(page.getByText(CHANGED)).toBeInViewport();
  expect(await titles()).toEqual(["Mend the gate", "Paint the fence", "Turn the compost"]);

  // Typed words outlive the page, and know which version they belong to.
  await page.unroute(STREAM);
  await edit(page, gate);
  await title(page).fill("Mend the gate and the door");
  await page.goto("/settings");
  await own.retitle(gate, "Oil the gate");
  const stream = page.waitForResponse(/WatchNotifications$/);
  await page.goto(`/favors/${gate}?edit=1`);
  await expect(title(page)).toHaveValue("Mend the gate and the door");
  await expect(page.getByText(CHANGED)).toBeInViewport();
  await press(page, "Load the newer version");
  await expect(title(page)).toHaveValue("Oil the gate");
  await stream;

  // The live stream tells of a change at once.
  await words.fill("One hinge is loose.");
  await own.retitle(gate, "Paint the gate");
  await expect(page.getByText(CHANGED)).toBeInViewport();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeHidden();
  await look(page, info, "form-elsewhere");
  await press(page, "Keep my changes");
  await press(page, "Save changes");
  await expect(page.getByText("Favor updated successfully")).toBeInViewport();
  const kept = (await own.favors()).find(({ id }) => id === gate);
  expect(kept).toMatchObject({ title: "Oil the gate", description: "One hinge is loose." });

  // A favor that is deleted elsewhere leaves no buttons behind, and no word is lost.
  await edit(page, compost);
  await title(page).fill("Turn the compost twice");
  await own.remove(compost);
  await expect(page.getByText("You can't see this favor")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeHidden();
  await press(page, "Use for a new favor");
  await expect(page.getByRole("button", { name: "Save as Draft" })).toBeVisible();
  await expect(title(page)).toHaveValue("Turn the compost twice");
});
