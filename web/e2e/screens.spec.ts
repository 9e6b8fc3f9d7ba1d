// Every screen in both sizes and both schemes: looked at by axe, measured for its width, and photographed for people.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect } from "@playwright/test";
import { FavorResponse, RequestType } from "../src/gen/later/goodturn/favors/v1/favors_service_pb";
import { as, joined } from "./backstage";
import { look, picture, test } from "./looks";
import {
  asDemo,
  choose,
  codeFor,
  DEMO,
  fillSignUp,
  goTo,
  isPhone,
  mailTo,
  person,
  signIn,
  typeCode,
  visit,
} from "./people";

const DAY_MS = 86_400_000;

test("signing_in_and_up", async ({ page }, info) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: `Continue as ${DEMO.name}` })).toBeVisible();
  await look(page, info, "login");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Please enter both email and password.").first()).toBeVisible();
  await look(page, info, "login-wrong");

  const eve = person("Eve Lang");
  await fillSignUp(page, eve);
  await look(page, info, "signup");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible();
  const code = await codeFor(eve.email);
  await typeCode(page, code === "000000" ? "111111" : "000000");
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByText("Invalid verification code")).toBeVisible();
  await look(page, info, "code");
});

test("a_new_member_sees_the_next_step_everywhere", async ({ page }, info) => {
  await signIn(page, await joined("Eve Lang"));
  await expect(page.getByRole("heading", { name: "First steps" })).toBeVisible();
  await look(page, info, "empty-home");
  const screens = [
    ["empty-requests", "/friends/requests", "All caught up!"],
    ["empty-friends", "/friends/mine", "No friends yet."],
    ["empty-groups", "/friends/groups", "No groups created yet"],
    ["empty-favors", "/favors", "No active favors"],
    ["empty-asked", "/favors?view=asked", "Nobody is waiting for your answer"],
    ["empty-helping", "/favors?view=helping", "You are not helping with anything"],
    ["empty-browse", "/favors?tab=browse", "No favors to help with right now"],
    ["empty-applied", "/favors?tab=browse&view=applied", "You have not offered help yet"],
    ["empty-completed", "/favors?tab=completed", "No completed favors yet"],
    ["empty-helped", "/favors?tab=completed&view=helped", "You have not helped yet"],
    ["empty-cancelled", "/favors?tab=completed&view=cancelled", "No cancelled favors"],
    ["empty-notifications", "/inbox", "No notifications yet"],
    ["empty-items", "/share", "Nothing to borrow yet"],
    ["empty-listings", "/share?tab=mine", "You share nothing yet"],
    ["empty-rental-requests", "/share?tab=requests", "No received requests"],
    ["empty-sent-requests", "/share?tab=requests&view=sent", "No sent requests"],
    ["empty-renting", "/share?tab=active", "You are not renting anything"],
    ["empty-lending", "/share?tab=active&view=lending", "You are not lending anything"],
  ] as const;
  for (const [name, path, text] of screens) {
    await visit(page, path);
    await expect(page.getByText(text)).toBeVisible();
    await expect(page.getByRole("main").locator(".empty .act")).toBeVisible();
    await look(page, info, name);
  }
});

test("friends", async ({ page }, info) => {
  await asDemo(page);
  await goTo(page, "Friends");
  await expect(page.getByRole("button", { name: "Accept Lena Novak" })).toBeVisible();
  await look(page, info, "friends-requests");
  await page.getByRole("tab", { name: "My Friends" }).click();
  await expect(page.getByRole("heading", { name: "Ben Carter" })).toBeVisible();
  await look(page, info, "friends-mine");
  await page.getByRole("tab", { name: "Find Friends" }).click();
  await page.getByLabel("E-mail or phone").fill("+15550100000");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("No user found")).toBeVisible();
  await look(page, info, "friends-not-found");
  const found = await joined("Wilhelmina Featherstonehaugh-Montgomery");
  await page.getByLabel("E-mail or phone").fill(found.email);
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("heading", { name: found.name })).toBeVisible();
  await look(page, info, "friends-found");
});

