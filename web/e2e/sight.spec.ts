// What stands where, and stays there: what is said of failures and of the connection, skeletons, the browser's own bars, addresses.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { expect, type Locator, type Page, type Route, test } from "@playwright/test";
import { AttributeSchema, GetUserResponseSchema } from "../src/gen/goodturn/identity/v1/identity_service_pb";
import { FavorResponse, RequestType } from "../src/gen/later/goodturn/favors/v1/favors_service_pb";
import { as, joined, twoFriends } from "./backstage";
import { look, settled, watchShift } from "./looks";
import { asDemo, choose, isPhone, signIn, visit } from "./people";

type Box = { x: number; y: number; width: number; height: number };

async function boxOf(place: Locator): Promise<Box> {
  let box: Box | null = null;
  // What has just been taken away has no place.
  await expect.poll(async () => (box = await place.boundingBox())).not.toBeNull();
  return box ?? { x: 0, y: 0, width: 0, height: 0 };
}

/** Letters as a style sheet of the reader's sets them, in percent. */
async function setLetters(page: Page, percent: number): Promise<void> {
  await page.evaluate((size) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`html { font-size: ${size}% }`);
    document.adoptedStyleSheets = [sheet];
  }, percent);
}

test("what_failed_is_named_and_retry_stands_beside_it", async ({ page, context }) => {
  const eve = await joined("Eve Lang");
  await as(eve);
  await signIn(page, eve);
  await page.goto("/settings/security");
  const list = page.getByRole("list", { name: "Where you are signed in" });
  const signOut = list.getByRole("button", { name: /^Sign out/ }).first();
  await expect(signOut).toBeVisible();
  await context.setOffline(true);
  await signOut.click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  const failed = page.getByRole("alert").filter({ hasText: "was not signed out." });
  await expect(failed).toContainText("was not signed out. There is no connection.");
  const retry = failed.getByRole("button", { name: "Retry" });
  const [button, text] = [await boxOf(retry), await boxOf(failed.locator(".said > span"))];
  expect(button.height).toBeGreaterThanOrEqual(44);
  expect(button.x).toBeGreaterThanOrEqual(text.x + text.width);
  await context.setOffline(false);
  await expect(failed).not.toContainText("There is no connection.");
  await retry.click();
  await expect(page.getByText(/ is signed out\.$/)).toBeVisible();
});

const barColors = (page: Page): Promise<(string | null)[]> =>
  page
    .locator("meta[name=theme-color]")
    .evaluateAll((bars) => [...new Set(bars.map((bar) => bar.getAttribute("content")))]);

test("the_browsers_own_bars_follow_the_chosen_scheme", async ({ page }) => {
  const [light, dark] = ["#faf7f2", "#181512"];
  await page.emulateMedia({ colorScheme: "light" });
  await asDemo(page);
  await page.goto("/settings");
  await choose(page, "Dark");
  await expect.poll(() => barColors(page)).toEqual([dark]);
  // Before the app has come.
  await page.route("**/assets/index-*.js", () => undefined);
  await page.reload({ waitUntil: "commit" });
  await expect(page.getByRole("status", { name: "Loading Goodturn" })).toBeVisible();
  expect(await barColors(page)).toEqual([dark]);
  await page.unroute("**/assets/index-*.js");
  await page.reload();
  await choose(page, "Automatic");
  await expect.poll(() => barColors(page)).toEqual([light]);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => barColors(page)).toEqual([dark]);
});

test("that_there_is_no_connection_is_a_line_on_top_of_the_tabs", async ({ page, context }) => {
  const width = isPhone(page) ? 360 : 1280;
  await page.setViewportSize({ width, height: 800 });
  await asDemo(page);
  await settled(page);
  await context.setOffline(true);
  const banner = page.locator(".offline");
  if (isPhone(page)) expect((await boxOf(banner)).height).toBeLessThan(46);
  for (const percent of [100, 150, 200]) {
    await setLetters(page, percent);
    const below = await boxOf(isPhone(page) ? page.locator(".tabbar") : page.locator(".rail .me"));
    const { x, y, height, width: wide } = await boxOf(banner);
    const gap = below.y - y - height;
    expect(gap, `${percent} %`).toBeGreaterThan(-1);
    expect(gap, `${percent} %`).toBeLessThan(isPhone(page) ? 1 : (20 * percent) / 100);
    expect(x + wide).toBeLessThanOrEqual(isPhone(page) ? width : below.x + below.width + 1);
  }
});

