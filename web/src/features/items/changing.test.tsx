// A change of an item and of its pictures: what is sent, what is not answered, and what failed.
import { Code } from "@connectrpc/connect";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { anItem, itemServer } from "../../testing/items";
import { lost, manyLost, refusal } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { sendAll, network, pick, pictures, png, pressAtPicture, type } from "../../testing/sending";
import { EditScreen } from "./EditScreen";
import { heldOf } from "./kept";
import { chosenOf, unchooseAll } from "./pictures";

const questions = vi.hoisted(() => ({ asked: [] as string[] }));

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed({ title }: { title: string }): Promise<boolean> {
    questions.asked.push(title);
    return Promise.resolve(true);
  },
}));
vi.mock("../../lib/upload", async (original) => (await import("../../testing/sending")).sendingOf(await original()));
vi.mock("../../lib/preparePicture", async () => (await import("../../testing/sending")).preparing);

beforeEach(() => {
  questions.asked = [];
  sendAll();
  for (const item of ["", "i1"]) unchooseAll("ana", item);
});

/** What failed is tried again before it is told. */
const SLOW = { timeout: 4000 };

const press = (name: string): Promise<void> => userEvent.click(screen.getByRole("button", { name }));

const drill = () =>
  anItem("i1", "Drill", {
    images: ["p1", "p2", "p3"].map((imageId) => ({
      $typeName: "goodturn.items.v1.ItemImage" as const,
      imageId,
      url: `https://pictures.example/${imageId}`,
    })),
  });

async function editing() {
  window.history.replaceState(null, "", "/share/items/i1/manage");
  window.history.pushState(null, "", "/share/items/i1/edit");
  const server = itemServer([drill()]);
  const shown = renderWith(server.routes, <EditScreen id="i1" me="ana" />);
  await screen.findByLabelText("Title");
  return { ...server, ...shown };
}

it("what_was_saved_and_not_answered_is_no_conflict_with_oneself", async () => {
  const { state } = await editing();
  type("Title", "Big drill");
  state.fails["updateItem"] = lost();
  // It was done all the same.
  state.items = state.items.map((item) => ({ ...item, title: "Big drill" }));
  state.fails["getItem"] = lost();
  await press("Save Changes");
  await waitFor(() => expect(screen.getByRole("button", { name: "Save Changes" })).not.toHaveAttribute("data-loading"));
  await waitFor(() => expect(screen.queryByText(/Failed to save item/)).toBeNull());
  expect(screen.queryByText(/Changed elsewhere/)).toBeNull();
  expect(screen.getByLabelText("Title")).toHaveValue("Big drill");
  expect(heldOf("ana", "i1").base?.title).toBe("Big drill");
  expect(screen.getByText("Item updated successfully")).toBeInTheDocument();
});

it("what_was_saved_and_not_answered_is_looked_at_and_leads_back_as_saved", async () => {
  const { state, callsOf } = await editing();
  type("Title", "Big drill");
  state.unanswered = ["updateItem"];
  await press("Save Changes");
  expect(await screen.findByText("Item updated successfully")).toBeInTheDocument();
  await waitFor(() => expect(window.location.pathname).toBe("/share/items/i1/manage"));
  expect(callsOf("updateItem")).toHaveLength(1);
  expect(screen.queryByText(/Failed to save item/)).toBeNull();
});

it("a_change_sends_what_was_changed_and_leads_back", async () => {
  const { callsOf } = await editing();
  expect(screen.getByLabelText("Title")).toHaveValue("Drill");
  type("City", "Porto");
  await press("Save Changes");
  expect(await screen.findByText("Item updated successfully")).toBeInTheDocument();
  expect(callsOf("updateItem").map(({ body }) => body["paths"])).toEqual([["location"]]);
  await waitFor(() => expect(window.location.pathname).toBe("/share/items/i1/manage"));
});

const order = (): string =>
  pictures()
    .map((url) => url.slice(-2))
    .join(" ");

it("pictures_of_an_item_are_put_in_order_at_once_and_go_back_where_that_fails", async () => {
  const { state, callsOf } = await editing();
  await press("Move picture 3 earlier");
  await waitFor(() => expect(callsOf("orderImages").map(({ body }) => body["imageIds"])).toEqual([["p1", "p3", "p2"]]));
  expect(order()).toBe("p1 p3 p2");
  state.fails["orderImages"] = refusal("INVALID_ARGUMENT", Code.InvalidArgument);
  await press("Move picture 1 later");
  expect(await screen.findByText("Failed to reorder the pictures. Please try again.")).toBeInTheDocument();
  expect(order()).toBe("p1 p3 p2");
  await press("Remove picture 1");
  await waitFor(() => expect(order()).toBe("p3 p2"));
  expect(questions.asked).toEqual(["Remove Picture"]);
});

