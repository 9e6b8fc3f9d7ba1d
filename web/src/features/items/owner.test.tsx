// One friend's things: the address names the friend, so that a reload and Back keep them.
import { create } from "@bufbuild/protobuf";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { ItemOwnerSchema } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { forgetAll } from "../../lib/kept";
import { theirThingsPath } from "../../lib/theirThings";
import { anItem, itemServer } from "../../testing/items";
import { renderWith } from "../../testing/render";
import { Browse } from "./Browse";

vi.stubGlobal(
  "IntersectionObserver",
  class {
    observe(): void {}
    disconnect(): void {}
  },
);

const BEN = "b2e5c9a0-1111-4222-8333-444455556666";
const EVE = "e7d4c9a0-1111-4222-8333-444455556666";

const itemOf = (itemId: string, title: string, uid: string, name: string) =>
  anItem(itemId, title, { isOwner: false, owner: create(ItemOwnerSchema, { uid, name }) });
const THINGS = [itemOf("i1", "Party tent", BEN, "Ben Carter"), itemOf("i2", "Sewing machine", EVE, "Eve Lang")];

beforeEach(() => {
  forgetAll();
  window.history.replaceState(null, "", theirThingsPath(BEN));
});

function show(items = THINGS, friends = [{ uid: BEN, displayName: "Ben Carter" }]) {
  const server = itemServer(items);
  server.state.friends = friends;
  renderWith(server.routes, <Browse me="ana" />);
  return server;
}

const here = (): string => window.location.pathname + window.location.search;

it("one_friends_things_stand_alone_until_the_chip_is_pressed", async () => {
  const { callsOf } = show();
  expect(await screen.findByText("Party tent")).toBeInTheDocument();
  expect(screen.queryByText("Sewing machine")).toBeNull();
  expect(callsOf("browseFeed").map(({ body }) => body["ownerId"])).toEqual([BEN]);
  expect(screen.getByRole("list", { name: "Ben's things" })).toBeInTheDocument();
  const before = window.history.length;
  await userEvent.click(screen.getByRole("button", { name: /^Ben's things/ }));
  expect(await screen.findByText("Sewing machine")).toBeInTheDocument();
  expect([here(), window.history.length]).toEqual(["/share", before]);
  expect(screen.queryByRole("button", { name: /things/ })).toBeNull();
});

it("what_is_looked_for_among_all_things_is_not_looked_for_among_theirs", async () => {
  window.history.replaceState(null, "", "/share");
  const first = renderWith(itemServer(THINGS).routes, <Browse me="ana" />);
  await userEvent.type(await screen.findByRole("searchbox", { name: "Search items" }), "sewing");
  await waitFor(() => expect(screen.queryByText("Party tent")).toBeNull());
  first.unmount();
  window.history.replaceState(null, "", theirThingsPath(BEN));
  show();
  expect(await screen.findByText("Party tent")).toBeInTheDocument();
  expect(screen.getByRole("searchbox", { name: "Search items" })).toHaveValue("");
});

it("a_friend_who_lends_nothing_is_named_and_everyones_things_are_one_press_away", async () => {
  show([itemOf("i2", "Sewing machine", EVE, "Eve Lang")]);
  expect(await screen.findByRole("heading", { name: "Ben isn't lending anything yet" })).toBeInTheDocument();
  const [, way] = screen.getAllByRole("button", { name: /See everyone's things$/ });
  await userEvent.click(way as HTMLElement);
  expect(await screen.findByText("Sewing machine")).toBeInTheDocument();
});

it("an_owner_who_is_no_friend_is_called_by_their_item", async () => {
  show(THINGS, []);
  expect(await screen.findByRole("button", { name: /^Ben's things/ })).toBeInTheDocument();
});

it("an_address_that_names_nobody_shows_everybodys_things", async () => {
  window.history.replaceState(null, "", "/share?owner=nobody");
  show();
  expect(await screen.findByText("Sewing machine")).toBeInTheDocument();
  expect(screen.getByText("Party tent")).toBeInTheDocument();
});
