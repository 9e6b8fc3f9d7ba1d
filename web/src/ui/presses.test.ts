import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { keepPresses } from "./presses";

let end = (): void => undefined;
afterEach(() => end());

/** A button on the page, and how often it was clicked. */
function stand(label: string) {
  const button = document.createElement("button");
  button.setAttribute("aria-label", label);
  const clicked = vi.fn<() => void>();
  button.addEventListener("click", clicked);
  document.body.replaceChildren(button);
  return { button, clicked };
}

const press = (target: Element) => userEvent.pointer([{ keys: "[MouseLeft>]", target }]);
const letGo = (target: Element): boolean => target.dispatchEvent(new MouseEvent("mouseup", { bubbles: true }));

it("a_press_goes_on_to_the_same_thing_that_was_drawn_anew_meanwhile", async () => {
  end = keepPresses();
  await press(stand("Settings").button);
  const { button, clicked } = stand("Settings");
  letGo(button);
  expect(clicked).toHaveBeenCalledTimes(1);
  // The next one is a press of its own.
  letGo(button);
  expect(clicked).toHaveBeenCalledTimes(1);
});

it("something_else_in_its_place_was_not_pressed", async () => {
  end = keepPresses();
  await press(stand("Settings").button);
  const { button, clicked } = stand("Sign Out");
  letGo(button);
  expect(clicked).not.toHaveBeenCalled();
});

it("what_is_still_there_gets_one_click", async () => {
  end = keepPresses();
  const { button, clicked } = stand("Settings");
  await userEvent.click(button);
  expect(clicked).toHaveBeenCalledTimes(1);
});
