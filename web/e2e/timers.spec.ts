// A deadline and a start that pass while nobody has accepted: of favors that are asked for in some seconds, and by nobody's doing.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "@playwright/test";
import { as, joined } from "./backstage";
import { signIn, visit } from "./people";

const ROSES = "Water my roses";
const TULIPS = "Plant my tulips";
/** So long that it is seen before. */
const SOON_MS = 15_000;

test("a_deadline_and_a_start_that_pass_are_told_and_seen_live_by_both", async ({ page: eve, browser, viewport }) => {
  const [eveWho, zoeWho] = await Promise.all([joined("Eve Lang"), joined("Zoe Arndt")]);
  const [own, zoes] = await Promise.all([as(eveWho), as(zoeWho)]);
  await zoes.askToBeFriends(eveWho);
  await own.acceptFriends();
  const zoe = await (await browser.newContext({ viewport })).newPage();
  await Promise.all([signIn(eve, eveWho), signIn(zoe, zoeWho)]);
  await Promise.all([visit(eve, "/inbox"), visit(zoe, "/favors?view=asked")]);
  await expect(eve.getByRole("heading", { level: 1, name: "Notifications" })).toBeVisible();
  await expect(zoe.getByRole("heading", { name: "Nobody is waiting for your answer" })).toBeVisible();
  const soon = timestampFromDate(new Date(Date.now() + SOON_MS));
  const tulips = await own.post(TULIPS, [zoeWho], { startDate: soon });
  await own.post(ROSES, [zoeWho], { confirmationDate: soon });
  const asked = (title: string) => zoe.getByRole("article").getByRole("link", { name: title, exact: true });
  await expect(asked(TULIPS)).toBeVisible();
  await expect(asked(ROSES)).toBeVisible();

  // Who asks is told, and what to do about it.
  await expect(eve.getByText(`Nobody has accepted “${ROSES}” by the deadline.`).first()).toBeVisible({
    timeout: 30_000,
  });
  const lapsed = eve.getByText(`“${TULIPS}” was due to start, and nobody has accepted.`, { exact: false });
  await expect(lapsed.first()).toContainText("Move it to another time, or cancel it.");
  // Who was asked may accept after the deadline, and is not asked any more once it should have begun.
  await expect(asked(TULIPS)).toBeHidden();
  await expect(asked(ROSES)).toBeVisible();

  await visit(eve, `/favors/${tulips}`);
  await expect(eve.getByText("The start has passed")).toBeVisible();
  await expect(eve.getByText("Move the favor to another time, or cancel it.")).toBeVisible();
  await expect(eve.getByRole("button", { name: "Edit favor" })).toBeVisible();
  await zoe.context().close();
});
