// What the facts of a favor tell to each side of it.
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

type Part = Partial<Pick<Favor, "status" | "helper" | "backUps">>;
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
