// What a member who closes their account reads of the favors that they help with.
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { FavorsService, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { renderWith } from "../../testing/render";
import { HelpingNow } from "./HelpingNow";

const BEN = { uid: "ben", displayName: "Ben Okafor" };
const EVE = { uid: "eve", displayName: "Eve Lang" };
const { ACCEPTED, PENDING } = FavorStatus;
const helped = (id: string) => ({ id, title: `Favor ${id}`, status: ACCEPTED, helper: BEN });
const OTHERS = [
  { id: "asked", title: "Asked", status: PENDING },
  { id: "backup", title: "Backup", status: ACCEPTED, helper: EVE, backUps: [BEN] },
];

async function show(favors: object[]): Promise<void> {
  let asked = 0;
  renderWith(
    ({ service }) =>
      service(FavorsService, {
        listReceivedFavors() {
          asked += 1;
          return { favors };
        },
      }),
    <HelpingNow me="ben" />,
  );
  await expect.poll(() => asked).toBe(1);
}

it.each([
  [["1"], "You're helping with 1 favor.", "You'll step back from it."],
  [["1", "2"], "You're helping with 2 favors.", "You'll step back from them."],
])("favors_%j_are_named_and_will_be_stepped_back_from", async (ids, title, text) => {
  await show([...ids.map(helped), ...OTHERS]);
  const note = (await screen.findByText(title)).closest("[role=status]");
  expect(note).toHaveTextContent(text);
  const links = screen.getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual(ids.map((id) => `/favors/${id}`));
  expect(links[0]).toHaveTextContent("Favor 1");
});

it("more_than_five_are_counted", async () => {
  await show(["1", "2", "3", "4", "5", "6", "7"].map(helped));
  expect(await screen.findByText("You're helping with 7 favors.")).toBeInTheDocument();
  expect(screen.getAllByRole("link")).toHaveLength(5);
  expect(screen.getByText("and 2 more")).toBeInTheDocument();
});

it("who_helps_with_nothing_reads_nothing", async () => {
  await show(OTHERS);
  expect(screen.queryByText(/You're helping/)).toBeNull();
});
