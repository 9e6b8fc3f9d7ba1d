// The form of a borrow request whose item is not to be had any more: why, and that the words are kept.
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { cleanup, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { ItemSchema, ItemsService, ItemStatus } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { RentalsService } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { forgetAll } from "../../lib/kept";
import { refusal } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { type } from "./borrow";
import { BorrowScreen } from "./BorrowScreen";

beforeEach(() => {
  forgetAll();
  window.history.replaceState(null, "", "/share/items/tent/borrow");
});

/** How the item is told; an error is why it is not. */
let told: ItemStatus | ConnectError;

const show = () =>
  renderWith(
    ({ service }) => {
      service(ItemsService, {
        getItem() {
          if (told instanceof ConnectError) throw told;
          return { item: create(ItemSchema, { itemId: "tent", title: "Tent", status: told }) };
        },
      });
      service(RentalsService, { checkAvailability: () => ({ available: true, today: "2026-11-21" }) });
    },
    <BorrowScreen id="tent" me="ben" />,
  );

const FRIENDS_ONLY =
  "This item is only available to friends. Send a friend request to the owner to access their items.";

it.each([
  [refusal("NOT_FOUND", Code.NotFound), "It was deleted, it's no longer shared, or the link is wrong."],
  [refusal("FRIENDS_ONLY", Code.PermissionDenied), FRIENDS_ONLY],
  [ItemStatus.UNLISTED, "The owner hasn't listed it. Check back later."],
])("what_was_typed_for_an_item_that_is_gone_is_said_to_be_kept_and_is_there_with_it_again", async (gone, why) => {
  told = gone;
  const first = show();
  expect(await screen.findByText(why)).toBeInTheDocument();
  first.unmount();
  type("ben", "tent", { message: "For a weekend" });
  show();
  expect(await screen.findByText(`${why} We kept what you typed.`)).toBeInTheDocument();
  cleanup();
  told = ItemStatus.LISTED;
  show();
  expect(await screen.findByDisplayValue("For a weekend")).toBeInTheDocument();
});

it.each([
  [refusal("NOT_FOUND", Code.NotFound), "Item not found"],
  [refusal("FRIENDS_ONLY", Code.PermissionDenied), FRIENDS_ONLY],
  [new ConnectError("down", Code.Internal), "Unable to Load Item"],
])("an_item_that_does_not_come_says_why", async (error, text) => {
  told = error;
  show();
  expect(await screen.findByText(text)).toBeInTheDocument();
});
