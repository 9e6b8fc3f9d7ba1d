// The card's fallbacks, to the letter.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import {
  type Favor,
  FavorAction,
  FavorCategory,
  FavorSchema,
  FavorStatus,
} from "../../gen/goodturn/favors/v1/favors_service_pb";
import { renderWith } from "../../testing/render";
import { FavorCard } from "./FavorCard";

type Init = Exclude<MessageInitShape<typeof FavorSchema>, Favor>;

const show = (favor: Init, onClone?: () => void) =>
  render(
    <MantineProvider>
      <FavorCard favor={create(FavorSchema, favor)} me="ana" href="/favors/f" onClone={onClone} />
    </MantineProvider>,
  );

it("an_empty_favor_shows_every_fallback", () => {
  show({});
  for (const text of ["Untitled Favor", "No description provided", "Not specified", "Unknown", "General", "unknown"])
    expect(screen.getByText(text)).toBeInTheDocument();
  expect(screen.queryByText("Confirm by")).not.toBeInTheDocument();
});

it.each([
  [FavorStatus.DRAFT, true],
  [FavorStatus.ACTIVE, true],
  [FavorStatus.ACCEPTED, false],
  [FavorStatus.SETTLED, false],
])("status_%d_hints_at_editing_%s", (status, hint) => {
  show({ status });
  expect(screen.queryByText("Tap to edit") !== null).toBe(hint);
});

it("nobody_is_told_their_own_name", () => {
  show({ createdBy: "ana" });
  expect(screen.getByText("Requested by you")).toBeInTheDocument();
});

it("clone_is_there_when_somebody_takes_it", () => {
  const onClone = vi.fn();
  show({ title: "Walk Biscuit", category: FavorCategory.PET_CARE }, onClone);
  screen.getByRole("button", { name: "Clone Walk Biscuit" }).click();
  expect(onClone).toHaveBeenCalledOnce();
  expect(screen.getByText("Pet Care")).toBeInTheDocument();
});

it("a_tip_and_the_offers_to_ones_own_favor_stand_on_its_card", () => {
  const applicants = [{ message: "" }, { message: "" }];
  show({ createdBy: "ana", tip: 15, applicants });
  expect(screen.getByText("$15.00 USD")).toBeInTheDocument();
  expect(screen.getByText("2 offers")).toBeInTheDocument();
});

it("a_time_that_was_proposed_stands_on_ones_own_card", () => {
  show({ createdBy: "ana", allowedActions: [FavorAction.DECLINE_TIME] });
  expect(screen.getByText("New time proposed")).toBeInTheDocument();
});

it("that_everyone_declined_stands_on_ones_own_card", () => {
  show({ createdBy: "ana", nobodyCan: true });
  expect(screen.getByText("Everyone declined")).toBeInTheDocument();
});

it("who_proposed_a_time_reads_so_on_the_card_and_is_not_asked_again", () => {
  const favor = { createdBy: "ben", status: FavorStatus.PENDING, answered: true, allowedActions: [FavorAction.ACCEPT] };
  const card = (part: Init) => (
    <FavorCard favor={create(FavorSchema, { ...favor, ...part })} me="ana" href="/favors/f" onOffer={vi.fn()} />
  );
  const { unmount } = renderWith(() => undefined, card({}));
  expect(screen.getByText("You proposed a new time")).toBeInTheDocument();
  expect(screen.queryByRole("button")).toBeNull();
  unmount();
  // Somebody helps meanwhile: nobody takes the time then.
  renderWith(() => undefined, card({ responses: 1 }));
  expect(screen.queryByText("You proposed a new time")).toBeNull();
  expect(screen.getByRole("button", { name: "Be a backup" })).toBeInTheDocument();
});

it("no_tip_and_no_offers_are_not_counted_and_ones_own_offer_is_none", () => {
  show({ createdBy: "ben", applicants: [{ message: "" }] });
  expect(screen.queryByText(/offer|\$/)).toBeNull();
});
