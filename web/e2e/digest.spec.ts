// The daily mail, from the choice in the settings to its end by a link in it.
import { expect } from "./test";
import { as, joined, twoFriends } from "./backstage";
import { sql } from "./database";
import { look, test } from "./looks";
import { mailsTo, mailTo, signIn, visit } from "./people";

const ASKS = "A friend asks you for a favor";
const ROSES = "Water my roses";
const DIGEST = "Your daily digest from Goodturn";

/** No other member is there, and its hours begin at a quarter to those of other zones. */
const ZONE = "Pacific/Chatham";
test.use({ timezoneId: ZONE });

/** The night passes for a member with daily mail. @returns the local hour at which it was due. */
async function sleepUntilMorning(email: string): Promise<string> {
  const counter = `member_id = (SELECT id FROM members WHERE email = '${email}')`;
  const [[due = ""] = []] = await sql(
    `SELECT extract(epoch FROM digest_at)::bigint FROM notification_counters WHERE ${counter}`,
  );
  await sql(`UPDATE notification_counters SET digest_at = now() WHERE ${counter}`);
  const [moved = []] = await sql(
    `UPDATE graphile_worker._private_jobs
     SET run_at = now(),
         payload = json_build_object('task', 'begin_morning', 'payload',
           json_build_object('at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))
     WHERE key = 'begin_morning/${due}'
     RETURNING key`,
  );
  expect(moved).toEqual([`begin_morning/${due}`]);
  return new Date(Number(due) * 1000).toLocaleTimeString("en-GB", { timeZone: ZONE });
}

test("daily_mail_comes_in_the_morning_and_ends_by_its_link", async ({ page, openBrowser }, info) => {
  const { who: eve, ben, own } = await twoFriends();
  await signIn(page, eve);
  const zoneOf = async () => (await own.profile.getProfile({})).profile?.details?.timeZone;
  await expect.poll(zoneOf, "the browser tells where its member is").toBe(ZONE);
  await visit(page, "/settings/notifications");
  await page.getByRole("button", { name: "Customize" }).click();
  const topic = page.getByRole("radiogroup", { name: ASKS });
  await expect(topic.getByRole("radio", { name: "Instant" })).toBeChecked();
  await topic.getByText("Daily", { exact: true }).click();
  await expect(page.getByText(/^Saved: .*A friend asks you for a favor/)).toBeVisible();

  await ben.post(ROSES, [eve], { tip: 5 });
  await ben.post("Feed my cat", [eve]);
  // Another topic is still mailed at once, and says nothing of the favors.
  const zoe = await as(await joined("Zoe Arndt"));
  await zoe.askToBeFriends(eve);
  await mailTo(eve.email, "Zoe Arndt would like to be your friend.");
  expect((await mailsTo(eve.email)).filter((body) => body.includes(ROSES))).toEqual([]);

  expect(await sleepUntilMorning(eve.email)).toBe("08:00:00");
  const { number } = await mailTo(eve.email, DIGEST);
  const mailbox = await openBrowser();
  await mailbox.goto(`/dev/outbox/${number}`);
  await expect(mailbox.getByRole("heading", { name: DIGEST })).toBeVisible();
  const entries = mailbox.getByRole("main").getByRole("link", { name: "New favor request" });
  await expect(entries).toHaveCount(2);
  await look(mailbox, info, "mail-digest");

  // Each thing leads to itself.
  const entry = mailbox.locator(".entry").filter({ hasText: ROSES });
  const link = new URL((await entry.getByRole("link").getAttribute("href")) ?? "");
  await page.goto(link.pathname);
  await expect(page.getByRole("heading", { name: ROSES }).first()).toBeVisible();

  // The link in the mail ends them, also for a reader who is not signed in.
  await mailbox.getByRole("link", { name: "Stop the daily digest" }).click();
  await expect(mailbox.getByRole("heading", { name: "Do you want fewer emails?" })).toBeVisible();
  await expect(mailbox.getByRole("listitem").filter({ hasText: ASKS })).toBeVisible();
  await mailbox.getByRole("button", { name: "Stop these emails" }).click();
  await expect(mailbox.getByRole("heading", { name: "You won't get these emails anymore." })).toBeFocused();
  await page.goto("/settings/notifications");
  await expect(topic.getByRole("radio", { name: "Off" })).toBeChecked();
});
