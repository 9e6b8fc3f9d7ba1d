// What is looked for among what friends lend: asked for when the typing rests, and kept until it is cleared.
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ItemCategory } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { useSeeking } from "./seeking";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const seeking = () => renderHook(() => useSeeking("ben")).result;
const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));

it("words_and_categories_are_asked_for_300_ms_after_the_last_change", () => {
  const found = seeking();
  act(() => found.current.type({ term: "t" }));
  pass(299);
  act(() => found.current.type({ term: "te " }));
  pass(299);
  expect(found.current.sought.term).toBe("");
  pass(1);
  expect(found.current.sought.term).toBe("te");
  act(() => found.current.type({ category: ItemCategory.TOOLS }));
  expect(found.current.typed.category).toBe(ItemCategory.TOOLS);
  pass(299);
  expect(found.current.sought.category).toBe(ItemCategory.UNSPECIFIED);
  pass(1);
  expect(found.current.sought).toEqual({ term: "te", category: ItemCategory.TOOLS });
});

it("it_is_kept_for_who_comes_back_until_it_is_cleared", () => {
  const first = seeking();
  act(() => first.current.type({ term: "tent" }));
  const later = seeking();
  expect(later.current.sought.term).toBe("tent");
  act(() => later.current.clear());
  expect(seeking().current.typed.term).toBe("");
});
