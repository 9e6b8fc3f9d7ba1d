// Opening an item by its link: as a friend, and as a stranger.
import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import {
  type Item,
  ItemAction,
  ItemImageSchema,
  ItemStatus,
  Visibility,
} from "../../gen/later/goodturn/items/v1/items_service_pb";
import { anItem, itemServer } from "../../testing/items";
import { refusal } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { ItemScreen } from "./ItemScreen";

const theirs = (more: Partial<Item> = {}): Item =>
  anItem("i1", "Hammer drill", { isOwner: false, allowedActions: [ItemAction.REQUEST], ...more });
const action = (name: string) => screen.getByRole("button", { name });

it.each([
  [
    refusal("FRIENDS_ONLY", Code.PermissionDenied),
    "This item is only available to friends. Send a friend request to the owner to access their items.",
  ],
  [refusal("NOT_FOUND", Code.NotFound), "It was deleted, it's no longer shared, or the link is wrong."],
])("a_stranger_is_told_why_and_has_a_way_on_and_no_try_that_cannot_help: %#", async (error, text) => {
  const { state, routes } = itemServer([theirs()]);
  state.fails["getItem"] = error;
  renderWith(routes, <ItemScreen id="i1" />);
  expect(await screen.findByRole("heading", { name: "Unable to Load Item" })).toBeInTheDocument();
  expect(screen.getByText(text)).toBeInTheDocument();
  expect(screen.getByText(/sign in with the account the owner knows/)).toBeInTheDocument();
  expect(screen.queryByText("When do you need it?")).toBeNull();
  for (const name of ["Go Back", "Use another account"]) expect(action(name)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Find Friends" })).toHaveAttribute("href", "/friends/find");
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
});

it("an_item_that_could_not_be_loaded_is_tried_again", async () => {
  const { state, routes } = itemServer([theirs()]);
  state.fails["getItem"] = refusal("INTERNAL", Code.Internal);
  renderWith(routes, <ItemScreen id="i1" />);
  expect(await screen.findByRole("heading", { name: "Unable to Load Item" })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Use another account" })).toBeNull();
  expect(action("Go Back")).toBeInTheDocument();
  await userEvent.click(action("Retry"));
  expect(await screen.findByRole("heading", { name: "Hammer drill" })).toBeInTheDocument();
});

it("a_public_item_that_is_listed_has_a_link_to_copy", async () => {
  const { routes } = itemServer([theirs({ visibility: Visibility.PUBLIC })]);
  renderWith(routes, <ItemScreen id="i1" />);
  expect(await screen.findByText("Anyone with a Goodturn account can open this link.")).toBeInTheDocument();
  await userEvent.setup().click(action("Copy link"));
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/share/items/i1`);
  expect(await screen.findByText("Copied")).toBeInTheDocument();
});

it.each([{ visibility: Visibility.FRIENDS }, { visibility: Visibility.PUBLIC, status: ItemStatus.UNLISTED }])(
  "an_item_that_not_everybody_can_open_has_no_link: %#",
  async (part) => {
    const { routes } = itemServer([theirs(part)]);
    renderWith(routes, <ItemScreen id="i1" />);
    expect(await screen.findByRole("heading", { name: "Hammer drill" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Copy link" })).toBeNull();
  },
);

it("the_owner_has_the_link_of_an_item_that_is_for_friends", async () => {
  const { routes } = itemServer([theirs({ visibility: Visibility.FRIENDS, isOwner: true })]);
  renderWith(routes, <ItemScreen id="i1" />);
  expect(await screen.findByText("Only friends who can see the item can open this link.")).toBeInTheDocument();
  expect(action("Copy link")).toBeInTheDocument();
});

it("a_picture_is_enlarged_by_a_press_and_closed_again", async () => {
  const image = create(ItemImageSchema, { imageId: "p1", url: "/pictures/p1" });
  const { routes } = itemServer([theirs({ images: [image] })]);
  renderWith(routes, <ItemScreen id="i1" />);
  await userEvent.click(await screen.findByRole("button", { name: "Enlarge picture 1 of 1" }));
  const box = within(await screen.findByRole("dialog", { name: "Picture 1 of 1" }));
  expect(box.getByRole("img", { name: "Picture 1 of 1" })).toHaveAttribute("src", "/pictures/p1");
  await userEvent.click(box.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
