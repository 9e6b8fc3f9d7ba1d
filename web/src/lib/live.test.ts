// The live stream: what it received last is where it goes on.
import { create } from "@bufbuild/protobuf";
import { ConnectError, Code } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  type WatchNotificationsResponse,
  WatchNotificationsResponseSchema,
} from "../gen/goodturn/notifications/v1/notifications_service_pb";
import { follow } from "./live";

const event = (resumeToken: string) => create(WatchNotificationsResponseSchema, { resumeToken });

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

async function* broken(...events: WatchNotificationsResponse[]): AsyncIterable<WatchNotificationsResponse> {
  yield* events;
  throw new ConnectError("gone", Code.Unavailable);
}

it("a_reconnect_goes_on_after_the_last_event", async () => {
  const asked: string[] = [];
  const listener = { event: vi.fn(), connected: vi.fn() };
  const stop = follow((token) => {
    asked.push(token);
    return broken(event(`${asked.length}a`), event(`${asked.length}b`));
  }, listener);
  await vi.advanceTimersByTimeAsync(1200);
  stop();
  expect(asked.slice(0, 2)).toEqual(["", "1b"]);
  expect(listener.connected.mock.calls.length).toBe(asked.length);
  expect(listener.event.mock.calls.length).toBe(asked.length * 2);
});

it("waits_longer_after_each_failure", async () => {
  const tries: number[] = [];
  const stop = follow(
    () => {
      tries.push(Date.now());
      return broken();
    },
    { event: vi.fn(), connected: vi.fn() },
  );
  await vi.advanceTimersByTimeAsync(20_000);
  stop();
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = tries;
  expect(fifth - fourth).toBeGreaterThan(second - first);
  expect(fourth - third).toBeGreaterThan(second - first);
  expect(tries.length).toBeLessThan(9);
});

it("a_silent_connection_is_given_up", async () => {
  const signals: AbortSignal[] = [];
  const stop = follow(
    async function* (_, signal) {
      signals.push(signal);
      yield event("1");
      await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
    },
    { event: vi.fn(), connected: vi.fn() },
  );
  await vi.advanceTimersByTimeAsync(44_000);
  expect(signals).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(3000);
  stop();
  expect(signals.length).toBeGreaterThan(1);
});
