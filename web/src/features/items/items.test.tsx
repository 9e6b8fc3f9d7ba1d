// The screens of the items: what each shows in which state, and what is sent.
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { useLocation } from "wouter";
import {
  CancellationPolicy,
  type Item,
  ItemAction,
  ItemCategory,
  ItemImageSchema,
  ItemOwnerSchema,
  ItemStatus,
  LocationSchema,
  Visibility,
} from "../../gen/later/goodturn/items/v1/items_service_pb";
import { actionsOf, anItem, itemServer } from "../../testing/items";
import { lost, refusal } from "../../testing/refusals";
import { pullDown } from "../../testing/pull";
import { renderWith } from "../../testing/render";
import { Browse } from "./Browse";
import { ItemScreen } from "./ItemScreen";
import { MyListings } from "./MyListings";
import { moved } from "./PictureEditor";

const { questions } = vi.hoisted(() => ({
  questions: { asked: [] as string[], texts: [] as string[], answer: true },
}));

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed({ title, text }: { title: string; text: string }): Promise<boolean> {
    questions.asked.push(title);
    questions.texts.push(text);
    return Promise.resolve(questions.answer);
  },
}));
vi.stubGlobal(
  "IntersectionObserver",
  class {
    observe(): void {}
    disconnect(): void {}
  },
);

beforeEach(() => {
  questions.asked = [];
  questions.texts = [];
  questions.answer = true;
  window.history.replaceState(null, "", "/share");
});

const theirs = (more: Partial<Item> = {}): Item =>
  anItem("i1", "Hammer drill", { isOwner: false, allowedActions: [ItemAction.REQUEST], ...more });

it("browsing_searches_when_the_typing_rests_and_narrows_to_a_category", async () => {
  const { state, routes, callsOf } = itemServer([
    theirs({ pricePerDay: 4 }),
    { ...theirs(), itemId: "i2", title: "Party tent", category: ItemCategory.SPORTS },
  ]);
  renderWith(routes, <Browse me="ben" />);
  expect(await screen.findByText("Friends only · 2 items")).toBeInTheDocument();
  expect(screen.getByText("$4.00 USD per day")).toBeInTheDocument();
  expect(screen.getByText("Free to borrow")).toBeInTheDocument();
  const search = screen.getByRole("searchbox", { name: "Search items" });
  for (const text of ["t", "te", "ten"]) fireEvent.change(search, { target: { value: text } });
  await waitFor(() => expect(screen.queryByText("Hammer drill")).toBeNull());
  // Not one for each letter.
  expect(callsOf("browseFeed").map(({ body }) => body["query"])).toEqual(["", "ten"]);
  await userEvent.click(screen.getByRole("button", { name: "Tools & Equipment" }));
  await userEvent.click(await screen.findByRole("button", { name: "Clear search" }));
  expect(await screen.findByText("Hammer drill")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "All Categories" })).toHaveAttribute("aria-pressed", "true");
  expect(state.sent.length).toBeGreaterThan(2);
});

it("the_category_that_was_kept_is_in_view_in_its_row", async () => {
  const { routes } = itemServer([theirs()]);
  const first = renderWith(routes, <Browse me="row" />);
  await userEvent.click(await screen.findByRole("button", { name: "Other" }));
  first.unmount();
  const seen = vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function at(this: Element) {
    return this.classList.contains("chip") ? new DOMRect(900, 0, 80, 44) : new DOMRect(0, 0, 390, 44);
  });
  renderWith(routes, <Browse me="row" />);
  expect((await screen.findByRole("group", { name: "Category" })).scrollLeft).toBe(745);
  seen.mockRestore();
});

it("each_item_has_its_own_place_in_the_list_whatever_stands_beside_it", async () => {
  const { routes } = itemServer([1, 2, 3].map((n) => ({ ...theirs(), itemId: `i${n}`, title: `Tent ${n}` })));
  renderWith(routes, <Browse me="ben" />);
  const list = within(await screen.findByRole("list", { name: "Your friends' items" }));
  const places = list
    .getAllByRole("listitem")
    .map((item) => [
      within(item).getByRole("link").textContent,
      item.getAttribute("aria-posinset"),
      item.getAttribute("aria-setsize"),
    ]);
  expect(places).toEqual([
    ["Tent 1", "1", "3"],
    ["Tent 2", "2", "3"],
    ["Tent 3", "3", "3"],
  ]);
});

