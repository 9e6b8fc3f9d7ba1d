// The live stream: what it received last is where it goes on.
import { create } from "@bufbuild/protobuf";
import { ConnectError, Code } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ErrorInfoSchema } from "../gen/google/rpc/error_details_pb";
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

/** A stream that is replaced by a newer one, each time. */
async function* replaced(): AsyncIterable<WatchNotificationsResponse> {
  yield event("1");
  const value = { domain: "goodturn", reason: "STREAM_REPLACED" };
  throw new ConnectError("replaced", Code.ResourceExhausted, undefined, [{ desc: ErrorInfoSchema, value }]);
}

it("a_replaced_stream_comes_back_when_its_tab_is_looked_at_and_not_before", async () => {
  const asked: string[] = [];
  const stop = follow(
    (token) => {
      asked.push(token);
      return replaced();
    },
    { event: vi.fn(), connected: vi.fn() },
  );
  await vi.advanceTimersByTimeAsync(600_000);
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked).toEqual([""]);

  const visible = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([""]);
  visible.mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual(["", "1"]);

  window.dispatchEvent(new Event("focus"));
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toHaveLength(3);
  window.dispatchEvent(new Event("pointerdown"));
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toHaveLength(4);
  stop();
  visible.mockRestore();
});

it("who_turns_to_the_app_after_an_outage_does_not_wait", async () => {
  const watch = vi.fn(() => {
    throw new ConnectError("away", Code.Unavailable);
  });
  // The longest of each wait: by then 30 s of which none is near its end.
  const random = vi.spyOn(Math, "random").mockReturnValue(1);
  const stop = follow(watch, { event: vi.fn(), connected: vi.fn() });
  await vi.advanceTimersByTimeAsync(290_000);
  const before = watch.mock.calls.length;
  await vi.advanceTimersByTimeAsync(100);
  expect(watch).toHaveBeenCalledTimes(before);
  window.dispatchEvent(new Event("focus"));
  await vi.advanceTimersByTimeAsync(100);
  expect(watch).toHaveBeenCalledTimes(before + 1);
  stop();
  random.mockRestore();
});

it("a_look_at_another_tab_brings_the_replaced_stream_back", async () => {
  const watch = vi.fn(replaced);
  const stop = follow(watch, { event: vi.fn(), connected: vi.fn() });
  await vi.advanceTimersByTimeAsync(1000);
  const other = new BroadcastChannel("goodturn.live");
  other.postMessage({ kind: "looked at" });
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(1000);
    expect(watch).toHaveBeenCalledTimes(2);
  });
  other.close();
  stop();
});
