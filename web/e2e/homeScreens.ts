// The screens of signing in, of a new member, of Home and of friends.
import { randomUUID } from "node:crypto";
import { expect } from "./test";
import { joined } from "./backstage";
import { codeFor, DEMO, person, visit } from "./people";
import { button, closeSheet, seeEach, type Walk } from "./walk";

export async function signingUp(walk: Walk): Promise<void> {
  const { page, see, seeWords, t } = walk;
  await page.goto("/");
  await expect(page.getByRole("button", { name: DEMO.name })).toBeVisible();
  await see("login");
  await button(walk, "Sign In").click();
  await expect(page.getByText(t("Please enter both email and password.")).first()).toBeVisible();
  await see("login-wrong");
  await page.getByLabel(t("Email")).fill(DEMO.email);
  await page.getByLabel(t("Password"), { exact: true }).fill("not this one");
  await button(walk, "Sign In").click();
  await expect(page.getByRole("alert").filter({ hasText: t("Sign In Failed") })).toBeVisible();
  await seeWords("login-failed");

  const eve = person("Eve Lang");
  await page
    .locator("label")
    .filter({ hasText: t("Sign Up") })
    .click();
  await button(walk, "Create account").click();
  await seeWords("signup-wrong");
  await page.getByLabel(t("Full name")).fill(eve.name);
  await page.getByLabel(t("Email")).fill(eve.email);
  await page.getByLabel(t("Password"), { exact: true }).fill(eve.password);
  await page.getByLabel(t("Confirm password")).fill(eve.password);
  await see("signup");
  await button(walk, "Create account").click();
  await expect(page.getByRole("heading", { name: t("Check your email") })).toBeVisible();
  await button(walk, "Resend code").click();
  await expect(page.getByText(t("Verification code sent to your email"))).toBeVisible();
  await seeWords("code", { typed: [eve.email] });
  await page.getByLabel(t("Digit 1 of 6")).focus();
  await page.keyboard.type((await codeFor(eve.email)) === "000000" ? "111111" : "000000");
  await expect(page.getByText(t("Invalid verification code"))).toBeVisible();
  await see("code-wrong", { typed: [eve.email] });
}

/** Every list is empty and leads on to a next step. */
const EMPTY = [
  ["/friends/requests", "All caught up!"],
  ["/friends/mine", "No friends yet."],
  ["/friends/groups", "No groups created yet"],
  ["/favors", "No active favors"],
  ["/favors?view=asked", "Nobody is waiting for your answer"],
  ["/favors?view=helping", "You're not helping with anything"],
  ["/favors?tab=browse", "No favors to help with right now"],
  ["/favors?tab=browse&view=applied", "You haven't offered to help yet"],
  ["/favors?tab=completed", "No completed favors yet"],
  ["/favors?tab=completed&view=helped", "You haven't helped yet"],
  ["/favors?tab=completed&view=cancelled", "No cancelled favors"],
  ["/inbox", "No notifications yet"],
  ["/share", "Nothing to borrow yet"],
  ["/share?tab=mine", "You're not sharing anything yet"],
  ["/share?tab=requests", "No received requests"],
  ["/share?tab=requests&view=sent", "No sent requests"],
  ["/share?tab=active", "You're not renting anything"],
  ["/share?tab=active&view=lending", "You're not lending anything"],
] as const;

/** Begins at Home of a member who is new. */
export async function newcomer({ page, see, seeWords, t, part }: Walk): Promise<void> {
  await expect(page.getByRole("heading", { name: t("First steps") })).toBeVisible();
  await see("empty-home");
  const next = page.getByRole("main").locator(".empty .act");
  for (const [path, text] of EMPTY) {
    await visit(page, path);
    await expect(page.getByText(part(text))).toBeVisible();
    await expect(next).toBeVisible();
    await see(`empty ${path}`);
  }
  for (const path of [`/share/items/${randomUUID()}`, `/favors/${randomUUID()}`]) {
    await visit(page, path);
    await expect(next.first()).toBeVisible();
    await seeWords(`gone ${path.split("/", 2).join("")}`);
  }
}