test("what_is_out_of_date_is_said_once_and_moves_nothing", async ({ page }) => {
  const { who, own, ben } = await twoFriends();
  await own.draft("Mend the gate");
  await signIn(page, who);
  const list = page.getByRole("list", { name: "Recent Favors" });
  await expect(list).toBeVisible();
  await settled(page);
  const lengthOf = () => page.evaluate(() => document.documentElement.scrollHeight);
  const measured = async () => [(await boxOf(page.locator(".hero"))).y, (await boxOf(list)).y, await lengthOf()];
  const before = await measured();
  await page.route(/Service\/List(Active|Received)Favors$/, (route) => route.fulfill({ status: 503 }));
  await ben.askFavor(who, "Turn the compost");
  const said = page.getByText("This could not be brought up to date.");
  await expect(said).toHaveCount(1, { timeout: 30_000 });
  await expect(page.getByRole("button", { name: "Retry" })).toHaveCount(1);
  expect(await measured()).toEqual(before);
  await page.unroute(/Service\/List(Active|Received)Favors$/);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(said).toHaveCount(0);
  await expect(page.getByText("Turn the compost").first()).toBeVisible();
});

for (const [name, path, row] of [
  ["sign_in_and_security", "/settings/security", ".ntf.mid"],
  ["notifications", "/inbox", ".ntf"],
] as const)
  test(`${name}_stands_where_its_skeleton_stood`, async ({ page }) => {
    await asDemo(page);
    const shift = await watchShift(page, 500);
    await page.goto(path);
    const bone = await boxOf(page.locator("main .list > div").first());
    const first = await boxOf(page.locator(`main ${row}`).first());
    expect(Math.abs(first.y - bone.y)).toBeLessThan(2);
    await settled(page);
    expect(await shift()).toBeLessThan(0.02);
  });

test("share_stuff_stands_where_its_skeleton_stood", async ({ page }) => {
  await asDemo(page);
  const held: Route[] = [];
  await page.route("**/assets/ShareTabs-*.js", (route) => void held.push(route));
  await page.goto("/share");
  const [field, bone] = [page.locator("main .mantine-Skeleton-root").first(), page.locator("main .thingshapes > *")];
  const [search, first] = [await boxOf(field), await boxOf(bone.first())];
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await Promise.all(held.map((route) => route.continue()));
  const [typed, thing] = [
    await boxOf(page.getByRole("searchbox")),
    await boxOf(page.getByRole("article").first().locator(".shot")),
  ];
  expect(Math.abs(search.y - typed.y)).toBeLessThan(2);
  expect(Math.abs(first.y - thing.y)).toBeLessThan(2);
  expect(Math.abs(first.height - thing.height)).toBeLessThan(2);
});

test("with_large_letters_words_stand_under_the_name_and_no_face_stands_over_one", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { who, own, ben, other } = await twoFriends();
  const party = await own.post("Set up the street party", [], { requestType: RequestType.PUBLIC });
  await ben.acts.applyToFavor({ id: party, message: "I bring two tables and my brother." });
  const gate = await own.post("Mend the gate", [other]);
  await ben.acts.respondToFavor({ id: gate, response: FavorResponse.ACCEPT });
  await signIn(page, who);
  await visit(page, `/favors/${party}`);
  const offer = page.getByRole("list", { name: "Who offers to help" }).getByRole("listitem").first();
  await expect(offer).toBeVisible();
  for (const percent of [100, 170]) {
    await setLetters(page, percent);
    const [name, quote] = [await boxOf(offer.locator("p.b6")), await boxOf(offer.locator(".quote"))];
    expect(name.y + name.height, `${percent} %`).toBeLessThan(quote.y);
  }
  await visit(page, `/favors/${gate}`);
  const helper = page.locator(".factlist > div").filter({ hasText: "Helper" });
  const name = await boxOf(helper.locator("dd").first());
  // A way to their mail stands in it too.
  const face = await helper.locator(".face").first().boundingBox();
  expect(face === null || face.x + face.width <= name.x || face.y + face.height <= name.y).toBe(true);
});

