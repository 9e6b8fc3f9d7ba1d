// The first run leads a new member: find a friend, ask for a favor, done. And small things that
// every look should find in place.
import { DESKTOP, expect, PHONE } from "./test";
import { as, joined } from "./backstage";
import { still, test } from "./looks";
import { asDemo, signIn, visit } from "./people";

test("a_new_member_is_led_to_a_friend_and_to_a_first_favor_and_once", async ({ page }) => {
  const [eve, ben] = [await joined("Eve Lang"), await joined("Ben Ortega")];
  await signIn(page, eve);
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByRole("link", { name: "Find Friends" })).toBeVisible();
  await expect(steps.getByRole("link", { name: "Request a Favor" })).toHaveCount(0);
  // No column of a desktop is empty.
  await page.setViewportSize(DESKTOP.viewport);
  await expect(page.getByRole("region", { name: "Coming up" }).getByText("No upcoming favors")).toBeVisible();
  await page.setViewportSize(PHONE.viewport);
  const own = await as(eve);
  await own.askToBeFriends(ben);
  await page.goto("/");
  await expect(steps.getByText(/Ben Ortega has your request/)).toBeVisible();
  await (await as(ben)).acceptFriends();
  await steps.getByRole("link", { name: "Request a Favor" }).click();
  await expect(page.getByRole("heading", { name: "Request a favor" })).toBeVisible();
  await own.askFavor(ben, "Water the basil");
  await page.goto("/");
  await expect(page.getByRole("list", { name: "Recent Favors" })).toBeVisible();
  // What is done has its tick, and what is left stays.
  await expect(steps.getByText("Request your first favor, done")).toBeAttached();
  await expect(steps.getByRole("link", { name: "Request a Favor" })).toHaveCount(0);
  await expect(steps.getByRole("link", { name: "List an item" })).toBeVisible();
  // A member who has asked before is not led to that again.
  await own.cancel("Water the basil");
  await page.goto("/");
  await expect(page.getByText("No active favors")).toBeVisible();
  await expect(steps.getByRole("link", { name: "Request a Favor" })).toHaveCount(0);
  await steps.getByRole("button", { name: "Hide first steps" }).click();
  await expect(steps).toHaveCount(0);
  await page.reload();
  await expect(page.getByText("No active favors")).toBeVisible();
  await expect(steps).toHaveCount(0);
});

test("the_actions_of_a_favor_are_in_view_without_scrolling", async ({ page }) => {
  await asDemo(page);
  await visit(page, "/favors");
  // The styles that come with a part are not overruled by the first ones.
  const tab = page.getByRole("tab", { name: "Active" });
  await expect(tab).toHaveCSS("border-bottom-style", "solid");
  await expect(tab).toHaveCSS("border-bottom-width", "3px");
  await page.getByRole("article").first().getByRole("link").click();
  await expect(page.getByRole("list", { name: "The story so far" })).toBeVisible();
  for (const button of await page.locator(".stick button").all()) await expect(button).toBeInViewport({ ratio: 1 });
  await visit(page, "/favors?tab=create");
  const post = page.getByRole("button", { name: "Post", exact: true });
  await expect(post).toBeInViewport({ ratio: 1 });
  await page.setViewportSize(DESKTOP.viewport);
  await expect(post).toBeInViewport({ ratio: 1 });
});

test("home_names_currencies_and_the_inbox_leaves_initials_free", async ({ page }) => {
  await asDemo(page);
  await expect(page.getByRole("list", { name: "Recent Favors" })).toBeVisible();
  const text = await page.locator("body").innerText();
  for (const [amount] of text.matchAll(/\$[\d,.]+[^\n]*(\n[A-Z]{3}\b)?/g))
    expect(amount).toMatch(/\$[\d,.]+\s(USD|EUR|GBP|INR)/);
  await expect(page.getByText("Requested by you").first()).toBeVisible();
  await expect(page.getByText("Requested by Ana Ruiz")).toHaveCount(0);
  // The sum stands in one line of the rail.
  await page.setViewportSize(DESKTOP.viewport);
  const sum = page.getByRole("complementary").getByText("$45.00 USD earned");
  await expect(sum).toBeVisible();
  await still(page);
  const lines = await sum.evaluate(
    (e) => e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight),
  );
  expect(Math.round(lines)).toBe(1);
  await page.setViewportSize(PHONE.viewport);
  await visit(page, "/inbox");
  await expect(page.getByRole("heading", { name: "Earlier" })).toBeVisible();
  const covered = await page.evaluate(
    () =>
      [...document.querySelectorAll(".ntf-i")].filter((sign) => {
        const face = sign.querySelector(".face")?.firstChild;
        const mark = sign.querySelector(".ntf-m")?.getBoundingClientRect();
        if (!face || !mark) return false;
        const range = document.createRange();
        range.selectNodeContents(face);
        const letters = range.getBoundingClientRect();
        // The lower fifth of the line holds no part of a capital.
        return letters.right > mark.left && letters.bottom - letters.height / 5 > mark.top;
      }).length,
  );
  expect(covered).toBe(0);
});

test("the_header_of_an_edit_has_the_status_and_a_destructive_question_its_cancel", async ({ page }) => {
  const eve = await joined("Eve Lang");
  const id = await (await as(eve)).draft("Mend the fence");
  await signIn(page, eve);
  await visit(page, `/favors/${id}`);
  await expect(page.getByRole("heading", { name: "Favor Details" })).toBeVisible();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  const cancel = page.getByRole("dialog").getByRole("button", { name: "Cancel" });
  const plain = await page.evaluate(() => getComputedStyle(document.body).color);
  expect(await cancel.evaluate((e) => getComputedStyle(e).color)).not.toBe(plain);
  await cancel.click();
  await page.getByRole("button", { name: "Edit favor" }).click();
  await expect(page.getByRole("heading", { name: "Edit Favor" })).toBeVisible();
  await expect(page.locator(".badge", { hasText: "draft" }).last()).toBeVisible();
});
