// The present: by the server's clock once it has told it, whatever the device's shows.
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const SERVER = "Fri, 27 Nov 2026 10:00:00 GMT";
const SERVER_MS = Date.parse(SERVER);
const MINUTE_MS = 60_000;

/** Each test has a page of its own. */
async function page(device_ms: number) {
  vi.resetModules();
  vi.useFakeTimers({ now: device_ms });
  return import("./now");
}

beforeEach(() => vi.useRealTimers());
afterEach(() => vi.useRealTimers());

it("is_that_of_the_device_until_an_answer_tells_another", async () => {
  const { hear, isHeard, present, serverTime } = await page(SERVER_MS - 10 * MINUTE_MS);
  for (const nothing of [null, "", "soon"]) hear(nothing);
  expect([isHeard(), present().getTime()]).toEqual([false, SERVER_MS - 10 * MINUTE_MS]);
  expect(serverTime()).toEqual(present());
});

it.each([-10, 10, 24 * 60])("is_the_servers_where_the_device_is_%d_minutes_off", async (minutes) => {
  const { hear, isHeard, present, serverTime } = await page(SERVER_MS + minutes * MINUTE_MS);
  hear(SERVER);
  vi.advanceTimersByTime(1500);
  expect(isHeard()).toBe(true);
  expect([present().getTime(), serverTime().getTime()]).toEqual([SERVER_MS + 1500, SERVER_MS + 1500]);
});

it("is_signed_right_after_the_clock_of_the_device_was_set", async () => {
  const { hear, present, serverTime } = await page(SERVER_MS);
  hear(SERVER);
  vi.setSystemTime(SERVER_MS + 60 * MINUTE_MS);
  vi.advanceTimersByTime(1000);
  expect(serverTime().getTime()).toBe(SERVER_MS + 1000);
  // The next answer tells the rest.
  hear(new Date(SERVER_MS + 1000).toUTCString());
  expect(present().getTime()).toBe(SERVER_MS + 1000);
});

it("is_shown_right_after_a_sleep_that_stopped_the_page", async () => {
  const { hear, present } = await page(SERVER_MS - 10 * MINUTE_MS);
  hear(SERVER);
  vi.setSystemTime(SERVER_MS + 50 * MINUTE_MS);
  expect(present().getTime()).toBe(SERVER_MS + 60 * MINUTE_MS);
});

it("is_told_anew_every_minute", async () => {
  const { hear, useNow } = await page(SERVER_MS - 10 * MINUTE_MS);
  const { result } = renderHook(() => useNow());
  hear(SERVER);
  act(() => void vi.advanceTimersByTime(MINUTE_MS));
  expect(result.current.getTime()).toBe(SERVER_MS + MINUTE_MS);
});
