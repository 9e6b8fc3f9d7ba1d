// Home shows what friends ask everybody, and how a newcomer begins.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { FavorAction, FavorSchema, FavorsService, FavorStatus } from "../gen/goodturn/favors/v1/favors_service_pb";
import { FriendsService } from "../gen/goodturn/friends/v1/friends_service_pb";
import { FavorsService as Later } from "../gen/later/goodturn/favors/v1/favors_service_pb";
import { RentalsService } from "../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { type GetStatsResponseSchema, ProfileService } from "../gen/goodturn/profile/v1/profile_service_pb";
import { renderWith } from "../testing/render";
import { HomeScreen } from "./HomeScreen";

const NAMES = { displayName: "Ana Ruiz", givenName: "Ana", familyName: "Ruiz" };
const ANA = { uid: "ana", email: "ana@goodturn.example", ...NAMES, profilePictureUrl: "" };

type Favors = MessageInitShape<typeof FavorSchema>[];
type Stats = MessageInitShape<typeof GetStatsResponseSchema>;

const open = (count: number): Favors =>
  Array.from({ length: count }, (_, n) => ({
    id: `f${n}`,
    title: `Favor ${n}`,
    status: FavorStatus.OPEN,
    createdBy: "ben",
  }));

function show(browsed: Favors, answer: Stats = { stats: { favorsPosted: 1 } }) {
  window.history.replaceState(null, "", "/");
  const server = {
    favors: browsed.map((favor) => create(FavorSchema, favor)),
    offers: [] as { id: string; message: string }[],
  };
  renderWith(
    ({ service }) => {
      service(FavorsService, {
        listActiveFavors: () => ({ favors: [] }),
        listReceivedFavors: () => ({ favors: [] }),
      });
      service(Later, {
        browseFavors: () => ({ favors: server.favors }),
        applyToFavor({ id, message }) {
          server.offers.push({ id, message });
          server.favors = server.favors.filter((favor) => favor.id !== id);
          return { favor: { id, status: FavorStatus.OPEN, applicants: [{ person: { uid: "ana" } }] } };
        },
      });
      service(FriendsService, { listFriendRequests: () => ({}), getActive: () => ({ friends: { list: [] } }) });
      service(RentalsService, { listRentals: () => ({ rentals: [] }) });
      service(ProfileService, { getStats: () => answer });
    },
    <HomeScreen member={ANA} />,
  );
  return server;
}

it("three_of_what_friends_ask_stand_on_home_and_all_of_it_in_browse", async () => {
  show(open(5));
  const section = within(await screen.findByRole("region", { name: "Your friends need a hand" }));
  expect(section.getAllByRole("heading", { level: 3 }).map((h) => h.textContent)).toEqual([
    "Favor 0",
    "Favor 1",
    "Favor 2",
  ]);
  expect(section.getByRole("link", { name: "Favor 0" })).toHaveAttribute("href", "/favors/f0?tab=browse");
  expect(section.getByRole("link", { name: "See all" })).toHaveAttribute("href", "/favors?tab=browse");
});

it("help_is_offered_on_a_card_in_a_few_words_and_the_card_goes", async () => {
  const server = show(open(2).map((favor) => ({ ...favor, allowedActions: [FavorAction.APPLY] })));
  const section = within(await screen.findByRole("region", { name: "Your friends need a hand" }));
  const [first] = section.getAllByRole("button", { name: "Offer to help" });
  await userEvent.click(first as HTMLElement);
  const sheet = within(await screen.findByRole("dialog", { name: "Offer to help?" }));
  await userEvent.type(await sheet.findByLabelText("Message (optional)"), "I have a van");
  await userEvent.click(sheet.getByRole("button", { name: "Offer to help" }));
  expect(await screen.findByText("You offered to help. Thank you!")).toBeInTheDocument();
  expect(server.offers).toEqual([{ id: "f0", message: "I have a van" }]);
  await waitFor(() => expect(screen.queryByRole("link", { name: "Favor 0" })).toBeNull());
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.getByRole("link", { name: "Favor 1" })).toBeInTheDocument();
});

it("the_sheet_stays_when_its_card_goes", async () => {
  const server = show(open(1).map((favor) => ({ ...favor, allowedActions: [FavorAction.APPLY] })));
  await userEvent.click(await screen.findByRole("button", { name: "Offer to help" }));
  const sheet = within(await screen.findByRole("dialog", { name: "Offer to help?" }));
  await userEvent.type(await sheet.findByLabelText("Message (optional)"), "I have a van");
  server.favors = [];
  // Coming back to the window tells what is open by now.
  act(() => void window.dispatchEvent(new Event("visibilitychange")));
  await waitFor(() => expect(screen.queryByRole("link", { name: "Favor 0" })).toBeNull());
  expect(sheet.getByLabelText("Message (optional)")).toHaveValue("I have a van");
});

it.each<[string, Favors]>([
  ["nobody_asks", []],
  ["the_member_was_asked_in_person", [{ id: "f", status: FavorStatus.PENDING }]],
  ["the_member_has_offered_help", [{ id: "f", status: FavorStatus.OPEN, applicants: [{ person: { uid: "ana" } }] }]],
])("where_%s_nothing_stands_there", async (_, favors) => {
  show(favors);
  expect(await screen.findByRole("heading", { name: "Recent Favors" })).toBeInTheDocument();
  expect(screen.queryByText("Your friends need a hand")).toBeNull();
});

it("a_newcomer_is_shown_how_to_begin_and_no_amount", async () => {
  show([], { stats: {} });
  expect(await screen.findByRole("link", { name: "Invite a friend" })).toHaveAttribute("href", "/friends/find");
  expect(screen.getByRole("link", { name: "List an item" })).toHaveAttribute("href", "/share?tab=create");
  expect(screen.queryByText("Earned by helping")).toBeNull();
  expect(await screen.findByRole("heading", { name: /Lend something/ })).toBeInTheDocument();
});

it("whoever_has_helped_is_told_what_they_earned", async () => {
  show([], { stats: { favorsPosted: 1, favorsHelped: 1 } });
  expect(await screen.findByText("Earned by helping")).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Invite a friend" })).toBeNull();
});