it("the_place_of_a_picture_is_told_as_long_as_it_is_there", async () => {
  const server = await editing();
  server.state.fails["orderImages"] = [lost()];
  const release = server.hold("orderImages");
  await press("Move picture 1 later");
  expect(screen.getByText("This is now picture 2.")).toBeInTheDocument();
  release();
  expect(await screen.findByText(/Failed to reorder the pictures/)).toBeInTheDocument();
  expect(screen.queryByText(/^This is now picture/)).toBeNull();
  await press("Retry");
  expect(await screen.findByText("This is now picture 2.")).toBeInTheDocument();
  await waitFor(() => expect(order()).toBe("p2 p1 p3"));
});

it("a_picture_that_failed_is_sent_again_from_its_place", async () => {
  const { state } = await editing();
  network.failing = ["d"];
  pick(png("d"));
  expect(await screen.findByText("Upload Error")).toBeInTheDocument();
  await press("Retry");
  await waitFor(() => expect(state.items[0]?.images).toHaveLength(4));
  expect(screen.queryByText("Upload Error")).toBeNull();
});

it("a_picture_whose_answer_was_lost_is_confirmed_by_its_key_and_not_added_twice", async () => {
  const { state, callsOf } = await editing();
  state.fails["getItem"] = manyLost();
  state.fails["confirmImage"] = manyLost(3);
  pick(png("d"));
  expect(await screen.findByText("Upload Error", {}, SLOW)).toBeInTheDocument();
  expect(state.items[0]?.images).toHaveLength(4);
  await pressAtPicture("Retry");
  await waitFor(() => expect(screen.queryByText("Upload Error")).toBeNull());
  expect(state.items[0]?.images).toHaveLength(4);
  expect(callsOf("presignImage")).toHaveLength(1);
  expect(callsOf("confirmImage").map(({ body }) => body["key"])).toEqual(Array.from({ length: 4 }, () => "i1-p1"));
  expect(pictures()).toHaveLength(4);
});

it("a_picture_that_waits_to_be_confirmed_no_more_is_uploaded_anew", async () => {
  const { state, callsOf } = await editing();
  state.fails["getItem"] = manyLost();
  state.fails["confirmImage"] = manyLost(3);
  pick(png("d"));
  expect(await screen.findByText("Upload Error", {}, SLOW)).toBeInTheDocument();
  Object.assign(state, { items: [drill()], uploads: [] });
  await pressAtPicture("Retry");
  await waitFor(() => expect(state.items[0]?.images.map(({ imageId }) => imageId)).toContain("i1-p2"));
  expect(callsOf("presignImage")).toHaveLength(2);
  expect(callsOf("confirmImage").map(({ body }) => body["key"])).toEqual([
    ...Array.from({ length: 4 }, () => "i1-p1"),
    "i1-p2",
  ]);
  expect(state.items[0]?.images).toHaveLength(4);
});

it("a_picture_that_stands_among_those_of_the_item_is_not_said_to_have_failed", async () => {
  const { state, callsOf } = await editing();
  state.fails["confirmImage"] = manyLost(3);
  pick(png("d"));
  await waitFor(() => expect(callsOf("confirmImage")).toHaveLength(1));
  await waitFor(() => expect(screen.queryByText("Upload Error")).toBeNull());
  await waitFor(() => expect(chosenOf("ana", "i1")).toEqual([]));
  expect(pictures()).toHaveLength(4);
});

it("a_picture_that_was_removed_and_not_answered_is_told_as_removed", async () => {
  const { state, callsOf } = await editing();
  state.unanswered = ["deleteImage"];
  await press("Remove picture 1");
  expect(await screen.findByText("Picture removed")).toBeInTheDocument();
  expect(order()).toBe("p2 p3");
  expect(callsOf("deleteImage")).toHaveLength(1);
});

it("an_order_that_was_taken_and_not_answered_stands_without_a_failure", async () => {
  const { state, callsOf } = await editing();
  const looks = callsOf("getItem").length;
  state.unanswered = ["orderImages"];
  await press("Move picture 3 earlier");
  await waitFor(() => expect(callsOf("getItem").length).toBeGreaterThan(looks + 1));
  expect(order()).toBe("p1 p3 p2");
  expect(screen.queryByText(/Failed to reorder the pictures/)).toBeNull();
});

const ordersOf = ({ callsOf }: Pick<ReturnType<typeof itemServer>, "callsOf">): unknown[] =>
  callsOf("orderImages").map(({ body }) => (body["imageIds"] as string[]).join(" "));

const isInOrder = (wished: string): Promise<void> => waitFor(() => expect(order()).toBe(wished));

it("orders_in_quick_succession_take_turns_and_the_last_wish_wins", async () => {
  const server = await editing();
  const release = server.hold("orderImages");
  await press("Move picture 1 later");
  await press("Move picture 2 later");
  await press("Move picture 1 later");
  await isInOrder("p3 p2 p1");
  release();
  await waitFor(() => expect(ordersOf(server)).toEqual(["p2 p1 p3", "p3 p2 p1"]));
  await waitFor(() => expect(server.state.items[0]?.images.map(({ imageId }) => imageId)).toEqual(["p3", "p2", "p1"]));
  await isInOrder("p3 p2 p1");
});

