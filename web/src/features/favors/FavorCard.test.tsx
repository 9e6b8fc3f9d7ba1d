// The card's fallbacks, to the letter.
import { create } from "@bufbuild/protobuf";
import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { type Favor, FavorCategory, FavorSchema, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { FavorCard } from "./FavorCard";

const show = (favor: Partial<Pick<Favor, "status" | "title" | "category" | "createdBy">>, onClone?: () => void) =>
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
