// Pictures whose address has ended: what shows them is asked anew, once.
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { fireEvent, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Face } from "../ui/Face";
import { watchFaces } from "./faces";

const net = vi.hoisted(() => ({
  isLost: false,
  found: undefined as (() => void) | undefined,
  refreshed: 0,
  refresh: "r",
}));

vi.mock("../lib/reach", () => ({
  isLost: () => net.isLost,
  onFound(found: () => void) {
    net.found = found;
    return () => (net.found = undefined);
  },
}));
vi.mock("../lib/tokens", () => ({ readTokens: () => ({ access: "token", id: "id", refresh: net.refresh }) }));
vi.mock("../lib/current", () => ({
  session: {
    get: () => ({ kind: "signedIn", member: { uid: "ana", profilePictureUrl: "/p/ana.jpg?until=1" } }),
    accessToken: () => Promise.resolve("token"),
    refresh() {
      net.refreshed += 1;
      return Promise.resolve("newer");
    },
  },
}));

const asked: Record<string, number> = {};
const ends: (() => void)[] = [];
let cache = new QueryClient();

beforeEach(() => {
  cache = new QueryClient();
  for (const name of Object.keys(asked)) delete asked[name];
  Object.assign(net, { isLost: false, found: undefined, refreshed: 0, refresh: "r" });
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const watch = (): unknown => ends.push(watchFaces(cache));

/** A list that is on the screen and holds the picture of somebody. */
async function shown(name: string, url: string): Promise<void> {
  const observer = new QueryObserver(cache, {
    queryKey: [name],
    queryFn() {
      asked[name] = (asked[name] ?? 0) + 1;
      return { people: [{ displayName: name, profilePictureUrl: url, since: 1n }], bytes: new Uint8Array(2) };
    },
  });
  ends.push(observer.subscribe(() => undefined));
  await vi.waitFor(() => expect(asked[name]).toBe(1));
}

const face = (url: string): HTMLImageElement =>
  render(<Face person={{ displayName: "Ben", profilePictureUrl: url }} />).container.querySelector("img") ??
  document.createElement("img");

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400));

it("the_list_that_holds_it_is_asked_anew_once_and_no_other", async () => {
  await shown("friends", "/p/ben.jpg?until=1");
  await shown("favors", "/p/eve.jpg?until=1");
  watch();
  const image = face("/p/ben.jpg?until=1");
  fireEvent.error(image);
  await vi.waitFor(() => expect(asked["friends"]).toBe(2));
  fireEvent.error(image);
  await later();
  expect(asked).toEqual({ friends: 2, favors: 1 });
  expect(net.refreshed).toBe(0);
});

it("what_had_failed_before_anybody_looked_is_seen", async () => {
  await shown("friends", "/p/ben.jpg?until=1");
  fireEvent.error(face("/p/ben.jpg?until=1"));
  watch();
  await vi.waitFor(() => expect(asked["friends"]).toBe(2));
});

it("ones_own_comes_with_new_tokens", async () => {
  watch();
  const image = face("/p/ana.jpg?until=1");
  fireEvent.error(image);
  await vi.waitFor(() => expect(net.refreshed).toBe(1));
  fireEvent.error(image);
  await later();
  expect(net.refreshed).toBe(1);
});

it("tokens_that_cannot_be_renewed_stay_as_they_are", async () => {
  net.refresh = "";
  watch();
  fireEvent.error(face("/p/ana.jpg?until=1"));
  await later();
  expect(net.refreshed).toBe(0);
});

it("without_a_connection_nothing_is_asked_and_the_picture_is_tried_again_when_there_is_one", async () => {
  await shown("friends", "/p/ben.jpg?until=1");
  watch();
  net.isLost = true;
  const image = face("/p/ben.jpg?until=1");
  fireEvent.error(image);
  await later();
  expect(asked["friends"]).toBe(1);
  net.isLost = false;
  const again = vi.spyOn(image, "src", "set");
  net.found?.();
  expect(again).toHaveBeenCalledWith("/p/ben.jpg?until=1");
});