test("groups", async ({ page }, info) => {
  await asDemo(page);
  await page.goto("/friends/groups");
  await expect(page.getByRole("heading", { name: "Our street" })).toBeVisible();
  await look(page, info, "groups");
  await picture(page, info, "groups-full", { fullPage: true });
  await page.getByLabel("Group name").press("Enter");
  await expect(page.getByText("Please enter a group name")).toBeVisible();
  await look(page, info, "groups-wrong");
  await page.getByRole("button", { name: "Edit Our street" }).click();
  await expect(page.getByText("Editing Our street")).toBeVisible();
  await look(page, info, "groups-edit");
  await page.getByRole("button", { name: "Delete Book club" }).click();
  await expect(page.getByRole("dialog", { name: "Delete Group" })).toBeVisible();
  await look(page, info, "groups-delete");
});

test("home_and_notifications", async ({ page }, info) => {
  await asDemo(page);
  await expect(page.getByText("$45.00").filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByRole("list", { name: "Recent Favors" })).toBeVisible();
  await look(page, info, "home");
  await picture(page, info, "home-full", { fullPage: true });
  await goTo(page, "Notifications");
  await expect(page.getByText("Lena Novak").first()).toBeVisible();
  await look(page, info, "notifications");
  await page.goto("/settings");
  await expect(page.getByText(DEMO.email)).toBeVisible();
  await look(page, info, "settings");
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await look(page, info, "confirm");
});

test("favors", async ({ page }, info) => {
  await asDemo(page);
  const lists = [
    ["favors", "/favors"],
    ["favors-asked", "/favors?view=asked"],
    ["favors-helping", "/favors?view=helping"],
    ["favors-browse", "/favors?tab=browse"],
    ["favors-completed", "/favors?tab=completed"],
    ["favors-helped", "/favors?tab=completed&view=helped"],
    ["favors-cancelled", "/favors?tab=completed&view=cancelled"],
  ] as const;
  for (const [name, path] of lists) {
    await visit(page, path);
    await expect(page.getByRole("article").first()).toBeVisible();
    await look(page, info, name);
    await page.getByRole("article").first().getByRole("link").click();
    await expect(page.getByRole("list", { name: "The story so far" })).toBeVisible();
    await look(page, info, `${name}-details`);
  }
  await page.goto("/favors?tab=browse");
  await page.getByRole("button", { name: "Location" }).click();
  await page.getByRole("searchbox", { name: "Search favors" }).fill("nothing is called so");
  await expect(page.getByRole("heading", { name: "No favor found" })).toBeVisible();
  await look(page, info, "favors-none-found");
  await page.goto("/favors?view=asked");
  await page.getByRole("article").first().getByRole("link").click();
  await page.getByRole("button", { name: "Another time" }).click();
  await expect(page.getByRole("dialog", { name: "Offer another time" })).toBeVisible();
  await look(page, info, "favor-another-time");
  await page.goto("/favors?view=helping");
  await page.getByRole("article").first().getByRole("link").click();
  await page.getByRole("button", { name: "Step back" }).click();
  await expect(page.getByLabel("Message (optional)")).toBeVisible();
  await look(page, info, "favor-step-back");
});

