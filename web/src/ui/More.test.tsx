// The actions behind one button: they open in a sheet, which closes before one is taken, and the focus goes back to the button.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { renderWith } from "../testing/render";
import { More } from "./More";

function show() {
  const deeds = { cancel: vi.fn(), remove: vi.fn() };
  renderWith(
    () => undefined,
    <More
      size="md"
      deeds={[
        { label: "Cancel favor", isDestructive: true, isBusy: false, act: deeds.cancel },
        { label: "Delete", isDestructive: true, isBusy: false, act: deeds.remove },
      ]}
    />,
  );
  return deeds;
}

const more = (): HTMLElement => screen.getByRole("button", { name: "More" });

it("an_action_is_taken_when_the_sheet_is_closed_and_the_button_has_the_focus", async () => {
  const { cancel, remove } = show();
  const seen: unknown[] = [];
  remove.mockImplementation(() => seen.push(document.activeElement, screen.queryByRole("dialog")));
  expect(more()).toHaveAttribute("aria-haspopup", "dialog");
  await userEvent.click(more());
  const sheet = within(await screen.findByRole("dialog", { name: "More" }));
  await userEvent.click(sheet.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(remove).toHaveBeenCalledOnce());
  expect(seen).toEqual([more(), null]);
  expect(cancel).not.toHaveBeenCalled();
});

it("the_keyboard_opens_it_and_leaves_it", async () => {
  const { remove } = show();
  await userEvent.tab();
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByRole("dialog", { name: "More" })).toBeInTheDocument();
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(more()).toHaveFocus());
  expect(remove).not.toHaveBeenCalled();
});
