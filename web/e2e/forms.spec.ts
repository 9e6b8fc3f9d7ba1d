// The favor form loses nothing: taps that follow each other, what happens elsewhere, screens that are left; and it says so where the thumb is.
import { expect, type Page, type Route } from "@playwright/test";
import { Currency } from "../src/gen/goodturn/common/v1/currency_pb";
import { FavorStatus, RequestType } from "../src/gen/goodturn/favors/v1/favors_service_pb";
import { as, joined, twoFriends } from "./backstage";
import { look, picture, test } from "./looks";
import { asDemo, choose, goTo, leaveForm, signIn } from "./people";

const CREATE = "**/*FavorsService/CreateFavor";
const STREAM = "**/*NotificationsService/WatchNotifications";

/** Fills what a draft needs. */
async function fill(page: Page, title: string): Promise<void> {
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Description").fill("It takes ten minutes and there is cake.");
}

/** Holds calls back until they are let go. */
async function holdBack(page: Page, url: string): Promise<() => Promise<void>> {
  const held: Route[] = [];
  // What comes later, as a second favor would, is let through and seen in the lists.
  await page.route(url, (route) => (held.length === 0 ? void held.push(route) : route.continue()));
  return async () => {
    expect(held).toHaveLength(1);
    for (const route of held.splice(0)) await route.continue();
    await page.unroute(url);
  };
}

/** Opens the first favor of one's own for editing, where a phone and a desktop have it. */
async function edit(page: Page, id: string): Promise<void> {
  await page.goto(`/favors/${id}?edit=1`);
  await expect(page.getByRole("button", { name: "Save changes" })).toBeVisible();
}

test("save_and_post_within_one_round_trip_make_one_favor", async ({ page }) => {
  const { who, own } = await twoFriends("Eve Lang");
  await signIn(page, who);
  await page.goto("/favors?tab=create");
  await fill(page, "Water the basil");
  await page.getByRole("button", { name: /^Start Choose/ }).click();
  const calendar = page.getByRole("dialog", { name: "Select Date & Time" });
  await calendar.getByRole("button", { name: "Next month" }).click();
  await calendar.getByRole("button", { name: /^15 / }).click();
  await calendar.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("button", { name: /^Who to ask/ }).click();
  await page.getByRole("checkbox", { name: /Ben Ortega/ }).check();
  await page.getByRole("button", { name: "Done" }).click();

  const letGo = await holdBack(page, CREATE);
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await letGo();
  await expect(page.getByText("Your favor has been posted! Selected friends will be notified.")).toBeVisible();
  expect((await own.favors()).map(({ title }) => title)).toEqual(["Water the basil"]);
});

const opener = (page: Page, label: string) => page.getByRole("button", { name: new RegExp(`^${label} (?!New)`) });
const saved = (page: Page) => page.getByText("Draft saved");

/** A day in the next month and a full hour before noon. */
async function chooseTime(page: Page, label: string, day: number, hour: string): Promise<void> {
  await opener(page, label).click();
  const calendar = page.getByRole("dialog", { name: "Select Date & Time" });
  await expect(calendar.getByRole("button", { name: "Confirm" })).toBeVisible();
  const at = calendar.getByRole("button", { name: new RegExp(`^${day} `) });
  if (label === "Start") await calendar.getByRole("button", { name: "Next month" }).click();
  await at.click();
  await calendar.getByLabel("Hour").selectOption(hour);
  await calendar.getByRole("button", { name: "Confirm" }).click();
  await expect(calendar).toBeHidden();
}

/** "Nov 24": the day after today where the browser is. How far away ten o'clock is changes with the hour. */
async function tomorrowOf(page: Page): Promise<RegExp> {
  const day = await page.evaluate(() => {
    const at = new Date();
    at.setDate(at.getDate() + 1);
    return at.toLocaleDateString("en-US", { month: "short", day: "numeric" });
  });
  return new RegExp(day.replace(" ", "\\s"));
}

