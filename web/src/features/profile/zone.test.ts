// The zone of the browser and that of the profile.
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ProfileService } from "../../gen/goodturn/profile/v1/profile_service_pb";
import { tellZone } from "./zone";

const browser = vi.hoisted(() => ({ zone: "America/New_York", found: undefined as (() => void) | undefined }));

vi.mock("../../lib/zone", () => ({ zoneHere: () => browser.zone }));
vi.mock("../../lib/reach", () => ({ whenFound: (found: () => void) => (browser.found = found) }));

const server = {
  zone: "UTC",
  asked: 0,
  told: [] as (string | undefined)[],
  paths: [] as string[],
  fails: undefined as Code | undefined,
};

beforeEach(() => {
  onTold.mockClear();
  Object.assign(browser, { zone: "America/New_York", found: undefined });
  Object.assign(server, { zone: "UTC", asked: 0, told: [], paths: [], fails: undefined });
});

afterEach(() => vi.useRealTimers());

const calls = createClient(
  ProfileService,
  createRouterTransport(({ service }) =>
    service(ProfileService, {
      getProfile() {
        server.asked += 1;
        if (server.fails !== undefined) throw new ConnectError("no", server.fails);
        return { profile: { details: { timeZone: server.zone } } };
      },
      updateProfile({ details, updateMask }) {
        server.told.push(details?.timeZone);
        server.paths.push(...(updateMask?.paths ?? []));
        server.zone = details?.timeZone ?? "";
        return {};
      },
    }),
  ),
);

const onTold = vi.fn<() => void>();
const tell = (me = "ana", isStill = () => true) => tellZone(me, calls, isStill, onTold);

it("another_zone_is_told_once", async () => {
  await tell();
  await tell();
  expect(server).toMatchObject({ asked: 1, told: ["America/New_York"], paths: ["details.time_zone"] });
});

it.each([
  ["2026-11-26T03:00:00Z", 1],
  ["2026-11-26T12:00:00Z", 0],
] as const)("that_it_is_another_day_there_is_heard: at %s %d times", async (now, times) => {
  vi.useFakeTimers({ now: new Date(now), toFake: ["Date"] });
  await tell();
  expect(onTold).toHaveBeenCalledTimes(times);
});

it("another_day_may_be_where_the_zone_is_not_known_here", async () => {
  server.zone = "Mars/Base";
  await tell();
  expect(onTold).toHaveBeenCalledOnce();
});

it("the_same_zone_is_not_told", async () => {
  server.zone = "America/New_York";
  await tell();
  expect(server.told).toEqual([]);
  expect(onTold).not.toHaveBeenCalled();
});

it("a_browser_without_a_zone_changes_none", async () => {
  browser.zone = "";
  await tell();
  expect(server).toMatchObject({ asked: 0, told: [] });
});

it("who_travels_with_an_open_tab_is_told_of_anew_and_so_is_another_member", async () => {
  await tell();
  browser.zone = "Europe/Berlin";
  await tell();
  server.zone = "UTC";
  await tell("ben");
  expect(server.told).toEqual(["America/New_York", "Europe/Berlin", "Europe/Berlin"]);
});

it("what_did_not_reach_the_server_is_told_when_it_is_found", async () => {
  server.fails = Code.Unavailable;
  await tell();
  expect(browser.found).toBeDefined();
  server.fails = undefined;
  browser.found?.();
  await vi.waitFor(() => expect(server.told).toEqual(["America/New_York"]));
});

it("who_has_left_meanwhile_tells_nothing", async () => {
  await tell("ana", () => false);
  expect(server.told).toEqual([]);
});
