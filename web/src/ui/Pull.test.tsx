// A list that is pulled down: far enough it is asked for anew, once, and says so as long as that takes.
import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { pullDown } from "../testing/pull";
import { renderWith } from "../testing/render";
import { Pull } from "./Pull";

function show() {
  const waiting: (() => void)[] = [];
  const asked = vi.fn<() => Promise<void>>(() => new Promise((resolve) => void waiting.push(resolve)));
  renderWith(
    () => undefined,
    <Pull onRefresh={asked}>
      <p>a list</p>
    </Pull>,
  );
  return { asked, answer: () => act(() => Promise.resolve(waiting.forEach((resolve) => resolve()))) };
}

afterEach(() => {
  Object.defineProperty(window, "scrollY", { value: 0, configurable: true });
});

it("pulled_far_enough_it_is_asked_for_anew", async () => {
  const { asked, answer } = show();
  pullDown(79);
  expect(asked).not.toHaveBeenCalled();
  pullDown(80);
  expect(asked).toHaveBeenCalledOnce();
  expect(screen.getByLabelText("Loading")).toBeInTheDocument();
  await answer();
  expect(screen.queryByLabelText("Loading")).toBeNull();
});

it("in_the_middle_of_a_list_a_finger_scrolls", () => {
  const { asked } = show();
  Object.defineProperty(window, "scrollY", { value: 200, configurable: true });
  pullDown(300);
  expect(asked).not.toHaveBeenCalled();
});

it("how_far_it_is_pulled_is_shown", () => {
  show();
  document.documentElement.style.fontSize = "16px";
  const list = document.querySelector<HTMLElement>(".pull");
  if (list === null) throw new Error("nothing to pull");
  const part = (): string => list.style.getPropertyValue("--part");
  fireEvent.touchStart(list, { touches: [{ clientY: 0 }] });
  fireEvent.touchMove(list, { touches: [{ clientY: 40 }] });
  expect(part()).toBe("0.5");
  fireEvent.touchMove(list, { touches: [{ clientY: 300 }] });
  expect(part()).toBe("1");
  fireEvent.touchCancel(list);
  expect(part()).toBe("0");
});
