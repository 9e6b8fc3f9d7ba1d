// A newcomer's first contacts: the terms, a shared link, friends' favors and an ended session.
import { expect, PHONE } from "./test";
import { Visibility } from "../src/gen/later/goodturn/items/v1/items_service_pb";
import { RequestType } from "../src/gen/later/goodturn/favors/v1/favors_service_pb";
import { as, joined, twoFriends } from "./backstage";
import { look, test } from "./looks";
import { expectHome, signIn, visit } from "./people";

const NARROW = { ...PHONE, viewport: { width: 360, height: 740 } };
test.use(NARROW);

test("the_terms_are_read_before_signing_up", async ({ page, context }, info) => {
  await page.goto("/");
  await page.getByLabel("Email").fill("eve@e2e.example");
  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "Terms" }).click();
  const terms = await opened;
  await expect(terms.getByRole("heading", { level: 1, name: "Terms" })).toBeVisible();
  await look(terms, info, "terms");
  await terms.getByRole("link", { name: "Privacy policy" }).click();
  await expect(terms.getByRole("heading", { level: 1, name: "Privacy policy" })).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue("eve@e2e.example");
});

test("a_public_item_is_handed_on_by_its_link_and_a_stranger_has_a_way_on", async ({ page, openBrowser }, info) => {
  const { who, own } = await twoFriends();
  const open = await own.lend("Party tent", { visibility: Visibility.PUBLIC });
  const closed = await own.lend("Hammer drill");
  await signIn(page, who);
  await visit(page, `/share/items/${open}/manage`);
  await expect(page.getByRole("button", { name: "Copy link" })).toBeVisible();
  await look(page, info, "item-link");
  const stranger = await openBrowser(NARROW);
  await signIn(stranger, await joined("Eve Lang"));
  await visit(stranger, `/share/items/${open}`);
  await expect(stranger.getByRole("heading", { name: "Party tent" })).toBeVisible();
  await visit(stranger, `/share/items/${closed}`);
  await expect(stranger.getByText("This item is only available to friends.")).toBeVisible();
  await expect(stranger.getByRole("button", { name: "Retry" })).toHaveCount(0);
  await look(stranger, info, "item-stranger");
  await stranger.getByRole("button", { name: "Use another account" }).click();
  await stranger.getByRole("dialog").getByRole("button", { name: "Sign Out" }).click();
  await expect(stranger.getByRole("button", { name: "Sign In" })).toBeVisible();
  await expect(stranger).toHaveURL(new RegExp(closed));
});

test("what_a_friend_asks_everybody_stands_on_home", async ({ page }, info) => {
  const { who, ben } = await twoFriends();
  await ben.post("Carry a sofa", [], { requestType: RequestType.PUBLIC });
  await signIn(page, who);
  await expectHome(page);
  const section = page.getByRole("region", { name: "Your friends need a hand" });
  await expect(section.getByRole("link", { name: "Carry a sofa" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Invite a friend" })).toBeVisible();
  await look(page, info, "home-newcomer");
});

test("a_session_that_was_ended_elsewhere_says_so_and_keeps_the_address", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  await signIn(page, eve);
  await expectHome(page);
  await (await as(eve)).identity.globalSignOut({});
  await expect(page.getByText("You were signed out. Sign in again to continue.")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(eve.email);
  await look(page, info, "signed-out");
});
