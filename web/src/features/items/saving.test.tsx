// A new item and its pictures: made once however often it is tried, listed last, and what failed is told and kept.
import { Code } from "@connectrpc/connect";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { useSearchParams } from "wouter";
import { type Item, ItemStatus, Visibility } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { itemServer } from "../../testing/items";
import { lost, manyLost, refusal } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { sendAll, network, pick, pictures, png, type } from "../../testing/sending";
import { CreateForm } from "./CreateForm";
import { EditScreen } from "./EditScreen";
import { heldOf, hold } from "./kept";
import { MyListings } from "./MyListings";
import { chosenOf, unchooseAll } from "./pictures";

const questions = vi.hoisted(() => ({ asked: [] as string[], text: "", ways: [] as string[], answer: true }));

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed({ title, text, yes, no }: Record<"title" | "text" | "yes" | "no", string>): Promise<boolean> {
    questions.asked.push(title);
    questions.text = text;
    questions.ways = [no, yes];
    return Promise.resolve(questions.answer);
  },
}));
vi.mock("../../lib/upload", async (original) => (await import("../../testing/sending")).sendingOf(await original()));
vi.mock("../../lib/preparePicture", async () => (await import("../../testing/sending")).preparing);

beforeEach(() => {
  questions.asked = [];
  questions.answer = true;
  sendAll();
  for (const item of ["", "i1"]) unchooseAll("ana", item);
  window.history.replaceState(null, "", "/share?tab=create");
});

/** What failed is tried again before it is told. */
const SLOW = { timeout: 4000 };

const press = (name: string): Promise<void> => userEvent.click(screen.getByRole("button", { name }));

const isListed = () => screen.getByLabelText<HTMLInputElement>("List item immediately");

async function saveUnlisted(): Promise<void> {
  if (isListed().checked) await userEvent.click(isListed());
  await press("Save (Not Listed)");
}

function opened() {
  const server = itemServer();
  const shown = renderWith(server.routes, <CreateForm me="ana" />);
  type("Title", "Tent");
  type("Description", "For four");
  return { ...server, ...shown };
}

it("what_is_missing_is_said_under_one_title_and_nothing_is_sent", async () => {
  const { state } = opened();
  type("Title", " ");
  await saveUnlisted();
  expect(await screen.findByText("Validation Error")).toBeInTheDocument();
  expect(screen.getAllByText("Please enter an item title")).toHaveLength(2);
  expect(screen.getByLabelText("Title")).toHaveFocus();
  expect(state.sent.filter(({ call }) => call === "createItem")).toEqual([]);
});

it.each([
  ["Title", "Please enter an item title"],
  ["Description", "Please enter a description"],
])("without_a_%s_it_is_not_saved", async (label, text) => {
  const { callsOf } = opened();
  type(label, " ");
  await saveUnlisted();
  const outcome = await screen.findByText("Validation Error");
  expect(outcome.parentElement).toHaveTextContent(text);
  expect(callsOf("createItem")).toEqual([]);
});

it("the_form_has_the_documented_fields_and_says_what_each_policy_means", async () => {
  opened();
  expect(screen.getByRole("heading", { name: "Share Item with Friends" })).toBeInTheDocument();
  expect(screen.getByLabelText("Online reference link (optional)")).toBeInTheDocument();
  expect(screen.getByRole("radio", { name: "Other" })).toBeChecked();
  expect(screen.getByRole("radio", { name: "Friends" })).toBeChecked();
  expect(isListed()).toBeChecked();
  expect(screen.getByText("Free cancellation until the day before")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("radio", { name: "Strict" }));
  expect(screen.getByText("Free cancellation until a week before")).toBeInTheDocument();
});

it("pictures_are_sent_in_their_order_before_the_item_is_listed", async () => {
  const { state } = opened();
  pick(png("a"), png("b"), png("c", "image/webp"));
  await press("Move picture 3 earlier");
  await press("Remove picture 1");
  expect(pictures()).toEqual(["blob:c", "blob:b"]);
  await press("List for Friends");
  expect(await screen.findByText("Item listed. Your friends can find it now.")).toBeInTheDocument();
  const calls = state.sent.map(({ call }) => call);
  expect(calls).toEqual(["createItem", "presignImage", "confirmImage", "presignImage", "confirmImage", "updateItem"]);
  expect(state.items[0]).toMatchObject({ title: "Tent", status: ItemStatus.LISTED });
  expect(window.location.search).toBe("?tab=mine");
  expect(chosenOf("ana", "")).toEqual([]);
  expect(heldOf("ana", "").values.title).toBe("");
});