it("a_picture_in_the_grid_comes_in_the_size_that_the_screen_shows", async () => {
  const { routes } = itemServer([theirs({ mainImage: "/p/256.jpg?a", cardImage: "/p/512.jpg?a" })]);
  const { container } = renderWith(routes, <Browse me="ben" />);
  expect(await screen.findByText("Hammer drill")).toBeInTheDocument();
  const image = container.querySelector(".thing .shot img");
  expect(image).toHaveAttribute("srcset", "/p/256.jpg?a 256w, /p/512.jpg?a 512w");
  expect(image).toHaveAttribute("src", "/p/256.jpg?a");
});

it("where_nothing_is_lent_the_first_item_is_asked_for_and_what_failed_is_tried_again", async () => {
  const { state, routes } = itemServer();
  state.fails["browseFeed"] = lost();
  renderWith(routes, <Browse me="ben" />);
  expect(await screen.findByRole("heading", { name: "Failed to load items" })).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("link", { name: "List Your First Item" })).toHaveAttribute(
    "href",
    "/share?tab=create",
  );
});

it("all_categories_can_be_chosen_by_their_names", async () => {
  const { routes } = itemServer();
  renderWith(routes, <Browse me="ben" />);
  const chips = within(await screen.findByRole("group", { name: "Category" })).getAllByRole("button");
  expect(chips.map(({ textContent }) => textContent)).toEqual([
    "All Categories",
    "Electronics",
    "Sports & Outdoors",
    "Tools & Equipment",
    "Transportation",
    "Home & Garden",
    "Entertainment",
    "Fashion & Accessories",
    "Other",
  ]);
});

it.each([
  ["browseFeed", Browse],
  ["listMyItems", MyListings],
])("pulled_down_%s_is_asked_anew", async (call, List) => {
  const { routes, callsOf } = itemServer([theirs()]);
  renderWith(routes, <List me="ben" />);
  expect(await screen.findByText("Hammer drill")).toBeInTheDocument();
  pullDown(200);
  await waitFor(() => expect(callsOf(call)).toHaveLength(2));
});

it("my_listings_have_counts_and_are_listed_after_a_question", async () => {
  const draft = { status: ItemStatus.DRAFT, allowedActions: actionsOf(ItemStatus.DRAFT) };
  const { routes, callsOf } = itemServer([anItem("i1", "Ladder"), anItem("i2", "Tent", draft)]);
  renderWith(routes, <MyListings />);
  const filters = await screen.findByRole("radiogroup", { name: "Which of your items" });
  expect(
    within(filters)
      .getAllByRole("radio")
      .map((one) => one.parentElement?.textContent),
  ).toEqual(["All Items (2)", "Listed (1)", "Unlisted (1)"]);
  questions.answer = false;
  await userEvent.click(screen.getByRole("button", { name: "List Tent" }));
  expect([questions.asked, callsOf("updateItem").length]).toEqual([["Publish Item"], 0]);
  questions.answer = true;
  await userEvent.click(screen.getByRole("button", { name: "List Tent" }));
  expect(await screen.findByRole("button", { name: "Unlist Tent" })).toBeInTheDocument();
  expect(screen.getByText("Item listed")).toBeInTheDocument();
  expect(await screen.findByText("Listed (2)")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Edit Tent" })).toHaveAttribute("href", "/share/items/i2/edit");
  expect(screen.getByRole("link", { name: "List an item" })).toHaveAttribute("href", "/share?tab=create");
});

it.each([
  [{}, /^Your friends will be able to find it/],
  [{ groupIds: ["g1"] }, /^The groups you chose will be able to find it/],
  [{ visibility: Visibility.PUBLIC }, /^Any member with the link will be able to see it/],
])("the_question_before_listing_says_who_can_see_it %#", async (reach, text) => {
  const draft = { status: ItemStatus.DRAFT, allowedActions: actionsOf(ItemStatus.DRAFT) };
  const { routes } = itemServer([anItem("i2", "Tent", { ...draft, ...reach })]);
  renderWith(routes, <MyListings />);
  questions.answer = false;
  await userEvent.click(await screen.findByRole("button", { name: "List Tent" }));
  expect(questions.texts).toEqual([expect.stringMatching(text)]);
});

it("listings_are_narrowed_to_what_is_listed_and_what_is_not", async () => {
  const draft = { status: ItemStatus.DRAFT, allowedActions: actionsOf(ItemStatus.DRAFT) };
  const { routes } = itemServer([anItem("i1", "Ladder"), anItem("i2", "Tent", draft)]);
  renderWith(routes, <MyListings />);
  await userEvent.click(await screen.findByText("Unlisted (1)"));
  await waitFor(() => expect(screen.queryByText("Ladder")).toBeNull());
  expect(screen.getByText("Tent")).toBeInTheDocument();
  await userEvent.click(screen.getByText("Listed (1)"));
  expect(await screen.findByText("Ladder")).toBeInTheDocument();
});

it("what_could_not_be_unlisted_says_so_and_stays_listed", async () => {
  const { state, routes } = itemServer([anItem("i1", "Ladder")]);
  renderWith(routes, <MyListings />);
  state.fails["updateItem"] = refusal("RATE_LIMITED", Code.ResourceExhausted);
  await userEvent.click(await screen.findByRole("button", { name: "Unlist Ladder" }));
  expect(await screen.findByText("Failed to unlist item. Please try again.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Unlist Ladder" })).toBeInTheDocument();
});

