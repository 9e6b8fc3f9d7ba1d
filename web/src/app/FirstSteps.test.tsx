// The first steps on Home: each that is done has its tick, and the others stay until they are done too, or are hidden.
import type { MessageInitShape } from "@bufbuild/protobuf";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { type FavorSchema, FavorsService, FavorStatus } from "../gen/goodturn/favors/v1/favors_service_pb";
import { FriendsService } from "../gen/goodturn/friends/v1/friends_service_pb";
import { type GetStatsResponseSchema, ProfileService } from "../gen/goodturn/profile/v1/profile_service_pb";
import { FavorsService as Later } from "../gen/later/goodturn/favors/v1/favors_service_pb";
import { RentalsService } from "../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { renderWith } from "../testing/render";
import { HomeScreen } from "./HomeScreen";

const NAMES = { displayName: "Ana Ruiz", givenName: "Ana", familyName: "Ruiz" };

type Favors = MessageInitShape<typeof FavorSchema>[];
type World = {
  stats?: MessageInitShape<typeof GetStatsResponseSchema>["stats"];
  friends?: number;
  own?: Favors;
  received?: Favors;
  me?: string;
};

function show({ stats = {}, friends = 0, own = [], received = [], me = "ana" }: World): void {
  cleanup();
  window.history.replaceState(null, "", "/");
  const list = Array.from({ length: friends }, (_, n) => ({ uid: `friend${n}`, displayName: `Friend ${n}` }));
  renderWith(
    ({ service }) => {
      service(FavorsService, {
        listActiveFavors: () => ({ favors: own }),
        listReceivedFavors: () => ({ favors: received }),
      });
      service(Later, { browseFavors: () => ({ favors: [] }) });
      service(FriendsService, { listFriendRequests: () => ({}), getActive: () => ({ friends: { list } }) });
      service(RentalsService, { listRentals: () => ({ rentals: [] }) });
      service(ProfileService, { getStats: () => ({ stats }) });
    },
    <HomeScreen member={{ uid: me, email: "ana@goodturn.example", ...NAMES, profilePictureUrl: "" }} />,
  );
}

const steps = () => screen.findByRole("region", { name: "First steps" });
const titles = async (): Promise<string[]> =>
  within(await steps())
    .getAllByRole("heading", { level: 3 })
    .map((title) => title.querySelector(".sronly")?.textContent ?? title.textContent);
const links = async (): Promise<(string | null)[]> =>
  within(await steps())
    .queryAllByRole("link")
    .map(({ textContent }) => textContent);
const areGone = async (): Promise<boolean> => {
  await screen.findByRole("heading", { name: "Recent Favors" });
  return screen.queryByText("First steps") === null;
};

const [FIND, ASK, LEND] = ["Find a friend", "Request your first favor", "Lend something"];
const POSTED = { id: "f1", title: "Walk Biscuit", status: FavorStatus.ACTIVE, createdBy: "ana" };

it.each<[string, World, string[], string[]]>([
  ["nothing", {}, [FIND, ASK, LEND], ["Find Friends", "List an item"]],
  ["a_friend", { friends: 1 }, [`${FIND}, done`, ASK, LEND], ["Request a Favor", "List an item"]],
  ["an_item", { stats: { itemsShared: 1 } }, [FIND, ASK, `${LEND}, done`], ["Find Friends"]],
  [
    "a_favor",
    { friends: 1, own: [POSTED], stats: { favorsPosted: 1 } },
    [`${FIND}, done`, `${ASK}, done`, LEND],
    ["List an item"],
  ],
  ["a_favor_just_posted", { own: [POSTED] }, [FIND, `${ASK}, done`, LEND], ["Find Friends", "List an item"]],
  ["a_cancelled_favor", { stats: { favorsPosted: 1 } }, [FIND, `${ASK}, done`, LEND], ["Find Friends", "List an item"]],
  ["a_draft", { own: [{ ...POSTED, status: FavorStatus.DRAFT }] }, [FIND, ASK, LEND], ["Find Friends", "List an item"]],
  [
    "a_friends_favor_to_answer",
    { friends: 1, received: [{ ...POSTED, createdBy: "ben", status: FavorStatus.PENDING }] },
    [`${FIND}, done`, ASK, LEND],
    ["Request a Favor", "List an item"],
  ],
])("who_has_%s_is_led_to_what_is_left", async (_what, world, expected, ways) => {
  show(world);
  expect(await titles()).toEqual(expected);
  expect(await links()).toEqual(ways);
});

it("favors_of_who_is_new_stand_under_the_steps", async () => {
  show({ own: [POSTED], stats: { favorsPosted: 1 } });
  await steps();
  const recent = await screen.findByRole("list", { name: "Recent Favors" });
  expect(within(recent).getByRole("heading", { name: "Walk Biscuit" })).toBeInTheDocument();
});

it("who_has_asked_for_nothing_yet_is_not_told_so_twice", async () => {
  show({ friends: 1 });
  await steps();
  expect(screen.queryByText("Recent Favors")).toBeNull();
});

it.each<[string, World]>([
  ["all_steps_are_done", { friends: 1, stats: { favorsPosted: 1, itemsShared: 1 } }],
  ["a_favor_is_over", { friends: 1, stats: { favorsPosted: 1, favorsCompleted: 1 } }],
  ["the_member_has_helped", { friends: 1, stats: { favorsHelped: 1 } }],
  ["a_rental_is_over", { stats: { rentalsCompleted: 1 } }],
])("they_are_gone_once_%s", async (_what, world) => {
  show(world);
  expect(await areGone()).toBe(true);
});

it("who_hides_them_sees_them_no_more_and_others_on_the_device_do", async () => {
  show({});
  await userEvent.click(within(await steps()).getByRole("button", { name: "Hide first steps" }));
  await waitFor(async () => expect(await areGone()).toBe(true));
  show({});
  expect(await areGone()).toBe(true);
  show({ me: "ben" });
  expect(await titles()).toEqual([FIND, ASK, LEND]);
});
