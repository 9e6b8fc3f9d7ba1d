// What has changed is asked again once, whatever tells it.
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { freshen, type IsStale } from "./freshen";

const opened: (() => void)[] = [];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const close of opened.splice(0)) close();
  vi.useRealTimers();
});

/** A cache of which two lists are shown, and how often each was asked since. */
async function shown() {
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const asked = { favors: 0, profile: 0 };
  for (const name of ["favors", "profile"] as const) {
    const list = new QueryObserver(cache, { queryKey: [name], queryFn: () => (asked[name] += 1) });
    opened.push(list.subscribe(() => undefined));
  }
  await vi.advanceTimersByTimeAsync(0);
  Object.assign(asked, { favors: 0, profile: 0 });
  return { cache, asked };
}

const isOf =
  (name: string): IsStale =>
  ({ queryKey }) =>
    queryKey[0] === name;

it("an_own_answer_and_its_hint_are_one_call", async () => {
  const { cache, asked } = await shown();
  freshen(cache, isOf("favors"));
  await vi.advanceTimersByTimeAsync(200);
  freshen(cache, isOf("favors"));
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toEqual({ favors: 1, profile: 0 });
});

it("an_own_answer_waits_for_its_hint_also_where_a_hint_of_something_else_came_before_it", async () => {
  const { cache, asked } = await shown();
  freshen(cache, isOf("profile"));
  await vi.advanceTimersByTimeAsync(200);
  freshen(cache, isOf("favors"));
  await vi.advanceTimersByTimeAsync(110);
  freshen(cache, isOf("favors"));
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toEqual({ favors: 1, profile: 1 });
});

it("hints_that_do_not_end_are_followed_once_a_second", async () => {
  const { cache, asked } = await shown();
  for (let n = 0; n < 21; n += 1) {
    freshen(cache, isOf("favors"));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(asked.favors).toBe(2);
});