it("a_public_item_is_said_to_be_listed_for_all_who_can_see_it", async () => {
  const { state } = opened();
  await userEvent.click(screen.getByRole("radio", { name: "Public" }));
  await press("List for Friends");
  const text = "Item listed. Any member with the link can see it now, and your friends can find it.";
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(state.items[0]).toMatchObject({ visibility: Visibility.PUBLIC, status: ItemStatus.LISTED });
});

function OwnOrNew() {
  const [params] = useSearchParams();
  return params.get("tab") === "create" ? <CreateForm me="ana" /> : <MyListings />;
}

it("a_new_item_stands_among_ones_own_before_they_are_asked_for_again", async () => {
  window.history.replaceState(null, "", "/share?tab=mine");
  const { state, routes } = itemServer();
  renderWith(routes, <OwnOrNew />);
  await userEvent.click(await screen.findByRole("link", { name: "List Your First Item" }));
  type("Title", "Tent");
  type("Description", "For four");
  state.fails["listMyItems"] = lost();
  await press("List for Friends");
  expect(await screen.findByRole("link", { name: "Tent" })).toBeInTheDocument();
  expect(screen.getByRole("radio", { name: "All Items (1)" })).toBeInTheDocument();
  expect(screen.getByRole("radio", { name: "Listed (1)" })).toBeInTheDocument();
});