it("of_an_order_that_another_overtook_no_failure_is_told_and_the_last_goes_back_to_what_was_there", async () => {
  const server = await editing();
  const release = server.hold("orderImages");
  await press("Move picture 1 later");
  await press("Move picture 2 later");
  server.state.fails["orderImages"] = [refusal("INTERNAL", Code.Internal)];
  release();
  await waitFor(() => expect(ordersOf(server)).toEqual(["p2 p1 p3", "p2 p3 p1"]));
  await isInOrder("p2 p3 p1");
  expect(screen.queryByText(/Failed to reorder the pictures/)).toBeNull();
  server.state.fails["orderImages"] = [refusal("INTERNAL", Code.Internal), refusal("INTERNAL", Code.Internal)];
  const again = server.hold("orderImages");
  await press("Move picture 1 later");
  await press("Move picture 2 later");
  await isInOrder("p3 p1 p2");
  again();
  expect(await screen.findByText(/Failed to reorder the pictures/)).toBeInTheDocument();
  await isInOrder("p2 p3 p1");
});

it("a_picture_that_is_removed_while_an_order_is_sent_stays_away_and_the_order_goes_on", async () => {
  const server = await editing();
  const release = server.hold("orderImages");
  await press("Move picture 1 later");
  await isInOrder("p2 p1 p3");
  await press("Remove picture 2");
  await isInOrder("p2 p3");
  await press("Move picture 1 later");
  release();
  await waitFor(() => expect(ordersOf(server)).toEqual(["p2 p1 p3", "p3 p2"]));
  await isInOrder("p3 p2");
  const again = server.hold("orderImages");
  await press("Move picture 1 later");
  await press("Remove picture 1");
  again();
  await waitFor(() => expect(ordersOf(server).slice(2)).toEqual(["p2 p3", "p3"]));
  await isInOrder("p3");
  expect(screen.queryByText(/Failed to reorder the pictures/)).toBeNull();
});

it("an_order_that_is_sent_still_shows_whatever_is_read_of_the_item_meanwhile", async () => {
  const server = await editing();
  const looks = server.callsOf("getItem").length;
  const release = server.hold("orderImages");
  await press("Move picture 1 later");
  pick(png("d"));
  await waitFor(() => expect(server.callsOf("getItem").length).toBeGreaterThan(looks));
  await isInOrder("p2 p1 p3 p1");
  await press("Move picture 2 later");
  await isInOrder("p2 p3 p1 p1");
  release();
  await waitFor(() => expect(ordersOf(server)).toEqual(["p2 p1 p3", "p2 p3 p1 i1-p1"]));
});

it("a_picture_that_is_finishing_cannot_be_stopped_any_more", async () => {
  const { state, hold } = await editing();
  const release = hold("confirmImage");
  pick(png("d"));
  expect(await screen.findByText("Finishing...")).toBeInTheDocument();
  const stop = screen.getByRole("button", { name: "Stop uploading picture 4" });
  expect(stop).toHaveAttribute("aria-disabled", "true");
  await userEvent.click(stop);
  expect(screen.queryByText("This picture wasn't uploaded.")).toBeNull();
  expect(chosenOf("ana", "i1")).toHaveLength(1);
  release();
  expect(await screen.findByRole("button", { name: "Remove picture 4" })).toBeEnabled();
  expect(state.items[0]?.images).toHaveLength(4);
});

const leave = (): void => act(() => window.history.replaceState(null, "", "/share?tab=mine"));

it("pictures_that_fail_once_their_form_is_left_are_told_where_the_member_is_and_can_be_sent_again", async () => {
  const { state, unmount, routes, hold } = await editing();
  network.failing = ["d", "e"];
  const release = hold("presignImage");
  pick(png("d"), png("e"));
  unmount();
  leave();
  renderWith(routes, <p>My Listings</p>);
  release();
  expect(await screen.findByText(/^2 pictures couldn't be uploaded/)).toBeInTheDocument();
  expect(screen.getByText("Drill")).toBeInTheDocument();
  network.failing = ["e"];
  await press("Retry");
  expect(await screen.findByText(/^1 picture couldn't be uploaded/)).toBeInTheDocument();
  await press("Retry");
  expect(await screen.findByText("Pictures uploaded.")).toBeInTheDocument();
  expect(state.items[0]?.images).toHaveLength(5);
});

it("pictures_that_fail_in_their_form_are_told_there_alone", async () => {
  await editing();
  network.failing = ["d"];
  pick(png("d"));
  expect(await screen.findByText("Upload Error")).toBeInTheDocument();
  expect(screen.queryByText(/1 picture couldn't be uploaded/)).toBeNull();
});