test("items", async ({ page }, info) => {
  await asDemo(page);
  await goTo(page, "Share Stuff");
  const things = page.getByRole("list", { name: "Items of your friends" }).getByRole("article");
  await expect(things.first()).toBeVisible();
  await look(page, info, "items");
  await things.first().getByRole("link").click();
  await expect(page.getByRole("heading", { name: "When do you need it?" })).toBeVisible();
  await expect(page.getByRole("list", { name: "What the days mean" })).toBeVisible();
  await look(page, info, "item-details");
  await picture(page, info, "item-details-full", { fullPage: true });
  await visit(page, "/share?tab=mine");
  const own = page.getByRole("list", { name: "Your items" }).getByRole("listitem");
  await expect(own.first()).toBeVisible();
  // A desktop has room for two beside each other.
  const [first, second] = [await own.nth(0).boundingBox(), await own.nth(1).boundingBox()];
  expect(first?.y === second?.y).toBe(!isPhone(page));
  await look(page, info, "listings");
  await visit(page, "/share?tab=create");
  await expect(page.getByLabel("List item immediately")).toBeVisible();
  await picture(page, info, "item-new-full", { fullPage: true });
  await visit(page, "/share?tab=mine");
  await page.getByRole("link", { name: "Sewing machine", exact: true }).click();
  await expect(page.getByText("Total earned")).toBeVisible();
  await look(page, info, "management");
  await picture(page, info, "management-full", { fullPage: true });
  await page.getByRole("button", { name: "Choose days" }).click();
  await expect(page.getByRole("dialog").getByRole("table")).toBeVisible();
  await look(page, info, "item-days");
});

test("helping", async ({ page }, info) => {
  const [eve, ben, zoe] = await Promise.all([joined("Eve Lang"), joined("Ben Ortega"), joined("Zoe Arndt")]);
  const [own, bens, zoes] = await Promise.all([as(eve), as(ben), as(zoe)]);
  await Promise.all([bens.askToBeFriends(eve), zoes.askToBeFriends(eve)]);
  await own.acceptFriends();
  const piano = await own.post("Move a piano", [ben, zoe], { maxResponses: 3, tip: 15, location: "12 Elm Street" });
  const party = await own.post("Set up the street party", [], { requestType: RequestType.PUBLIC });
  const proposedStart = timestampFromDate(new Date(Date.now() + 2 * DAY_MS));
  const message = "I get the van then, and my brother comes along. It takes us an hour or two.";
  await bens.acts.respondToFavor({ id: piano, response: FavorResponse.ANOTHER_TIME, message, proposedStart });
  await bens.acts.applyToFavor({ id: party, message });
  await zoes.acts.applyToFavor({ id: party });
  await bens.profile.updateProfile({
    data: { paymentInfo: { venmoUsername: "ben-ortega" } },
    updateMask: { paths: ["data.payment_info.venmo_username"] },
  });
  await signIn(page, eve);
  await visit(page, `/favors/${party}`);
  await expect(page.getByRole("list", { name: "Who offers to help" })).toBeVisible();
  await look(page, info, "favor-offers");
  await visit(page, `/favors/${piano}`);
  await expect(page.getByRole("list", { name: "Proposed times" })).toBeVisible();
  await look(page, info, "favor-times");
  await picture(page, info, "favor-times-full", { fullPage: true });
  await page.getByRole("button", { name: "Ask one more friend" }).click();
  await expect(page.getByText("Everybody is asked")).toBeVisible();
  await look(page, info, "favor-ask-nobody");
  await page.keyboard.press("Escape");
  await visit(page, `/favors/${party}`);
  await page.getByRole("button", { name: "Ask one more friend" }).click();
  await expect(page.getByRole("button", { name: "Ask Zoe Arndt" })).toBeVisible();
  await look(page, info, "favor-ask");
  await page.getByRole("button", { name: "Ask Zoe Arndt" }).click();
  await expect(page.getByLabel("Message (optional)")).toBeVisible();
  await look(page, info, "favor-ask-words");
  await bens.acts.respondToFavor({ id: piano, response: FavorResponse.ACCEPT });
  await zoes.acts.respondToFavor({ id: piano, response: FavorResponse.ACCEPT });
  await page.goto(`/favors/${piano}`);
  await expect(page.locator(".backups")).toBeVisible();
  await look(page, info, "favor-back-up");
  await own.acts.completeFavor({ id: piano });
  await page.getByRole("button", { name: "Pay with PayPal" }).click();
  await expect(page.getByText("Payment Method Not Available")).toBeVisible();
  await look(page, info, "favor-pay");
  await page.getByRole("button", { name: "Pay with Venmo" }).click();
  await expect(page.getByText("@ben-ortega", { exact: true })).toBeVisible();
  await look(page, info, "favor-pay-by-hand");
  await picture(page, info, "favor-pay-full", { fullPage: true });
});

