// The screens and sheets of the settings, of the profile and of security, for the demo member.
import { expect } from "./test";
import { BLUE, painted, RED } from "./paint";
import { DEMO, visit } from "./people";
import { button, closeSheet, seeEach, type Walk } from "./walk";

/** The name that the server gives this browser. */
export const AGENT = "Chrome on Linux";

export async function settings(walk: Walk): Promise<void> {
  const { page, see, t, part } = walk;
  await visit(page, "/settings/notifications");
  await button(walk, "Customize").click();
  await see("notification-topics");
  await seeEach(walk, [
    ["data", "/settings/data", button(walk, "Delete account")],
    ["blocked", "/settings/blocked", page.getByText(part("You haven't blocked anyone"))],
    ["notification-settings", "/settings/notifications", page.getByText(part("You haven't muted anyone."))],
    ["settings", "/settings", page.getByText(DEMO.email).filter({ visible: true })],
  ]);
  for (const name of ["Help & FAQ", "Privacy & Terms", "Report a Problem"]) {
    await page.getByRole("button", { name: t(name) }).click();
    await expect(page.getByRole("dialog", { name: t(name) })).toBeVisible();
    await see(`settings-${name}`);
    await closeSheet(walk);
  }
  await button(walk, "Sign Out").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await see("question");
  await closeSheet(walk);
}

export async function picture(walk: Walk): Promise<void> {
  const { page, see, seeWords, t } = walk;
  await seeEach(walk, [["profile", "/profile", button(walk, "Save Changes")]]);
  const file = page.locator("input[type=file]:not([capture])");
  await file.setInputFiles({ name: "me.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") });
  await expect(page.getByText(t("Invalid File Format"))).toBeVisible();
  await seeWords("picture-wrong");
  await file.setInputFiles({ name: "me.png", mimeType: "image/png", buffer: painted(300, 200, RED, BLUE) });
  await expect(page.getByRole("slider")).toBeVisible();
  await see("picture-crop");
  await button(walk, "Use this picture").click();
  await expect(page.getByText(t("Not saved yet"))).toBeVisible();
  await see("picture-pending");
  // The demo member's picture stays.
  await button(walk, "Undo").click();
}

/** Each sheet is sent empty. */
const SHEETS = [
  ["Email", "Send code", "Please enter a valid email address"],
  ["Phone number", "Send code", "Invalid Phone Number: Please enter a valid phone number"],
  ["Password", "Change password", "Please fill in all fields"],
] as const;

export async function security(walk: Walk, email: string): Promise<void> {
  const { page, see, seeWords, t, part } = walk;
  const row = (name: string) =>
    page
      .getByRole("main")
      .getByRole("button", { name: part(name) })
      .first();
  const inSheet = (name: string) => page.getByRole("dialog").getByRole("button", { name: t(name), exact: true });
  await visit(page, "/settings/security");
  await expect(page.getByRole("list", { name: t("Where you're signed in") })).toBeVisible();
  const typed = [email, AGENT, "+15551234567"];
  await see("security", { typed });
  for (const [name, send, wrong] of SHEETS) {
    await row(name).click();
    const restore = async (): Promise<void> => {
      await inSheet(send).click();
      await expect(page.getByText(t(wrong)).first()).toBeVisible();
    };
    await restore();
    await see(`security-${name}`, { typed, restore });
    await closeSheet(walk);
  }
  await row("Authenticator app").click();
  const known = [...typed];
  // The sheet of each layout asks for a key of its own.
  const readKey = async (): Promise<void> => {
    known.push((await page.getByRole("dialog").locator("code").textContent()) ?? "");
  };
  await readKey();
  await see("authenticator", { typed: known, restore: readKey });
  await closeSheet(walk);
  await visit(page, "/settings/data");
  await button(walk, "Delete account").click();
  await inSheet("Delete my account").click();
  await seeWords("delete-account-wrong");
  await see("delete-account");
  await closeSheet(walk);
}
