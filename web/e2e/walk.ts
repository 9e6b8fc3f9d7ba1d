// Shared parts of the walks through the app's screens. Two passes use them: one looks at each
// screen in every size, the other in the pseudo-language.
import type { Locator, Page } from "@playwright/test";
import { expect } from "./test";
import { visit } from "./people";

export type See = (
  name: string,
  more?: {
    /** Names and words that the walk has typed or that the browser has told. */
    typed?: readonly string[];
    /** Brings back what a sheet forgets when the layout changes between phone and desktop. */
    restore?: () => Promise<void>;
    /** A desktop shows this beside the next screen of the walk, which is looked at there. */
    isPhoneOnly?: boolean;
  },
) => Promise<void>;

export type Walk = {
  page: Page;
  see: See;
  /** Looks at a screen that differs from one before by its words only. */
  seeWords: See;
  /** A text of the app as this pass shows it, and a part of one. */
  t: (text: string) => string;
  part: (text: string) => string;
};

export const button = ({ page, t }: Walk, name: string): Locator =>
  page.getByRole("button", { name: t(name), exact: true });

export const firstCard = ({ page }: Walk): Locator => page.getByRole("article").first().getByRole("link").first();

export async function closeSheet({ page }: Walk): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
}

/** Goes to screens of the app one after another and looks at each once it shows what is named. */
export async function seeEach(
  { page, see }: Walk,
  screens: readonly (readonly [name: string, path: string, shown: Locator])[],
): Promise<void> {
  for (const [name, path, shown] of screens) {
    await visit(page, path);
    await expect(shown.first()).toBeVisible();
    await see(name);
  }
}