it("my_listings_that_failed_say_so_and_none_lead_to_the_first", async () => {
  const { state, routes } = itemServer();
  state.fails["listMyItems"] = lost();
  renderWith(routes, <MyListings />);
  expect(await screen.findByText("Failed to load your rental items")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("link", { name: "List Your First Item" })).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "List an item" })).toBeNull();
});

const action = (name: string): HTMLElement => screen.getByRole("button", { name });

it("days_are_chosen_checked_and_go_along_to_the_request", async () => {
  const { routes, callsOf } = itemServer([theirs({ pricePerDay: 5, deposit: 40, maxDays: 7 })]);
  renderWith(routes, <ItemScreen id="i1" />);
  expect(await screen.findByText("No images available")).toBeInTheDocument();
  expect(screen.getByText("4.9 ·")).toBeInTheDocument();
  expect(screen.getByText("11 items shared")).toBeInTheDocument();
  const terms = ["$5.00 USD per day\u00a0·", "$40.00 deposit\u00a0·", "up to 7 days"];
  expect([...document.querySelectorAll(".terms > *")].map(({ textContent }) => textContent)).toEqual(terms);
  // The dot behind it is as dim as the next one.
  expect(document.querySelector(".terms b")?.textContent).toBe("$5.00 USD per day");
  expect(action("Select Dates")).not.toHaveAttribute("aria-disabled");
  const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
  await userEvent.click(action("Select Dates"));
  expect(scrolled.mock.instances).toEqual([screen.getByRole("region", { name: "When do you need it?" })]);
  scrolled.mockRestore();
  await userEvent.click(await screen.findByRole("button", { name: /^November 24/ }));
  expect(action("Select Dates")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: /^November 26/ }));
  await userEvent.click(await screen.findByRole("button", { name: "Request to Borrow" }));
  expect(callsOf("checkAvailability").at(-1)?.body).toEqual({ startDate: "2026-11-24", endDate: "2026-11-26" });
  expect(window.location.pathname + window.location.search).toBe(
    "/share/items/i1/borrow?start=2026-11-24&end=2026-11-26",
  );
});

it("what_costs_nothing_is_free_and_no_sum_of_nothing", async () => {
  const { state, routes } = itemServer([theirs()]);
  state.estimate = { days: 3, subtotal: 0, deposit: 0, total: 0 };
  renderWith(routes, <ItemScreen id="i1" />);
  await userEvent.click(await screen.findByRole("button", { name: /^November 24/ }));
  await userEvent.click(screen.getByRole("button", { name: /^November 26/ }));
  await screen.findByRole("button", { name: "Request to Borrow" });
  expect(document.querySelector(".chosen")).toHaveTextContent("3 days · Free to borrow");
  expect(screen.queryByText(/0\.00/)).toBeNull();
});

it("its_owner_its_terms_and_its_link_stand_there", async () => {
  const more = {
    url: "https://drills.example/1",
    description: "With a set of bits",
    cancellationPolicy: CancellationPolicy.MODERATE,
    location: create(LocationSchema, { city: "Porto" }),
  };
  const { routes } = itemServer([theirs(more)]);
  renderWith(routes, <ItemScreen id="i1" />);
  expect(await screen.findByRole("link", { name: "Reference link" })).toHaveAttribute("href", more.url);
  expect(screen.getByText("With a set of bits")).toBeInTheDocument();
  expect(screen.getByText("Tools & Equipment")).toBeInTheDocument();
  expect(screen.getByText("Listed")).toHaveAttribute("data-tone", "ok");
  const owner = within(screen.getByRole("region", { name: "Owner" }));
  expect(owner.getByText("Ana Ruiz")).toBeInTheDocument();
  expect(owner.getByText("4.9 out of 5")).toBeInTheDocument();
  expect(screen.getByText("Moderate")).toBeInTheDocument();
  expect(screen.getByText("Free cancellation until 3 days before")).toBeInTheDocument();
  expect(screen.getByText("Porto")).toBeInTheDocument();
});