test("a_draft_is_updated_posted_called_off_and_asked_again", async ({ page }) => {
  const { who, own } = await twoFriends("Eve Lang");
  await signIn(page, who);
  await page.goto("/favors?tab=create");
  await fill(page, "Water the basil");
  await opener(page, "Confirm by").click();
  await expect(page.getByText("Please select start date first")).toBeVisible();
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await expect(saved(page)).toBeInViewport();
  await expect(saved(page)).toBeHidden();

  // The same draft from now on: what is chosen goes into it.
  await chooseTime(page, "Start", 15, "10");
  await chooseTime(page, "Confirm by", 15, "11");
  await expect(page.getByText("Invalid Date: Confirmation deadline cannot be after the start date")).toBeVisible();
  await chooseTime(page, "Confirm by", 15, "8");
  await page.getByLabel("Where (optional)").fill("Elm Street 12");
  await page.getByLabel("Tip (optional)").fill("12.5");
  await page.getByRole("button", { name: "Currency: USD. Change" }).click();
  await page.getByRole("button", { name: "Update Draft" }).click();
  await expect(saved(page)).toBeInViewport();
  expect(await own.favors()).toMatchObject([
    {
      title: "Water the basil",
      status: FavorStatus.DRAFT,
      location: "Elm Street 12",
      tip: 12.5,
      currency: Currency.INR,
    },
  ]);

  await opener(page, "Who to ask").click();
  await page.getByRole("checkbox", { name: /Ben Ortega/ }).check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByText("Your favor has been posted! Selected friends will be notified.")).toBeVisible();
  expect((await own.favors()).map(({ status }) => status)).toEqual([FavorStatus.ACTIVE]);

  // What is over can be asked again, for tomorrow and of somebody else.
  await own.cancel("Water the basil");
  await page.goto("/favors?tab=completed&view=cancelled");
  await page.getByRole("link", { name: "Water the basil" }).click();
  await page.getByRole("button", { name: "Ask again" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("Water the basil");
  const tomorrow = await tomorrowOf(page);
  for (const label of ["Start", "Confirm by"]) {
    await expect(opener(page, label)).toContainText(tomorrow);
    await expect(opener(page, label)).toContainText(/10:00\sAM/);
  }
  await expect(page.getByLabel("Tip (optional)")).toHaveValue("");
  await expect(page.getByRole("button", { name: "Currency: USD. Change" })).toBeVisible();
  await expect(opener(page, "Who to ask")).toContainText("Choose friends or groups");
  await page.getByRole("button", { name: "Start New" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start New" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("");
});

test("a_draft_goes_from_all_friends_to_several_and_back_and_is_posted_to_all", async ({ page }) => {
  const { who, own } = await twoFriends("Eve Lang");
  await (await as(await joined("Cora Lind"))).askToBeFriends(who);
  await own.acceptFriends();
  await signIn(page, who);
  await page.goto("/favors?tab=create");
  await fill(page, "Carry a sofa");
  await choose(page, "All friends");
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await expect(saved(page)).toBeInViewport();
  expect(await own.favors()).toMatchObject([{ requestType: RequestType.PUBLIC, recipients: [] }]);

  await choose(page, "Friends I choose");
  await opener(page, "Who to ask").click();
  for (const name of [/Ben Ortega/, /Cora Lind/]) await page.getByRole("checkbox", { name }).check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "One more may accept" }).click();
  await expect(page.getByText(/One more stands by/)).toBeVisible();
  await page.getByRole("button", { name: "Update Draft" }).click();
  await expect(saved(page)).toBeInViewport();
  const [several] = await own.favors();
  expect(several).toMatchObject({ requestType: RequestType.DIRECT, maxResponses: 2 });
  expect(several?.recipients).toHaveLength(2);

  await chooseTime(page, "Start", 15, "10");
  await choose(page, "All friends");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByText("Your favor has been posted! All your friends can see it.")).toBeVisible();
  const [posted] = await own.favors();
  expect(posted).toMatchObject({ status: FavorStatus.ACTIVE, requestType: RequestType.PUBLIC, recipients: [] });
  // Friends may have offered help by now: it stays theirs to see.
  await edit(page, posted?.id ?? "");
  await expect(page.getByText(/Every friend of yours can see it/)).toBeVisible();
  await expect(page.getByRole("radio", { name: "Friends I choose" })).toHaveCount(0);
});

