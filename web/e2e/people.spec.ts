// Friends: report, mute, block, unblock and remove them; and block somebody who only asks.
import type { Page } from "@playwright/test";
import { expect } from "./test";
import { twoFriends } from "./backstage";
import { look, test } from "./looks";
import { signIn, visit } from "./people";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const sheet = (page: Page) => page.getByRole("dialog", { name: "Friend" });
const question = (page: Page, name: string) => page.getByRole("dialog", { name });

async function openFriend(page: Page, name = "Ben Ortega"): Promise<void> {
  await visit(page, "/friends/mine");
  await button(page, `More about ${name}`).click();
  await expect(sheet(page).getByRole("heading", { name, level: 3 })).toBeVisible();
  await expect(sheet(page).getByRole("button", { name: /^(Mute|Unmute)$/ })).toBeVisible();
}

test("a_report_keeps_its_words_and_a_muted_friend_is_quiet", async ({ page }, info) => {
  const { who, ben } = await twoFriends();
  await signIn(page, who);
  await openFriend(page);

  await test.step("a report keeps its words", async () => {
    await sheet(page).getByRole("button", { name: "Report" }).click();
    const report = page.getByRole("dialog", { name: "Report a member" });
    await report.getByRole("button", { name: "Send report" }).click();
    await expect(report.getByText("Please say what happened")).toBeVisible();
    await report.getByLabel("What happened?").fill("He never brings the cake that he promises.");
    // Back leads to the friend's sheet, and the words are kept.
    await page.goBack();
    await sheet(page).getByRole("button", { name: "Report" }).click();
    await expect(report.getByLabel("What happened?")).toHaveValue("He never brings the cake that he promises.");
    await report.getByRole("button", { name: "Send report" }).click();
    await expect(page.getByText("Thank you. We sent your report to the people who run this server.")).toBeVisible();
    await expect(report).toBeHidden();
  });

  await test.step("a muted friend's favor is in the list, but not among the notifications", async () => {
    await openFriend(page);
    // The button changes at once, before the server has answered.
    const heard = page.waitForResponse(/\/MuteMember$/);
    await sheet(page).getByRole("button", { name: "Mute" }).click();
    await heard;
    await expect(sheet(page).getByRole("button", { name: "Unmute" })).toBeVisible();
    await expect(sheet(page).getByText("You muted them, so you won't be notified about them.")).toBeVisible();
    await ben.askFavor(who, "Water my tomatoes");
    await page.goto("/inbox");
    await expect(page.getByText(/Ben Ortega/).first()).toBeVisible();
    await expect(page.getByText(/Water my tomatoes/)).toBeHidden();
    await visit(page, "/favors?view=asked");
    await expect(page.getByText("Water my tomatoes").first()).toBeVisible();
  });

  await test.step("the settings unmute", async () => {
    await visit(page, "/settings/notifications");
    await expect(button(page, "Unmute Ben Ortega")).toBeVisible();
    await look(page, info, "muted");
    await button(page, "Unmute Ben Ortega").click();
    await expect(button(page, "Mute Ben Ortega")).toBeVisible();
    await expect(page.getByText(/Ben Ortega.* is no longer muted/)).toBeVisible();
    await ben.askFavor(who, "Feed my cat");
    await page.goto("/inbox");
    await expect(page.getByText(/Feed my cat/).first()).toBeVisible();
  });
});

test("a_friend_is_blocked_both_ways_unblocked_and_removed_and_a_stranger_blocked", async ({ page }, info) => {
  const { who, own, ben, other } = await twoFriends();
  await signIn(page, who);

  await test.step("blocked, each is hidden from the other", async () => {
    await openFriend(page);
    await sheet(page).getByRole("button", { name: "Block" }).click();
    await question(page, "Block").getByRole("button", { name: "Block" }).click();
    await expect(page.getByText(/Ben Ortega.* is blocked\./)).toBeVisible();
    await expect(page.getByText("No friends yet.")).toBeVisible();
    expect(await ben.finds(who.email)).toBe(false);
    expect(await ben.friends()).toEqual([]);
  });

  await test.step("unblocked, they find each other and are no friends", async () => {
    await visit(page, "/settings");
    await page.getByRole("link", { name: /^Blocked members/ }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Blocked members" })).toBeFocused();
    await expect(page.getByText(/^Blocked since/)).toBeVisible();
    await look(page, info, "blocked");
    await button(page, "Unblock Ben Ortega").click();
    await expect(page.getByText(/Ben Ortega.* is no longer blocked/)).toBeVisible();
    await expect(button(page, "Block Ben Ortega")).toBeVisible();
    await look(page, info, "unblocked");
    await page.reload();
    await expect(page.getByText("You haven't blocked anyone")).toBeVisible();
    expect(await ben.finds(who.email)).toBe(true);
    expect(await ben.friends()).toEqual([]);
  });

  await test.step("a friend again, he is removed after a question", async () => {
    await own.askToBeFriends(other);
    await ben.acceptFriends();
    await openFriend(page);
    await sheet(page).getByRole("button", { name: "Remove friend" }).click();
    await expect(question(page, "Remove friend").getByText("Ben Ortega")).toBeVisible();
    await question(page, "Remove friend").getByRole("button", { name: "Cancel" }).click();
    expect(await ben.friends()).toEqual([who.email]);
    await sheet(page).getByRole("button", { name: "Remove friend" }).click();
    await question(page, "Remove friend").getByRole("button", { name: "Remove friend" }).click();
    await expect(page.getByText(/Ben Ortega.* is no longer your friend\./)).toBeVisible();
    await expect(sheet(page)).toBeHidden();
    await expect(page.getByText("No friends yet.")).toBeVisible();
    expect(await ben.friends()).toEqual([]);
  });

  await test.step("somebody who asks to be a friend is blocked", async () => {
    await ben.askToBeFriends(who, "Hey you");
    await visit(page, "/friends/requests");
    await button(page, "More about Ben Ortega").click();
    const member = page.getByRole("dialog", { name: "Member" });
    await expect(member.getByRole("button", { name: "Remove friend" })).toBeHidden();
    await look(page, info, "member-sheet");
    await member.getByRole("button", { name: "Block" }).click();
    await question(page, "Block").getByRole("button", { name: "Block" }).click();
    await expect(page.getByText("All caught up!")).toBeVisible();
    await expect(button(page, "Accept Ben Ortega")).toBeHidden();
  });
});
