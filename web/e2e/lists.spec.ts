// Lists of favors are searched and narrowed, and thousands are found again where they were left.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { Page, Route } from "@playwright/test";
import { expect } from "./test";
import {
  FavorSchema,
  FavorStatus,
  ListActiveFavorsRequestSchema,
  ListActiveFavorsResponseSchema,
} from "../src/gen/goodturn/favors/v1/favors_service_pb";
import { FavorCategory, RequestType } from "../src/gen/later/goodturn/favors/v1/favors_service_pb";
import { joined, twoFriends } from "./backstage";
import { test } from "./looks";
import { choose, signIn, visit } from "./people";

test("favors_of_friends_are_found_by_words_kind_and_place", async ({ page }) => {
  const { who, own, ben } = await twoFriends();
  const all = { requestType: RequestType.PUBLIC };
  const { PHYSICAL_HELP, PET_CARE } = FavorCategory;
  const [sofa, dog] = [
    { ...all, category: PHYSICAL_HELP, location: "12 Oak Street" },
    { ...all, category: PET_CARE, location: "By the river" },
  ];
  await ben.post("Carry a sofa up two flights", [], sofa);
  await ben.post("Walk Biscuit round the park", [], dog);
  await ben.askFavor(who, "Bring in the mail");
  await signIn(page, who);
  await visit(page, "/favors?tab=browse");
  const cards = page.getByRole("article");
  const titles = cards.getByRole("heading");
  const search = page.getByRole("searchbox", { name: "Search favors" });
  await expect(cards).toHaveCount(3);
  await expect(page.getByText("From your friends")).toContainText("3 favors");
  await expect(cards.filter({ hasText: "Walk Biscuit" })).toContainText("open");

  // Each is asked of the server, which finds words with a wrong letter too.
  await page.getByRole("button", { name: "Pet Care" }).click();
  await expect(titles).toHaveText(["Walk Biscuit round the park"]);
  await page.getByRole("button", { name: "All", exact: true }).click();
  await page.getByRole("button", { name: "Location" }).click();
  await page.getByLabel("Street, area or town").fill("oak str");
  await expect(titles).toHaveText(["Carry a sofa up two flights"]);
  await page.getByRole("button", { name: "Location" }).click();
  await search.fill("biscit");
  await expect(titles).toHaveText(["Walk Biscuit round the park"]);

  // The words are kept on the way to a favor and back, and over a new page.
  await cards.getByRole("link").click();
  await expect(page.getByRole("list", { name: "The story so far" })).toBeVisible();
  await expect(page).toHaveURL(/\?tab=browse/);
  await page.goBack();
  await page.reload();
  await expect(search).toHaveValue("biscit");
  await search.fill("100%");
  await expect(page.getByRole("heading", { name: "No favors found" })).toBeVisible();
  await page.getByRole("button", { name: "Clear search" }).click();
  await expect(cards).toHaveCount(3);

  // A favor that was done for a friend stays before and after it is settled.
  await own.complete("Bring in the mail");
  await visit(page, "/favors?tab=completed");
  await choose(page, "You helped");
  const badge = cards.filter({ hasText: "Bring in the mail" }).locator(".badge");
  await expect(badge).toHaveText("completed");
  await ben.settle("Bring in the mail");
  await expect(badge).toHaveText("settled");
});

const THOUSANDS = 3000;
const FRAME_BYTES = 5;

/** A frame of gRPC-Web: what it is, how long it is, and that. */
function frame(kind: number, bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(FRAME_BYTES);
  head.writeUInt8(kind);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Answers for the server: the member has thousands of drafts. */
async function manyDrafts(page: Page): Promise<void> {
  await page.route("**/*FavorsService/ListActiveFavors", async (route: Route) => {
    const asked = fromBinary(
      ListActiveFavorsRequestSchema,
      (route.request().postDataBuffer() ?? Buffer.alloc(FRAME_BYTES)).subarray(FRAME_BYTES),
    );
    const from = Number(asked.cursor || "0");
    const to = Math.min(THOUSANDS, from + (asked.limit ?? 0));
    const favors = Array.from({ length: to - from }, (_, i) =>
      create(FavorSchema, {
        id: `00000000-0000-4000-8000-${String(from + i).padStart(12, "0")}`,
        title: `Draft ${from + i}`,
        // The cards have different heights.
        description: "Water the tomatoes. ".repeat(1 + ((from + i) % 7)),
        status: FavorStatus.DRAFT,
      }),
    );
    const hasMore = to < THOUSANDS;
    const cursor = hasMore ? String(to) : "";
    const answer = create(ListActiveFavorsResponseSchema, { favors, hasMore, cursor });
    const body = Buffer.concat([
      frame(0, toBinary(ListActiveFavorsResponseSchema, answer)),
      frame(0x80, Buffer.from("grpc-status: 0\r\n")),
    ]);
    await route.fulfill({ body, contentType: "application/grpc-web+proto" });
  });
}

test("a_list_of_thousands_draws_few_and_is_found_again_where_it_was_left", async ({ page }) => {
  await signIn(page, await joined("Eve Lang"));
  await manyDrafts(page);
  await page.goto("/favors");
  const cards = page.getByRole("article");
  const draft = (n: number) => page.getByRole("link", { name: `Draft ${n}`, exact: true });
  await expect(draft(0)).toBeVisible();
  // Each page follows before the end of the one before is seen.
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    expect(Number(/Draft (\d+)/.exec(await cards.last().innerText())?.[1])).toBeGreaterThan(600);
  }).toPass();
  expect(await cards.count()).toBeLessThan(60);

  // Somewhere in the middle.
  await page.evaluate(() => window.scrollTo(0, 100_000));
  await expect(cards.nth(10)).toBeVisible();
  let title = "";
  // Cards that are measured now may move what is drawn: it is the same twice.
  await expect(async () => {
    const [before, now] = [title, (await cards.nth(8).getByRole("link").textContent()) ?? ""];
    title = now;
    expect(now).toBe(before);
  }).toPass();
  const place = page.getByRole("link", { name: title, exact: true });
  await place.scrollIntoViewIfNeeded();
  const before = (await place.boundingBox())?.y ?? 0;
  await place.click();
  await expect(page.getByRole("heading", { name: "You can't see this favor" })).toBeVisible();
  await page.goBack();
  await expect(place).toBeInViewport();
  expect(Math.abs(((await place.boundingBox())?.y ?? 0) - before)).toBeLessThan(2);
});
