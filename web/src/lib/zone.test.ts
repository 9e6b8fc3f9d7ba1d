// What a browser says of its zone.
import { afterEach, expect, it, vi } from "vitest";
import { zoneHere } from "./zone";

afterEach(() => vi.restoreAllMocks());

it.each([
  ["Europe/Berlin", "Europe/Berlin"],
  [undefined, ""],
  ["Etc/Unknown", ""],
])("%s_is_%j", (timeZone, told) => {
  vi.spyOn(Intl, "DateTimeFormat").mockReturnValue({ resolvedOptions: () => ({ timeZone }) } as never);
  expect(zoneHere()).toBe(told);
});