/** Begins at Home of the demo member. */
export async function home(walk: Walk): Promise<void> {
  const { page, see, t } = walk;
  await expect(page.getByText("$45.00").filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByRole("list", { name: t("Recent Favors") })).toBeVisible();
  await see("home");
  await seeEach(walk, [["notifications", "/inbox", page.getByText("Lena Novak").filter({ visible: true })]]);
}

export async function friends(walk: Walk): Promise<void> {
  const { page, see, seeWords, t } = walk;
  await seeEach(walk, [
    ["friends-requests", "/friends/requests", page.getByRole("button", { name: /Lena Novak/ })],
    ["friends-mine", "/friends/mine", page.getByRole("heading", { name: "Ben Carter" })],
  ]);
  await button(walk, "Add Friend").click();
  await expect(page.getByRole("dialog", { name: t("Add Friend") })).toBeVisible();
  await see("friends-add");
  await closeSheet(walk);
  const open = async (): Promise<void> => {
    await page.getByRole("button", { name: "Ben Carter" }).click();
    await expect(button(walk, "Mute")).toBeVisible();
  };
  await open();
  await see("friend-sheet");
  for (const act of ["Remove friend", "Block"]) {
    await button(walk, act).click();
    await expect(page.getByRole("dialog", { name: t(act) })).toBeVisible();
    await seeWords(`friend-${act}`);
    await page.keyboard.press("Escape");
  }
  await button(walk, "Report").click();
  const send = async (): Promise<void> => {
    await button(walk, "Send report").click();
    await expect(page.getByText(t("Please say what happened"))).toBeVisible();
  };
  await send();
  await see("friend-report", { restore: send });
  await page.goBack();
  await closeSheet(walk);
}

export async function findingFriends(walk: Walk): Promise<void> {
  const { page, see, seeWords, t } = walk;
  const [known, stranger] = [await joined("Rosa Keller"), person("Lena Moser")];
  await visit(page, "/friends/find");
  await expect(button(walk, "Search")).toBeVisible();
  await see("friends-find");
  for (const [name, contact, shown, look] of [
    ["wrong", "nobody", page.getByText(t("Please enter a valid email address or phone number")), seeWords],
    ["not-found", "+15550100000", page.getByText(t("No user found")), see],
    ["known", "ben@goodturn.example", page.getByText(t("You're already friends.")), seeWords],
    ["found", known.email, page.getByRole("heading", { name: known.name }), see],
    ["invite", stranger.email, button(walk, "Send Invitation"), see],
  ] as const) {
    await page.getByLabel(t("Email or phone")).fill(contact);
    await button(walk, "Search").click();
    await expect(shown).toBeVisible();
    await look(`friends-${name}`, { typed: [contact] });
  }
}

export async function groups(walk: Walk): Promise<void> {
  const { page, see, t } = walk;
  await seeEach(walk, [["groups", "/friends/groups", page.getByRole("heading", { name: "Our street" })]]);
  await button(walk, "New group").click();
  await see("groups-new");
  await page.getByLabel(t("Group name")).press("Enter");
  await expect(page.getByText(t("Please enter a group name"))).toBeVisible();
  await see("groups-wrong");
  await page
    .getByRole("button", { name: /Our street/ })
    .first()
    .click();
  await expect(button(walk, "Update Group")).toBeVisible();
  await see("groups-edit");
  await page
    .getByRole("button", { name: /Book club/ })
    .last()
    .click();
  await expect(page.getByRole("dialog", { name: t("Delete Group") })).toBeVisible();
  await see("groups-delete");
  await closeSheet(walk);
}

/** Pages that a mail links to. Each is a document of its own. */
export async function links({ page, see, seeWords, part }: Walk): Promise<void> {
  await page.goto("/no-invitations#none");
  await expect(page.getByText(part("This link no longer works"))).toBeVisible();
  await see("link-over");
  await page.goto("/join#none");
  await expect(page.getByText(part("Invitations are for people who aren't members yet."))).toBeVisible();
  await seeWords("join-in");
}
