// The facts of a favor for each side of it.
import { create } from "@bufbuild/protobuf";
import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import {
  type Favor,
  FavorSchema,
  FavorStatus,
  RequesterSchema,
  RequestType,
} from "../../gen/goodturn/favors/v1/favors_service_pb";
import { PersonSchema } from "../../gen/goodturn/common/v1/person_pb";
import { FavorsService } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { renderWith } from "../../testing/render";
import { FavorDetails } from "./FavorDetails";

type Part = Partial<Pick<Favor, "status" | "helper" | "backUps" | "requestType">>;
const BEN = create(PersonSchema, { uid: "ben", displayName: "Ben Okafor" });

async function show(me: string, part: Part): Promise<void> {
  const requester = create(RequesterSchema, { id: "ana", name: "Ana Ruiz", email: "ana@goodturn.example" });
  const favor = create(FavorSchema, { id: "f", title: "Walk the dog", createdBy: "ana", requester, ...part });
  renderWith(
    ({ service }) => service(FavorsService, { getFavorStory: () => ({ events: [], recipients: [] }) }),
    <FavorDetails favor={favor} me={me} onEdit={vi.fn()} onGone={vi.fn()} />,
  );
  expect(await screen.findByRole("heading", { name: "Walk the dog" })).toBeInTheDocument();
}

it.each([FavorStatus.ACCEPTED, FavorStatus.COMPLETED, FavorStatus.SETTLED])(
  "in_status_%d_the_helper_sees_how_to_reach_the_requester",
  async (status) => {
    await show("ben", { status, helper: BEN });
    expect(screen.getByText("Contact")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: /ana@/ })).toHaveAttribute("href", "mailto:ana@goodturn.example");
  },
);

it.each<[string, Part]>([
  ["somebody_who_is_asked", { status: FavorStatus.PENDING }],
  ["a_recipient_when_another_helps", { status: FavorStatus.ACCEPTED }],
  ["a_back_up", { status: FavorStatus.ACCEPTED, backUps: [BEN] }],
])("%s_is_given_no_contact", async (_, part) => {
  await show("ben", part);
  expect(screen.queryByText("Contact")).toBeNull();
});

it("only_the_creator_of_an_open_public_favor_has_its_link", async () => {
  await show("ana", { status: FavorStatus.ACTIVE, requestType: RequestType.PUBLIC });
  expect(screen.getByText("Any of your friends can open this link.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Copy link" })).toBeInTheDocument();
});

it.each<[string, string, Part]>([
  ["a_friend", "ben", { status: FavorStatus.OPEN, requestType: RequestType.PUBLIC }],
  ["the_creator_of_a_direct_favor", "ana", { status: FavorStatus.ACTIVE }],
  ["the_creator_of_a_draft", "ana", { status: FavorStatus.DRAFT, requestType: RequestType.PUBLIC }],
])("%s_has_no_link_to_hand_on", async (_, me, part) => {
  await show(me, part);
  expect(screen.queryByRole("button", { name: "Copy link" })).toBeNull();
});