it("who_was_never_rated_has_no_stars", async () => {
  const owner = create(ItemOwnerSchema, { uid: "ana", name: "Ana Ruiz", itemsShared: 1 });
  const { routes } = itemServer([theirs({ owner })]);
  renderWith(routes, <ItemScreen id="i1" />);
  expect(await screen.findByText("1 item shared")).toBeInTheDocument();
  expect(screen.queryByText(/stars/)).toBeNull();
});

it("who_shares_nothing_else_has_no_count", async () => {
  const owner = create(ItemOwnerSchema, { uid: "ana", name: "Ana Ruiz", itemsShared: 0, rating: 5 });
  const { routes } = itemServer([theirs({ owner })]);
  renderWith(routes, <ItemScreen id="i1" />);
  expect(await screen.findByText("5.0")).toBeInTheDocument();
  expect(screen.queryByText(/shared/)).toBeNull();
});

it("its_pictures_are_turned_over_one_by_one", async () => {
  const images = ["p1", "p2"].map((imageId) =>
    create(ItemImageSchema, { imageId, url: `https://pictures.example/${imageId}` }),
  );
  const { routes } = itemServer([theirs({ images })]);
  renderWith(routes, <ItemScreen id="i1" />);
  const pictures = within(await screen.findByRole("region", { name: "Pictures of Hammer drill" }));
  expect(pictures.getAllByRole("img").map((one) => one.getAttribute("alt"))).toEqual([
    "Picture 1 of 2",
    "Picture 2 of 2",
  ]);
  expect(pictures.getByText("1 / 2")).toBeInTheDocument();
  expect(pictures.getByRole("button", { name: "Next picture" })).toBeInTheDocument();
  expect(screen.queryByText("No images available")).toBeNull();
});

it("what_became_of_the_item_is_told_to_who_chooses_days", async () => {
  const { state, routes } = itemServer([theirs({ maxDays: 7 })]);
  renderWith(routes, <ItemScreen id="i1" />);
  await userEvent.click(await screen.findByRole("button", { name: /^November 24/ }));
  state.items = state.items.map((item) => ({ ...item, maxDays: 2 }));
  state.available = false;
  await userEvent.click(screen.getByRole("button", { name: /^November 26/ }));
  expect(await screen.findByText("Rental Period Too Long")).toBeInTheDocument();
  state.items = [];
  state.fails["checkAvailability"] = [1, 2].map(() => refusal("NOT_FOUND", Code.NotFound));
  await userEvent.click(screen.getByRole("button", { name: /^November 24/ }));
  await userEvent.click(screen.getByRole("button", { name: /^November 25/ }));
  expect(await screen.findByRole("heading", { name: "Unable to Load Item" })).toBeInTheDocument();
});

it("a_calendar_that_does_not_come_says_so_and_is_tried_again", async () => {
  const { state, routes } = itemServer([theirs()]);
  state.fails["checkAvailability"] = lost();
  renderWith(routes, <ItemScreen id="i1" />);
  expect(await screen.findByText("Failed to check availability")).toBeInTheDocument();
  await userEvent.click(action("Retry"));
  expect(await screen.findByRole("button", { name: /^November 24/ })).toBeInTheDocument();
});

it("days_that_are_taken_are_cleared_and_said", async () => {
  const { state, routes } = itemServer([theirs()]);
  state.available = false;
  renderWith(routes, <ItemScreen id="i1" />);
  await userEvent.click(await screen.findByRole("button", { name: /^November 24/ }));
  await userEvent.click(screen.getByRole("button", { name: /^November 26/ }));
  expect(await screen.findByText("Dates Not Available")).toBeInTheDocument();
  expect(screen.getByText("This item is not available for the selected dates.")).toBeInTheDocument();
  expect(action("Not Available")).toHaveAttribute("aria-disabled", "true");
  expect(screen.getByRole("button", { name: /^November 24/ })).toHaveAttribute("aria-pressed", "false");
  await userEvent.click(screen.getByRole("button", { name: /^November 28/ }));
  expect(screen.queryByText("Dates Not Available")).toBeNull();
  expect(action("Select Dates")).toBeInTheDocument();
});

