// A draft names its groups and its friends, on its card and in its details.
import { create } from "@bufbuild/protobuf";
import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { type Favor, FavorSchema, FavorStatus, RequestType } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { FriendsService } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { FavorsService } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { renderWith } from "../../testing/render";
import { FavorCard } from "./FavorCard";
import { FavorDetails } from "./FavorDetails";

const CIRCLE = {
  friends: {
    list: [
      { uid: "ben", displayName: "Ben Ortega" },
      { uid: "zoe", displayName: "Zoe Lind" },
    ],
  },
  groups: [{ groupId: "g", groupName: "Neighbors", members: ["zoe"] }],
};

type Part = Partial<Pick<Favor, "recipients" | "groupIds" | "requestType" | "status">>;
const draftOf = (part: Part): Favor =>
  create(FavorSchema, { id: "f", title: "Walk the dog", status: FavorStatus.DRAFT, createdBy: "ana", ...part });

function show(favor: Favor, place: "card" | "details"): void {
  const screens = {
    card: <FavorCard favor={favor} me="ana" href="/favors/f" />,
    details: <FavorDetails favor={favor} me="ana" onEdit={vi.fn()} onGone={vi.fn()} />,
  };
  renderWith(({ service }) => {
    service(FriendsService, { getActive: () => CIRCLE });
    service(FavorsService, { getFavorStory: () => ({ events: [], recipients: [{ person: { uid: "ben" } }] }) });
  }, screens[place]);
}

const willAsk = async () => (await screen.findByText("Will ask")).closest("div")?.querySelector("dd");

const CASES: [string, Part, string][] = [
  ["a_group_and_a_friend", { recipients: ["ben"], groupIds: ["g"] }, "Neighbors and Ben Ortega"],
  ["a_group_alone", { groupIds: ["g"] }, "Neighbors"],
  ["a_friend_alone", { recipients: ["ben"] }, "Ben Ortega"],
  ["all_friends", { requestType: RequestType.PUBLIC }, "All your friends"],
  ["a_group_that_is_gone", { groupIds: ["other"] }, "Nobody yet"],
];

it.each(CASES)("the_card_of_a_draft_names_%s", async (_, part, text) => {
  show(draftOf(part), "card");
  await vi.waitFor(async () => expect(await willAsk()).toHaveTextContent(text));
});

it.each(CASES)("the_details_of_a_draft_name_%s", async (_, part, text) => {
  show(draftOf(part), "details");
  await vi.waitFor(async () => expect(await willAsk()).toHaveTextContent(text));
});

it.each(["card", "details"] as const)("the_%s_of_a_draft_without_recipients_names_nobody", async (place) => {
  show(draftOf({}), place);
  expect(await screen.findByText("Walk the dog")).toBeInTheDocument();
  expect(screen.queryByText("Will ask")).toBeNull();
});

it("a_posted_favor_has_no_line_about_a_draft", async () => {
  show(draftOf({ status: FavorStatus.ACTIVE, recipients: ["ben"] }), "card");
  expect(await screen.findByText("Walk the dog")).toBeInTheDocument();
  expect(screen.queryByText("Will ask")).toBeNull();
});