test("asking_for_a_favor", async ({ page }, info) => {
  await asDemo(page);
  await page.goto("/favors?tab=create");
  await expect(page.getByRole("heading", { name: "New favor" })).toBeVisible();
  await look(page, info, "form");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByText("Please select at least one recipient")).toBeVisible();
  await expect(page.getByLabel("Title")).toBeFocused();
  await look(page, info, "form-wrong");

  await page.getByRole("button", { name: /^Start Choose/ }).click();
  const calendar = page.getByRole("dialog", { name: "Select Date & Time" });
  await calendar.getByRole("button", { name: "Next month" }).click();
  await calendar.getByRole("button", { name: /^15 / }).click();
  await look(page, info, "form-date");
  await calendar.getByRole("button", { name: "Confirm" }).click();

  await page.getByRole("button", { name: /^Who to ask/ }).click();
  const people = page.getByRole("dialog", { name: "Who can help?" });
  await people.getByRole("checkbox", { name: /Ben Carter/ }).check();
  await look(page, info, "form-people");
  await people.getByRole("tab", { name: "Groups (2)" }).click();
  await people.getByRole("checkbox", { name: /Book club/ }).check();
  await people.getByRole("button", { name: "Who is in Our street" }).click();
  await expect(people.getByRole("checkbox", { name: /Marcus/ })).toBeVisible();
  await look(page, info, "form-groups");
  await people.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "One more may accept" }).click();
  await look(page, info, "form-filled");
  await choose(page, "All friends");
  await look(page, info, "form-all");
});

test("long_words_and_names_keep_inside", async ({ page }, info) => {
  const [eve, wilhelmina] = [await joined("Eve Lang"), await joined("Wilhelmina Featherstonehaugh-Montgomery")];
  const other = await as(wilhelmina);
  await other.askToBeFriends(eve);
  await (await as(eve)).acceptFriends();
  await other.askFavor(eve, `${"Donaudampfschifffahrtsgesellschaft".repeat(4)} and then some more words to be long`);
  await signIn(page, eve);
  await expect(page.getByRole("heading", { name: "Needs your answer" })).toBeVisible();
  await look(page, info, "long-home");
  await page.goto("/favors?view=asked");
  await page.getByRole("article").first().getByRole("link").click();
  await expect(page.getByRole("button", { name: "I can help" })).toBeVisible();
  await look(page, info, "long-details");
  await page.goto("/favors");
  await choose(page, "Asked of you");
  await expect(page.getByRole("article").first()).toBeVisible();
  await look(page, info, "long-list");
});

test("mails", async ({ page }, info) => {
  const eve = await joined("Eve Lang");
  const other = await as(await joined("Wilhelmina Featherstonehaugh-Montgomery"));
  await other.askToBeFriends(eve);
  const mails = [
    ["mail-code", "Your verification code is"],
    ["mail-one", "New friend request"],
  ];
  for (const [name = "", says = ""] of mails) {
    const { number } = await mailTo(eve.email, says);
    await page.goto(`/dev/outbox/${number}`);
    await expect(page.getByRole("main").getByRole("heading")).toBeVisible();
    await look(page, info, name);
  }
  await (await as(eve)).acceptFriends();
  const long = `${"Donaudampfschifffahrtsgesellschaft".repeat(3)} https://evil.example/win`;
  await Promise.all([other.askFavor(eve, long), other.askFavor(eve, "Water my balcony")]);
  const { number } = await mailTo(eve.email, "2 new notifications at Goodturn");
  await page.goto(`/dev/outbox/${number}`);
  await expect(page.getByRole("main").getByText("Water my balcony")).toBeVisible();
  await expect(page.getByRole("link", { name: /evil/ })).toHaveCount(0);
  await look(page, info, "mail-several");
  // What the page of all of them shows is the text.
  await page.goto("/dev/outbox");
  await expect(page.getByRole("link", { name: "As it looks" }).first()).toBeVisible();
});