test("a_sheet_stays_as_high_as_it_was_while_it_is_searched", async ({ page }) => {
  await asDemo(page);
  await page.goto("/favors?tab=create");
  await page.getByRole("button", { name: /^Who to ask/ }).click();
  const sheet = page.getByRole("dialog", { name: "Who can help?" });
  const priya = sheet.getByRole("checkbox", { name: /Priya Nair/ });
  await expect(priya).toBeVisible();
  await settled(page);
  const { height } = await boxOf(sheet);
  await sheet.getByRole("searchbox").fill("ben");
  await expect(priya).toBeHidden();
  expect((await boxOf(sheet)).height).toBe(height);
  await sheet.getByRole("tab", { name: /^Groups/ }).click();
  expect((await boxOf(sheet)).height).toBeGreaterThanOrEqual(height);
});

test("where_nothing_can_be_done_no_bar_stands_under_a_favor", async ({ page }) => {
  test.skip(isPhone(page), "a phone has no pane");
  const { who, own, ben, other } = await twoFriends();
  await own.askFavor(other, "Mend the gate");
  await ben.complete("Mend the gate");
  await own.settle("Mend the gate");
  await signIn(page, who);
  await page.goto("/favors?tab=completed");
  const pane = page.getByRole("region", { name: "Favor Details" });
  await expect(pane.getByText("You marked it settled")).toBeVisible();
  expect(await pane.locator(".stick").evaluate((bar) => bar.getBoundingClientRect().height)).toBe(0);
});

test("on_a_tablet_all_stands_in_one_column_in_the_middle", async ({ page }) => {
  test.skip(!isPhone(page), "a desktop has its own");
  await page.setViewportSize({ width: 820, height: 1180 });
  await asDemo(page);
  await page.goto("/favors?tab=create");
  const [title, post] = [page.getByLabel("Title"), page.getByRole("button", { name: "Post", exact: true })];
  const [field, button] = [await boxOf(title), await boxOf(post)];
  expect(Math.abs(field.x + field.width - button.x - button.width)).toBeLessThan(2);
  expect(Math.abs(field.x - (820 - field.x - field.width))).toBeLessThan(2);
});

/** Where the lines of an address begin. In the page. */
function linesOf(address: Element): string[] {
  const lines: string[] = [];
  const walk = document.createTreeWalker(address, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let last = Number.NaN;
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode())
    for (let i = 0; i < (node.nodeValue?.length ?? 0); i += 1) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const { top } = range.getBoundingClientRect();
      if (Math.abs(top - last) > 4 || lines.length === 0) lines.push("");
      lines.push(`${lines.pop() ?? ""}${node.nodeValue?.charAt(i) ?? ""}`);
      last = top;
    }
  return lines;
}

test("an_address_is_broken_behind_its_signs", async ({ page }) => {
  test.skip(!isPhone(page), "a desktop has room");
  await asDemo(page);
  await page.goto("/settings");
  await setLetters(page, 200);
  const address = page.getByText("ana@goodturn.example").filter({ visible: true }).first();
  const lines = await address.evaluate(linesOf);
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.slice(0, -1).filter((line) => !/[@.]$/.test(line))).toEqual([]);
});

test("linked_accounts_are_for_every_eye", async ({ page }, info) => {
  await page.route(/IdentityService\/GetUser$/, async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    // A message of gRPC-Web has its length before it, and what ends the answer behind it.
    const end = 5 + body.readUInt32BE(1);
    const member = fromBinary(GetUserResponseSchema, body.subarray(5, end));
    const linked = [
      { providerName: "Neighbors", userId: "1" },
      { providerName: "Google", userId: "2" },
    ];
    member.userAttributes.push(create(AttributeSchema, { name: "identities", value: JSON.stringify(linked) }));
    const bytes = toBinary(GetUserResponseSchema, member);
    const head = Buffer.alloc(5);
    head.writeUInt32BE(bytes.length, 1);
    await route.fulfill({ response, body: Buffer.concat([head, bytes, body.subarray(end)]) });
  });
  await asDemo(page);
  await page.goto("/settings/security");
  const list = page.getByRole("list", { name: "Linked accounts" });
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await list.scrollIntoViewIfNeeded();
  await look(page, info, "security-linked");
});

test("the_tabs_of_share_stuff_stand_in_a_line_on_the_narrowest_phone", async ({ page }) => {
  test.skip(!isPhone(page), "a desktop has room");
  await page.setViewportSize({ width: 360, height: 740 });
  await asDemo(page);
  for (const tab of ["browse", "active"]) {
    await visit(page, `/share?tab=${tab}`);
    await settled(page);
    const tops = await page.getByRole("tab").evaluateAll((tabs) => tabs.map((one) => one.getBoundingClientRect().top));
    expect([tops.length, new Set(tops).size]).toEqual([5, 1]);
  }
});