const address = (): string => window.location.pathname + window.location.search;

it("days_that_were_chosen_are_there_after_a_reload_until_they_are_taken", async () => {
  const { state, routes } = itemServer([theirs()]);
  const first = renderWith(routes, <ItemScreen id="i1" />);
  await userEvent.click(await screen.findByRole("button", { name: /^November 24/ }));
  expect(address()).toBe("/share/items/i1?start=2026-11-24");
  await userEvent.click(screen.getByRole("button", { name: /^November 26/ }));
  expect(address()).toBe("/share/items/i1?start=2026-11-24&end=2026-11-26");
  first.unmount();
  const second = renderWith(routes, <ItemScreen id="i1" />);
  expect(await screen.findByRole("button", { name: "Request to Borrow" })).toBeInTheDocument();
  expect(await screen.findByRole("button", { name: /^November 24/ })).toHaveAttribute("aria-pressed", "true");
  second.unmount();
  state.available = false;
  renderWith(routes, <ItemScreen id="i1" />);
  expect(await screen.findByText("Dates Not Available")).toBeInTheDocument();
  await waitFor(() => expect(address()).toBe("/share/items/i1"));
  expect(screen.getByText("Dates Not Available")).toBeInTheDocument();
});

it("what_could_not_be_checked_is_tried_again", async () => {
  const { state, routes } = itemServer([theirs()]);
  renderWith(routes, <ItemScreen id="i1" />);
  await userEvent.click(await screen.findByRole("button", { name: /^November 24/ }));
  state.fails["checkAvailability"] = lost();
  await userEvent.click(screen.getByRole("button", { name: /^November 24/ }));
  expect(await screen.findByText(/Unable to check availability\. Please try again\./)).toBeInTheDocument();
  await userEvent.click(screen.getAllByRole("button", { name: "Retry" })[0] ?? document.body);
  await waitFor(() => expect(screen.queryByText(/Unable to check availability/)).toBeNull());
  expect(action("Request to Borrow")).toBeInTheDocument();
});

it("the_owner_cannot_ask_for_it_and_manages_it", async () => {
  const { routes, callsOf } = itemServer([anItem("i1", "Ladder")]);
  renderWith(routes, <ItemScreen id="i1" />);
  expect(await screen.findByText("This is your item")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Manage Item" })).toHaveAttribute("href", "/share/items/i1/manage");
  expect(screen.queryByText("When do you need it?")).toBeNull();
  expect(callsOf("checkAvailability")).toEqual([]);
});

it("what_is_not_listed_has_no_calendar", async () => {
  const { routes, callsOf } = itemServer([theirs({ status: ItemStatus.UNLISTED, allowedActions: [] })]);
  renderWith(routes, <ItemScreen id="i1" />);
  expect(await screen.findByText("This item is not yet available for borrowing")).toBeInTheDocument();
  expect(screen.queryByText("When do you need it?")).toBeNull();
  expect(callsOf("checkAvailability")).toEqual([]);
});

function BrowseOrItem() {
  const [path] = useLocation();
  return path === "/share" ? <Browse me="ben" /> : <ItemScreen id="i1" />;
}

it("what_was_browsed_is_shown_in_full_before_it_is_told_anew", async () => {
  const { state, routes } = itemServer([theirs({ pricePerDay: 4 })]);
  state.waits = true;
  renderWith(routes, <BrowseOrItem />);
  await userEvent.click(await screen.findByRole("link", { name: "Hammer drill" }));
  expect(await screen.findByRole("heading", { name: "Hammer drill", level: 2 })).toBeInTheDocument();
  expect(screen.getByText("It works.")).toBeInTheDocument();
  expect(await screen.findByRole("button", { name: "Select Dates" })).toBeInTheDocument();
});

it("a_link_is_one_only_where_it_leads_to_the_web", async () => {
  const { routes } = itemServer([theirs({ url: "javascript:alert(1)" })]);
  renderWith(routes, <ItemScreen id="i1" />);
  expect(await screen.findByRole("heading", { name: "Hammer drill" })).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: /Reference link/ })).toBeNull();
});

it.each([
  [0, 2, "bca"],
  [2, 0, "cab"],
  [1, 1, "abc"],
])("what_stood_at_%d_stands_at_%d", (from, to, order) => expect(moved([..."abc"], from, to).join("")).toBe(order));
