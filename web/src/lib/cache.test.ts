// How long an answer is kept, and which failures a query tries again: what may go better the next time, and nothing that was decided.
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test, vi } from "vitest";
import { ErrorInfoSchema } from "../gen/google/rpc/error_details_pb";
import { createCache } from "./cache";
import { isLost } from "./reach";

vi.mock("./reach", () => ({ isLost: vi.fn(() => false) }));

function isTriedAgain(failures: number, code: Code, reason: string): boolean {
  const retry = createCache().getDefaultOptions().queries?.retry;
  if (typeof retry !== "function") throw new Error("the cache decides by the failure");
  const details = [{ desc: ErrorInfoSchema, value: { reason, domain: "goodturn" } }];
  return retry(failures, new ConnectError("no", code, undefined, details));
}

test("what_may_pass_is_tried_again_and_what_was_decided_is_not", () => {
  expect(isTriedAgain(0, Code.ResourceExhausted, "OVERLOADED")).toBe(true);
  expect(isTriedAgain(1, Code.Unavailable, "UNAVAILABLE")).toBe(true);
  expect(isTriedAgain(2, Code.Unavailable, "UNAVAILABLE")).toBe(false);
  expect(isTriedAgain(0, Code.ResourceExhausted, "RATE_LIMITED")).toBe(false);
  expect(isTriedAgain(0, Code.NotFound, "NOT_FOUND")).toBe(false);
});

test("an_answer_is_kept_for_five_minutes", async () => {
  vi.useFakeTimers();
  const cache = createCache();
  await cache.prefetchQuery({ queryKey: ["said"], queryFn: () => "yes" });
  await vi.advanceTimersByTimeAsync(5 * 60_000 - 1000);
  expect(cache.getQueryData(["said"])).toBe("yes");
  await vi.advanceTimersByTimeAsync(1000);
  expect(cache.getQueryData(["said"])).toBeUndefined();
  vi.useRealTimers();
});

test("without_a_connection_nothing_is_tried_again", () => {
  vi.mocked(isLost).mockReturnValueOnce(true);
  expect(isTriedAgain(0, Code.Unavailable, "UNAVAILABLE")).toBe(false);
});
