// What came of what was typed goes when it is typed over.
import { act, renderHook } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { useOutcome, useTold } from "./outcome";

/** A field with what came of it. */
function form() {
  const { result } = renderHook(() => {
    const [typed, type] = useState("a");
    const [outcome, came] = useOutcome(typed, "nothing");
    return { outcome, came, type };
  });
  return result;
}

it("an_outcome_goes_when_it_is_typed_over_and_does_not_come_back", () => {
  const field = form();
  act(() => field.current.came("refused"));
  expect(field.current.outcome).toBe("refused");
  act(() => field.current.type("ab"));
  expect(field.current.outcome).toBe("nothing");
  act(() => field.current.type("a"));
  expect(field.current.outcome).toBe("nothing");
});

it("what_came_late_is_shown_and_what_came_with_a_change_belongs_to_it", () => {
  const field = form();
  act(() => field.current.type("abc"));
  act(() => field.current.came("refused"));
  expect(field.current.outcome).toBe("refused");
  act(() => {
    field.current.type("");
    field.current.came("sent again");
  });
  expect(field.current.outcome).toBe("sent again");
});

it("what_is_told_from_outside_goes_too_and_comes_anew", () => {
  const { result, rerender } = renderHook(({ typed, told }) => useTold(typed, told, null), {
    initialProps: { typed: "a", told: { text: "refused" } },
  });
  expect(result.current).toEqual({ text: "refused" });
  const told = { text: "refused again" };
  rerender({ typed: "a", told });
  expect(result.current).toBe(told);
  rerender({ typed: "ab", told });
  expect(result.current).toBeNull();
});
