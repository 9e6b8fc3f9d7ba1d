// A proposal of another time, as who made it sees it while it waits: what it says, and what they can still do.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { type Favor, FavorAction, FavorSchema, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { FavorResponse, FavorsService } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { exactTime } from "../../lib/times";
import { renderWith } from "../../testing/render";
import { ConfirmHost } from "../../ui/ConfirmHost";
import { FavorDetails } from "./FavorDetails";

// jsdom does not implement showModal.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};

type Init = Exclude<MessageInitShape<typeof FavorSchema>, Favor>;

const { ACCEPT, DECLINE, ANOTHER_TIME } = FavorAction;
const HOUR_MS = 3_600_000;
const inHours = (hours: number): Date => new Date(Date.now() + hours * HOUR_MS);
const BEN = { uid: "ben", displayName: "Ben Okafor" };

/** Shows Ben a favor of Ana's, for which he proposed this time, or none but in words. */
async function show(start: Date | undefined, part: Init = {}) {
  const calls: object[] = [];
  const favor: Init = {
    id: "f",
    title: "Walk Biscuit",
    createdBy: "ana",
    requester: { name: "Ana Silva" },
    status: FavorStatus.PENDING,
    answered: true,
    allowedActions: [ACCEPT, DECLINE, ANOTHER_TIME],
    ...part,
  };
  const proposed = start === undefined ? {} : { proposedStart: timestampFromDate(start) };
  const mine = { person: BEN, response: FavorResponse.ANOTHER_TIME, message: "After work?", ...proposed };
  renderWith(
    ({ service }) =>
      service(FavorsService, {
        getFavorStory: () => ({ recipients: [mine] }),
        respondToFavor({ response, message }) {
          calls.push({ response, message });
          return { favor: { ...favor, answered: false, allowedActions: [] } };
        },
      }),
    <>
      <FavorDetails favor={create(FavorSchema, favor)} me="ben" onEdit={vi.fn()} onGone={vi.fn()} />
      <ConfirmHost />
    </>,
  );
  await screen.findByRole("list", { name: "The story so far" });
  return calls;
}

const note = (): HTMLElement => document.querySelector<HTMLElement>(".note") ?? document.body;
const bar = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".stick .acts > button")];
const plain = (text: string | null): string => (text ?? "").replaceAll(/[\u2068\u2069]/g, "");

it("a_proposal_that_waits_says_what_was_proposed", async () => {
  const start = inHours(48);
  await show(start);
  expect(plain(note().textContent)).toContain(`You proposed ${exactTime(start, new Date())}`);
  expect(note()).toHaveTextContent("After work?");
  expect(note()).toHaveTextContent("We'll let you know when it's answered.");
  expect(screen.queryByText(/^Others may have been asked too/)).toBeNull();
});

it("one_in_words_alone_says_them", async () => {
  await show(undefined);
  expect(note()).toHaveTextContent(/^You proposed a new time\s*After work\?/);
});

it("one_whose_time_has_passed_says_so", async () => {
  await show(inHours(-1));
  expect(note()).toHaveTextContent("This time has passed. Please choose another one.");
});

it("the_ways_on_call_nobody_to_answer_again", async () => {
  await show(inHours(48));
  expect(bar().map((button) => button.textContent)).toEqual(["Help at the original time", "Another time", "Withdraw"]);
  for (const button of bar()) expect(button).toHaveAttribute("data-variant", "default");
});

it("withdrawing_says_that_the_creator_hears_of_it", async () => {
  const calls = await show(inHours(48));
  await userEvent.click(screen.getByRole("button", { name: "Withdraw" }));
  const question = within(await screen.findByRole("dialog", { name: "Withdraw your proposal?" }));
  expect(question.getByText(/^We'll let your friend know you can't help\./)).toBeInTheDocument();
  await userEvent.click(question.getByRole("button", { name: "Withdraw" }));
  expect(await screen.findByText("Your proposal was withdrawn")).toBeInTheDocument();
  expect(calls).toEqual([{ response: FavorResponse.DECLINE, message: "" }]);
});

it("who_helps_at_the_original_time_knows_what_becomes_of_the_proposal", async () => {
  const calls = await show(inHours(48));
  await userEvent.click(screen.getByRole("button", { name: "Help at the original time" }));
  const question = within(await screen.findByRole("dialog", { name: "Help at the original time?" }));
  expect(question.getByText(/^This withdraws your proposal\./)).toBeInTheDocument();
  await userEvent.click(question.getByRole("button", { name: "I can help" }));
  expect(await screen.findByText("You're helping. Thank you!")).toBeInTheDocument();
  expect(calls).toEqual([{ response: FavorResponse.ACCEPT, message: "" }]);
});

it("no_proposal_waits_once_somebody_helps", async () => {
  await show(inHours(48), { responses: 1, maxResponses: 2, allowedActions: [ACCEPT, DECLINE] });
  expect(note()).toHaveTextContent(/^Someone is already helping/);
  expect(bar().map((button) => button.textContent)).toEqual(["Be a backup", "I can't"]);
});