it("what_is_no_picture_is_refused_by_its_name_and_no_more_than_ten_are_taken", async () => {
  opened();
  pick(png("a.txt", "text/plain"), new File([], "b.jpg", { type: "image/jpeg" }));
  expect(await screen.findByText(/^We can't use a\.txt\./)).toBeInTheDocument();
  expect(screen.getByText(/^b\.jpg is an empty file\./)).toBeInTheDocument();
  pick(...Array.from({ length: 12 }, (_, i) => png(`${i}.png`)));
  expect(await screen.findByText("Too Many Pictures")).toBeInTheDocument();
  expect(screen.getByText("You can add up to 10 pictures. We didn't add 10.png and 11.png.")).toBeInTheDocument();
  expect(screen.queryByText(/a\.txt/)).not.toBeInTheDocument();
  expect(pictures()).toHaveLength(10);
  await press("Remove picture 10");
  expect(screen.queryByText("Too Many Pictures")).not.toBeInTheDocument();
});

it("a_picture_of_any_size_is_taken_and_one_that_cannot_be_drawn_says_so_before_it_is_sent", async () => {
  const { callsOf } = opened();
  const large = png("large");
  Object.defineProperty(large, "size", { value: 20_000_000 });
  pick(large, png("torn"));
  expect(await screen.findByText("We couldn't read torn. Please choose another picture.")).toBeInTheDocument();
  expect(pictures()).toEqual(["blob:large", "blob:torn"]);
  await press("Remove picture 2");
  await saveUnlisted();
  expect(await screen.findByText("Item saved. Only you can see it until you list it.")).toBeInTheDocument();
  expect(callsOf("presignImage")).toHaveLength(1);
});

it("an_item_whose_answer_was_lost_is_asked_for_once_more_before_a_failure_is_told", async () => {
  const { state, callsOf } = opened();
  state.fails["createItem"] = lost();
  await saveUnlisted();
  expect(await screen.findByText("Item saved. Only you can see it until you list it.")).toBeInTheDocument();
  expect(state.items).toHaveLength(1);
  const [first, second] = callsOf("createItem");
  expect(first?.key).toBe(second?.key);
});

it("an_item_whose_answers_were_lost_is_not_made_twice", async () => {
  const { state, callsOf } = opened();
  state.fails["createItem"] = manyLost(2);
  await saveUnlisted();
  expect(await screen.findByText(/Failed to save item\. Please try again\./)).toBeInTheDocument();
  expect(state.items).toHaveLength(1);
  // Something else is wanted by now: the one that was made is changed to it.
  type("Title", "Party tent");
  await saveUnlisted();
  expect(await screen.findByText("Item saved. Only you can see it until you list it.")).toBeInTheDocument();
  expect(state.items.map(({ title, status }) => [title, status])).toEqual([["Party tent", ItemStatus.DRAFT]]);
  expect(new Set(callsOf("createItem").map(({ key }) => key)).size).toBe(1);
  expect(callsOf("updateItem").map(({ body }) => body["paths"])).toEqual([["title"]]);
});

it("one_that_could_not_be_listed_is_listed_by_the_next_try", async () => {
  const { state } = opened();
  state.fails["updateItem"] = lost();
  await press("List for Friends");
  expect(await screen.findByText(/Failed to list item\. Please try again\./)).toBeInTheDocument();
  await press("Retry");
  await waitFor(() => expect(state.items.map(({ status }) => status)).toEqual([ItemStatus.LISTED]));
});

it("one_that_was_listed_and_not_answered_is_looked_at_and_told_as_listed", async () => {
  const { state, callsOf } = opened();
  state.unanswered = ["updateItem"];
  await press("List for Friends");
  expect(await screen.findByText("Item listed. Your friends can find it now.")).toBeInTheDocument();
  expect(callsOf("updateItem")).toHaveLength(1);
});

it("a_picture_that_could_not_be_sent_waits_for_the_item", async () => {
  const { state } = opened();
  pick(png("a"), png("b"));
  network.failing = ["a"];
  await saveUnlisted();
  expect(await screen.findByText(/Your item was saved, but 1 picture couldn't be uploaded\./)).toBeInTheDocument();
  expect(state.items[0]?.images).toHaveLength(1);
  expect(chosenOf("ana", "i1").map(({ address, isLost }) => [address, isLost])).toEqual([["blob:a", true]]);
});

it("what_could_not_be_sent_is_sent_again_from_where_that_is_said", async () => {
  const { state } = opened();
  pick(png("a"), png("b"), png("c"));
  network.failing = ["b", "c"];
  await press("List for Friends");
  expect(await screen.findByText(/Your item was saved, but 2 pictures couldn't be uploaded\./)).toBeInTheDocument();
  expect(state.items.map(({ status, images }) => [status, images.length])).toEqual([[ItemStatus.LISTED, 1]]);
  network.failing = ["c"];
  await press("Retry");
  expect(await screen.findByText(/Your item was saved, but 1 picture couldn't be uploaded\./)).toBeInTheDocument();
  await press("Retry");
  expect(await screen.findByText("Pictures uploaded.")).toBeInTheDocument();
  expect(state.items[0]?.images).toHaveLength(3);
  expect(chosenOf("ana", "i1")).toEqual([]);
});

async function notListedYet() {
  const shown = opened();
  pick(png("a"), png("b"));
  network.failing = ["a", "b"];
  await press("List for Friends");
  const text = /Your item was saved but isn't listed yet: 2 pictures couldn't be uploaded\./;
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(shown.state.items.map(({ status }) => status)).toEqual([ItemStatus.DRAFT]);
  return shown;
}

const listedWith = ({ items }: { items: readonly Item[] }): unknown[] =>
  items.map(({ status, images }) => [status, images.length]);

it("an_item_none_of_whose_pictures_could_be_sent_is_listed_once_they_are", async () => {
  const { state } = await notListedYet();
  await press("Retry");
  expect(await screen.findByText("Item listed. Your friends can find it now.")).toBeInTheDocument();
  expect(listedWith(state)).toEqual([[ItemStatus.LISTED, 2]]);
});

it("the_form_of_an_item_has_the_pictures_that_could_not_be_sent_and_sends_and_lists_it_by_one_press", async () => {
  const { state, unmount, routes } = await notListedYet();
  unmount();
  renderWith(routes, <EditScreen id="i1" me="ana" />);
  const said = await screen.findByText("The item isn't listed yet: 2 pictures couldn't be uploaded.");
  expect(pictures()).toEqual(["blob:a", "blob:b"]);
  await userEvent.click(within(said.parentElement ?? document.body).getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Item listed. Your friends can find it now.")).toBeInTheDocument();
  expect(listedWith(state)).toEqual([[ItemStatus.LISTED, 2]]);
  expect(screen.queryByText(/couldn't be uploaded/)).toBeNull();
});

it("an_item_whose_unsent_pictures_are_taken_out_is_not_listed_by_those_that_are_chosen_later", async () => {
  const { state, unmount, routes } = await notListedYet();
  unmount();
  renderWith(routes, <EditScreen id="i1" me="ana" />);
  await userEvent.click(await screen.findByRole("button", { name: "Remove picture 1" }));
  await userEvent.click(screen.getByRole("button", { name: "Remove picture 1" }));
  pick(png("c"));
  await waitFor(() => expect(listedWith(state)).toEqual([[ItemStatus.DRAFT, 1]]));
  expect(state.sent.filter(({ call }) => call === "updateItem")).toEqual([]);
});

it("what_could_not_be_sent_stays_in_the_form_of_one_that_could_not_be_listed_and_goes_with_the_next_try", async () => {
  const { state } = opened();
  pick(png("a"), png("b"), png("c"));
  network.failing = ["b", "c"];
  state.fails["updateItem"] = lost();
  await press("List for Friends");
  expect(await screen.findByText(/Failed to list item\. Please try again\./)).toBeInTheDocument();
  await waitFor(() => expect(pictures()).toEqual([state.items[0]?.images[0]?.url, "blob:b", "blob:c"]));
  expect(screen.queryByText(/page reloaded/)).toBeNull();
  // There is one way to try again, for all of it.
  await press("Retry");
  expect(await screen.findByText("Item listed. Your friends can find it now.")).toBeInTheDocument();
  expect(state.items.map(({ status, images }) => [status, images.length])).toEqual([[ItemStatus.LISTED, 3]]);
  expect(chosenOf("ana", "")).toEqual([]);
});

it("what_was_sent_for_an_item_that_could_not_be_listed_stands_in_its_form_and_can_be_removed", async () => {
  const { state, unmount, routes } = opened();
  pick(png("a"), png("b"));
  state.fails["updateItem"] = refusal("LIMIT_REACHED", Code.ResourceExhausted);
  await press("List for Friends");
  expect(await screen.findByText(/You've reached the limit for items\./)).toBeInTheDocument();
  const [first, second] = state.items[0]?.images ?? [];
  await waitFor(() => expect(pictures()).toEqual([first?.url, second?.url]));
  // Also on a page that was loaded anew.
  unmount();
  renderWith(routes, <CreateForm me="ana" />);
  await waitFor(() => expect(screen.getAllByRole("button", { name: /^Remove picture/ })).toHaveLength(2));
  expect(screen.queryByText(/add your pictures again/)).toBeNull();
  await press("Remove picture 1");
  await waitFor(() => expect(state.items[0]?.images).toEqual([second]));
  pick(png("c"));
  expect(state.sent.filter(({ call }) => call === "presignImage")).toHaveLength(2);
  await press("List for Friends");
  expect(await screen.findByText("Item listed. Your friends can find it now.")).toBeInTheDocument();
  expect(state.items.map(({ status, images }) => [status, images.length])).toEqual([[ItemStatus.LISTED, 2]]);
});

it("pictures_that_the_member_has_taken_out_again_are_not_said_to_be_lost", async () => {
  opened();
  pick(png("a"));
  await press("Remove picture 1");
  expect(screen.queryByText(/loaded anew/)).toBeNull();
  await saveUnlisted();
  expect(await screen.findByText("Item saved. Only you can see it until you list it.")).toBeInTheDocument();
});

it("a_field_that_the_server_refuses_says_so", async () => {
  const { state } = opened();
  state.fails["createItem"] = refusal("LIMIT_REACHED", Code.ResourceExhausted);
  await saveUnlisted();
  expect(await screen.findByText(/You've reached the limit for items\. We kept what you typed\./)).toBeInTheDocument();
});

it("cancelling_asks_before_words_are_lost_and_leads_to_browse", async () => {
  opened();
  questions.answer = false;
  await press("Cancel");
  expect([questions.asked, questions.ways]).toEqual([["Discard Changes?"], ["Keep Editing", "Discard"]]);
  expect(questions.text).toBe("You'll lose what you typed for this item.");
  expect(screen.getByLabelText("Title")).toHaveValue("Tent");
  questions.answer = true;
  await press("Cancel");
  await waitFor(() => expect(window.location.pathname + window.location.search).toBe("/share"));
  expect(heldOf("ana", "").values.title).toBe("");
});

it("who_discards_what_was_sent_and_not_answered_is_told_that_it_may_be_saved", async () => {
  const { state } = opened();
  state.fails["createItem"] = manyLost(2);
  await saveUnlisted();
  expect(await screen.findByText(/Failed to save item/)).toBeInTheDocument();
  await press("Cancel");
  await waitFor(() => expect(questions.text).toMatch(/If it was already saved, it stays in My Listings/));
});

it("pictures_whose_answers_were_lost_are_confirmed_again_before_anything_is_told", async () => {
  const { state, callsOf } = opened();
  pick(png("a"), png("b"));
  state.fails["confirmImage"] = lost();
  await saveUnlisted();
  expect(await screen.findByText("Item saved. Only you can see it until you list it.", {}, SLOW)).toBeInTheDocument();
  expect(callsOf("confirmImage").map(({ body }) => body["key"])).toEqual(["i1-p1", "i1-p1", "i1-p2"]);
  expect(state.items[0]?.images).toHaveLength(2);
});

it("pictures_that_arrived_although_nothing_answered_are_not_told_as_lost", async () => {
  const { state, callsOf } = opened();
  pick(png("a"));
  state.fails["confirmImage"] = manyLost(3);
  await saveUnlisted();
  expect(await screen.findByText("Item saved. Only you can see it until you list it.", {}, SLOW)).toBeInTheDocument();
  expect(callsOf("confirmImage")).toHaveLength(3);
  expect(chosenOf("ana", "i1")).toEqual([]);
});

it("what_has_been_sent_is_said_to_be_finished_while_the_server_takes_it", async () => {
  const { state } = opened();
  pick(png("a"), png("b"));
  state.fails["confirmImage"] = lost();
  await saveUnlisted();
  const bar = await screen.findByRole("progressbar", { name: "Finishing pictures, 2 to go..." });
  expect(bar).not.toHaveAttribute("value");
  expect(screen.getByRole("progressbar", { name: "Finishing picture 1" })).not.toHaveAttribute("value");
  expect(screen.getByText("Finishing...")).toBeInTheDocument();
  expect(await screen.findByText("Item saved. Only you can see it until you list it.", {}, SLOW)).toBeInTheDocument();
  expect(screen.queryByRole("progressbar")).toBeNull();
});

/** A form that lists what it makes, on a page that was loaded anew in the middle of sending so many pictures, of which these have arrived. */
async function loadedAnew(count: number, ...arrived: File[]) {
  const { state, callsOf, routes, unmount } = opened();
  if (arrived.length > 0) pick(...arrived);
  const held = heldOf("ana", "");
  await saveUnlisted();
  expect(await screen.findByText(/^Item saved/)).toBeInTheDocument();
  const { key = "" } = callsOf("createItem")[0] ?? {};
  unmount();
  window.history.replaceState(null, "", "/share?tab=create");
  hold("ana", "", { ...held, key, tries: [held.values], listed: true, isSending: true, pictures: count });
  renderWith(routes, <CreateForm me="ana" />);
  return state;
}

it("a_page_that_was_loaded_anew_while_pictures_were_sent_lists_nothing_without_any", async () => {
  const state = await loadedAnew(2);
  const text = /isn't listed yet: 2 pictures couldn't be uploaded\. Edit the item to add them again\./;
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(state.items.map(({ status }) => status)).toEqual([ItemStatus.DRAFT]);
});

it("what_arrived_before_the_page_was_loaded_anew_is_not_counted_as_lost", async () => {
  const state = await loadedAnew(3, png("a"));
  // They are no more, and cannot be tried again.
  const text = "Your item was saved, but 2 pictures couldn't be uploaded. Edit the item to add them again.";
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(state.items.map(({ status, images }) => [status, images.length])).toEqual([[ItemStatus.LISTED, 1]]);
});

it("a_picture_of_a_new_item_can_be_stopped_while_it_is_sent", async () => {
  const { state } = opened();
  network.waiting = "b";
  pick(png("a"), png("b"));
  await saveUnlisted();
  const stop = await screen.findByRole("button", { name: "Stop uploading picture 1" });
  expect(screen.getByRole("button", { name: "Add pictures" })).toBeDisabled();
  await userEvent.click(stop);
  // That was a choice, and nothing has failed.
  expect(await screen.findByText("Item saved. Only you can see it until you list it.")).toBeInTheDocument();
  expect(state.items[0]?.images).toHaveLength(1);
  expect(chosenOf("ana", "i1")).toEqual([]);
});

it("a_new_item_all_of_whose_pictures_are_stopped_is_listed_without", async () => {
  const { state } = opened();
  network.waiting = "a";
  pick(png("a"));
  await press("List for Friends");
  await userEvent.click(await screen.findByRole("button", { name: "Stop uploading picture 1" }));
  expect(await screen.findByText("Item listed. Your friends can find it now.")).toBeInTheDocument();
  expect(listedWith(state)).toEqual([[ItemStatus.LISTED, 0]]);
});

it("where_one_picture_was_stopped_and_the_other_failed_it_is_not_listed_yet", async () => {
  const { state } = opened();
  Object.assign(network, { waiting: "a", failing: ["b"] });
  pick(png("a"), png("b"));
  await press("List for Friends");
  await userEvent.click(await screen.findByRole("button", { name: "Stop uploading picture 1" }));
  expect(await screen.findByText(/isn't listed yet: 1 picture couldn't be uploaded\./)).toBeInTheDocument();
  expect(listedWith(state)).toEqual([[ItemStatus.DRAFT, 0]]);
});

it("who_leaves_a_form_that_is_sent_is_told_that_it_goes_on", async () => {
  opened();
  network.waiting = "a";
  pick(png("a"));
  await saveUnlisted();
  await screen.findByRole("button", { name: "Stop uploading picture 1" });
  await press("Close");
  expect([window.location.search, questions.asked]).toEqual(["", []]);
  expect(screen.getByText("Your item is still being saved. We'll let you know when it's done.")).toBeInTheDocument();
});
