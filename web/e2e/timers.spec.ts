// A deadline and a start pass while nobody has accepted. The favors are due in some seconds.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "./test";
import { twoFriends } from "./backstage";
import { signIn, visit } from "./people";

const ROSES = "Water my roses";
const TULIPS = "Plant my tulips";
/** Long enough to see both favors before. */
const SOON_MS = 15_000;

test("both_members_see_live_that_a_deadline_and_a_start_have_passed", async ({ page: eve, openBrowser }) => {
  const { who: eveWho, own, other: benWho } = await twoFriends();
  const ben = await openBrowser();
  await Promise.all([signIn(eve, eveWho), signIn(ben, benWho)]);
  await Promise.all([visit(eve, "/inbox"), visit(ben, "/favors?view=asked")]);
  await expect(eve.getByRole("heading", { level: 1, name: "Notifications" })).toBeVisible();
  await expect(ben.getByRole("heading", { name: "Nobody is waiting for your answer" })).toBeVisible();
  const soon = timestampFromDate(new Date(Date.now() + SOON_MS));
  const tulips = await own.post(TULIPS, [benWho], { startDate: soon });
  await own.post(ROSES, [benWho], { confirmationDate: soon });
  const asked = (title: string) => ben.getByRole("article").getByRole("link", { name: title, exact: true });
  await expect(asked(TULIPS)).toBeVisible();
  await expect(asked(ROSES)).toBeVisible();

  // The asker hears of it, and what to do about it.
  await expect(eve.getByText(`No one accepted “${ROSES}” by the deadline.`).first()).toBeVisible({
    timeout: 30_000,
  });
  const lapsed = eve.getByText(`“${TULIPS}” was due to start, but no one has accepted.`, { exact: false });
  await expect(lapsed.first()).toContainText("Move it to another time or cancel it.");
  // A friend may still accept after the deadline, but not after the start.
  await expect(asked(TULIPS)).toBeHidden();
  await expect(asked(ROSES)).toBeVisible();

  await visit(eve, `/favors/${tulips}`);
  await expect(eve.getByText("Start time has passed")).toBeVisible();
  await expect(eve.getByText("Move the favor to another time or cancel it.")).toBeVisible();
  await expect(eve.getByRole("button", { name: "Edit favor" })).toBeVisible();
});
