// A new item whose form was closed while it is sent: what its own screens say of that, and what becomes of it where it is deleted meanwhile.
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useLocation, useSearchParams } from "wouter";
import { ItemStatus } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { editItemPath, manageItemPath } from "../../lib/sharing";
import { itemServer } from "../../testing/items";
import { renderWith } from "../../testing/render";
import { network, pick, pictures, png, sendAll, type } from "../../testing/sending";
import { CreateForm } from "./CreateForm";
import { EditScreen } from "./EditScreen";
import { heldOf } from "./kept";
import { ManageScreen } from "./ManageScreen";
import { MyListings } from "./MyListings";
import { chosenOf, unchoose, unchooseAll } from "./pictures";
import { isUnderWay } from "./saving";

vi.mock("../../ui/confirm", async (original) => ({
  ...(await original<object>()),
  confirmed: (): Promise<boolean> => Promise.resolve(true),
}));
vi.mock("../../lib/upload", async (original) => (await import("../../testing/sending")).sendingOf(await original()));
vi.mock("../../lib/preparePicture", async () => (await import("../../testing/sending")).preparing);

beforeEach(() => {
  sendAll();
  network.waiting = "a";
  window.history.replaceState(null, "", "/share?tab=create");
});
const isOver = (): Promise<void> => waitFor(() => expect(isUnderWay("ana", "")).toBe(false));
afterEach(() => {
  for (const item of ["", "i1"]) unchooseAll("ana", item);
  return isOver();
});

const press = (name: string): Promise<void> =>
  screen.findByRole("button", { name }).then((button) => userEvent.click(button));

function Screens() {
  const [path] = useLocation();
  const [params] = useSearchParams();
  if (path === editItemPath("i1")) return <EditScreen id="i1" me="ana" />;
  if (path === manageItemPath("i1")) return <ManageScreen id="i1" />;
  return params.get("tab") === "create" ? <CreateForm me="ana" /> : <MyListings />;
}

const go = (path: string): void => act(() => window.history.pushState(null, "", path));

/** The form was closed while the first of two pictures is sent. */
async function closed() {
  const server = itemServer();
  renderWith(server.routes, <Screens />);
  type("Title", "Tent");
  type("Description", "For four");
  pick(png("a"), png("b"));
  await press("List for Friends");
  await screen.findByRole("button", { name: "Stop uploading picture 1" });
  await press("Close");
  return server;
}

it("its_card_says_what_is_on_its_way_and_does_not_offer_to_list_it", async () => {
  const { state } = await closed();
  const card = within(await screen.findByRole("article"));
  expect(card.getByText("2 pictures are uploading.")).toBeInTheDocument();
  expect(card.queryByRole("button", { name: "List Tent" })).toBeNull();
  unchoose("ana", "", chosenOf("ana", "")[0]?.id ?? "");
  await waitFor(() => expect(state.items[0]?.status).toBe(ItemStatus.LISTED));
  await waitFor(() => expect(card.queryByText(/on (its|their) way/)).toBeNull());
});

it("its_change_shows_the_pictures_that_are_sent_and_takes_none_twice", async () => {
  const { state } = await closed();
  go(editItemPath("i1"));
  await waitFor(() => expect(pictures()).toEqual(["blob:a", "blob:b"]));
  expect(screen.getByText("2 pictures are uploading.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Add pictures" })).toBeDisabled();
  await press("Stop uploading picture 1");
  await waitFor(() => expect(state.items[0]).toMatchObject({ status: ItemStatus.LISTED, images: [{}] }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Add pictures" })).toBeEnabled());
  expect(pictures()).toEqual([state.items[0]?.images[0]?.url]);
});

it("deleted_in_its_management_nothing_more_is_sent_and_its_form_is_empty", async () => {
  const { state, callsOf } = await closed();
  go(manageItemPath("i1"));
  expect(await screen.findByText("2 pictures are uploading.")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "List" })).toBeNull();
  await press("Delete Item");
  expect(await screen.findByText("Item deleted")).toBeInTheDocument();
  await isOver();
  expect(heldOf("ana", "")).toMatchObject({ values: { title: "" }, failed: null });
  expect(chosenOf("ana", "")).toEqual([]);
  expect([state.items, callsOf("presignImage").length, callsOf("updateItem")]).toEqual([[], 1, []]);
});

it("deleted_elsewhere_it_is_over_too", async () => {
  const { state } = await closed();
  state.items = [];
  unchoose("ana", "", chosenOf("ana", "")[0]?.id ?? "");
  await isOver();
  expect(heldOf("ana", "")).toMatchObject({ values: { title: "" }, failed: null });
  expect(chosenOf("ana", "")).toEqual([]);
});