test("a_form_that_is_left_while_it_saves_makes_no_second_draft", async ({ page }) => {
  const who = await joined("Eve Lang");
  await signIn(page, who);
  await page.goto("/favors?tab=create");
  await fill(page, "Turn the compost");
  const letGo = await holdBack(page, CREATE);
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await leaveForm(page);
  await page.getByRole("tab", { name: "Create" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("Turn the compost");
  await letGo();
  await page.getByRole("button", { name: "Update Draft" }).click();
  await expect(page.getByText("Draft saved")).toBeInViewport();
  expect(await (await as(who)).favors()).toHaveLength(1);
});

test("a_change_elsewhere_is_shown_at_once_and_never_overwritten", async ({ page }, info) => {
  const who = await joined("Eve Lang");
  const own = await as(who);
  const id = await own.draft("Mend the fence");
  await signIn(page, who);
  await edit(page, id);
  await page.getByLabel("Description").fill("Two boards are loose.");
  await own.retitle(id, "Paint the fence");
  await expect(page.getByText("Changed elsewhere: title.")).toBeInViewport();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeHidden();
  await look(page, info, "form-elsewhere");
  await page.getByRole("button", { name: "Keep my words" }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Favor updated successfully")).toBeInViewport();
  await picture(page, info, "said");
  expect(await own.favors()).toMatchObject([{ title: "Mend the fence", description: "Two boards are loose." }]);
});

test("what_was_typed_survives_a_reload_and_knows_its_version", async ({ page }) => {
  const who = await joined("Eve Lang");
  const own = await as(who);
  const id = await own.draft("Mend the fence");
  await signIn(page, who);
  await edit(page, id);
  await page.getByLabel("Title").fill("Mend the fence and the gate");
  await page.goto("/settings");
  await own.retitle(id, "Paint the fence");
  await page.goto(`/favors/${id}?edit=1`);
  await expect(page.getByLabel("Title")).toHaveValue("Mend the fence and the gate");
  await expect(page.getByText("Changed elsewhere: title.")).toBeInViewport();
  await page.getByRole("button", { name: "Load the newer version" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("Paint the fence");
});

test("the_server_refuses_a_version_that_is_not_the_newest", async ({ page }) => {
  const who = await joined("Eve Lang");
  const own = await as(who);
  const id = await own.draft("Mend the fence");
  // Without the live stream nothing tells this screen of the change: it is begun, and never answered.
  await page.route(STREAM, () => undefined);
  await signIn(page, who);
  await edit(page, id);
  await page.getByLabel("Description").fill("Two boards are loose.");
  await own.retitle(id, "Paint the fence");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Changed elsewhere: title.")).toBeInViewport();
  expect(await own.favors()).toMatchObject([{ title: "Paint the fence" }]);
});

test("a_favor_deleted_elsewhere_does_not_stay_with_its_buttons", async ({ page }) => {
  const who = await joined("Eve Lang");
  const own = await as(who);
  const id = await own.draft("Mend the fence");
  await signIn(page, who);
  await edit(page, id);
  await page.getByLabel("Title").fill("Mend the gate");
  await own.remove(id);
  await expect(page.getByText("This favor is no longer there")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save changes" })).toBeHidden();
  await page.getByRole("button", { name: "Use for a new favor" }).click();
  await expect(page.getByRole("button", { name: "Save as Draft" })).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Mend the gate");
});

test("a_clone_asks_before_it_takes_the_place_of_unsaved_words", async ({ page }) => {
  await asDemo(page);
  await page.goto("/favors?tab=create");
  await fill(page, "Turn the compost");
  await page.getByRole("button", { name: "Save as Draft" }).click();
  await expect(page.getByRole("button", { name: "Update Draft" })).toBeVisible();
  await page.getByLabel("Title").fill("Turn the compost twice");
  await leaveForm(page);
  await page
    .getByRole("button", { name: /^Clone/ })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("tab", { name: "Create" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("Turn the compost twice");
});

test("a_toast_covers_no_button_and_ends_with_its_screen", async ({ page }, info) => {
  const { who, own, ben } = await twoFriends("Eve Lang");
  const id = await own.draft("Mend the fence");
  await signIn(page, who);
  // A toast tells what comes by the stream: by then it has begun.
  const watching = page.waitForResponse(/WatchNotifications$/);
  await page.goto(`/favors/${id}`);
  await expect(page.getByRole("button", { name: "Edit favor" })).toBeVisible();
  await watching;
  await ben.askFavor(who, "Water the basil");
  const toast = page.locator(".toast");
  await expect(toast).toBeVisible();
  await picture(page, info, "toast");
  const covered = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll(".toast")].map((t) => t.getBoundingClientRect());
    return [...document.querySelectorAll("main button, nav a, .stick button")]
      .filter((e) => {
        const b = e.getBoundingClientRect();
        return (
          b.width > 0 && boxes.some((t) => t.left < b.right && t.right > b.left && t.top < b.bottom && t.bottom > b.top)
        );
      })
      .map((e) => e.textContent);
  });
  expect(covered).toEqual([]);
  // A question has the screen for itself.
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  const onTop = await page.evaluate(() =>
    [...document.querySelectorAll(".toast")].filter((t) => {
      const b = t.getBoundingClientRect();
      return document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)?.closest(".toast") === t;
    }),
  );
  expect(onTop).toHaveLength(0);
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  if (info.project.name === "phone") await page.getByRole("button", { name: "Back" }).click();
  else await goTo(page, "Friends");
  // Well before its time is over.
  await expect(toast).toHaveCount(0, { timeout: 3000 });
});
