// What is kept on the device of what the server said: shown at once, asked anew, and never for anybody else.
import { create } from "@bufbuild/protobuf";
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { useMemo } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { GetProfileResponseSchema } from "../gen/goodturn/profile/v1/profile_service_pb";
import { jwt, storeSession } from "../testing/tokens";
import { forgetAll, forgetEverywhere } from "./kept";
import { cleanPersisted, persisted } from "./persisted";

const DAY_MS = 24 * 60 * 60_000;

const server = { name: "Ana", asked: 0, answers: Promise.resolve(), isLost: false };

beforeEach(() => {
  vi.useRealTimers();
  Object.assign(server, { name: "Ana", asked: 0, answers: Promise.resolve(), isLost: false });
  storeSession(3600);
});

const profile = (firstName: string) => create(GetProfileResponseSchema, { profile: { details: { firstName } } });
const newCache = () => new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } });

function Name({ me, build }: { me: string; build: string | undefined }) {
  const { persister } = useMemo(() => persisted(me, GetProfileResponseSchema, build), [me, build]);
  const { data, isError } = useQuery({
    queryKey: ["profile"],
    async queryFn() {
      server.asked += 1;
      await server.answers;
      if (server.isLost) throw new Error("lost");
      return profile(server.name);
    },
    persister,
  });
  return (
    <p>
      {data?.profile?.details?.firstName ?? "nothing"}
      {isError && ", as it was"}
    </p>
  );
}

function show(me = "ana", cache = newCache(), build: string | undefined = undefined): QueryClient {
  render(
    <QueryClientProvider client={cache}>
      <Name me={me} build={build} />
    </QueryClientProvider>,
  );
  return cache;
}

const keys = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith("goodturn.cache."));
const stored = (): Promise<void> => vi.waitFor(() => expect(keys()).toHaveLength(1));

/** So long ago it was kept. */
function age(by_ms: number): void {
  for (const key of keys()) {
    const entry = JSON.parse(localStorage.getItem(key) ?? "") as { at_ms: number };
    localStorage.setItem(key, JSON.stringify({ ...entry, at_ms: entry.at_ms - by_ms }));
  }
}

/** What a page that is loaded anew begins with. */
async function keptOnce(by_ms = 60_000): Promise<void> {
  show();
  await screen.findByText("Ana");
  await stored();
  age(by_ms);
  cleanup();
  server.asked = 0;
}

it("what_is_kept_is_shown_at_once_and_asked_anew", async () => {
  await keptOnce();
  server.name = "Anna";
  let release: (() => void) | undefined;
  server.answers = new Promise((resolve) => (release = resolve));
  show();
  expect(await screen.findByText("Ana")).toBeInTheDocument();
  await vi.waitFor(() => expect(server.asked).toBe(1));
  release?.();
  expect(await screen.findByText("Anna")).toBeInTheDocument();
  expect(server.asked).toBe(1);
  await vi.waitFor(() => expect(localStorage.getItem(keys()[0] ?? "")).toContain("at_ms"));
});

it("what_is_fresh_is_not_asked_anew", async () => {
  await keptOnce(0);
  show();
  expect(await screen.findByText("Ana")).toBeInTheDocument();
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(server.asked).toBe(0);
});

it("without_a_connection_it_stays_and_says_that_it_may_be_old", async () => {
  await keptOnce();
  server.isLost = true;
  show();
  expect(await screen.findByText("Ana, as it was")).toBeInTheDocument();
});

it("what_is_fresher_is_never_overwritten", async () => {
  await keptOnce();
  const cache = newCache();
  cache.setQueryData(["profile"], profile("Annie"));
  server.name = "Annie";
  show("ana", cache);
  expect(screen.getByText("Annie")).toBeInTheDocument();
  await act(() => cache.invalidateQueries());
  expect(screen.getByText("Annie")).toBeInTheDocument();
});

it("what_a_deed_has_put_into_the_cache_is_kept", async () => {
  await keptOnce();
  const cache = newCache();
  cache.setQueryData(["profile"], profile("Annie"));
  await persisted("ana", GetProfileResponseSchema).keep(["profile"], cache);
  show();
  expect(await screen.findByText("Annie")).toBeInTheDocument();
});

it("after_a_day_and_in_another_build_it_is_gone", async () => {
  await keptOnce(DAY_MS + 1000);
  server.isLost = true;
  show();
  expect(await screen.findByText("nothing, as it was")).toBeInTheDocument();
  expect(keys()).toEqual([]);
  cleanup();
  server.isLost = false;
  await keptOnce();
  server.isLost = true;
  show("ana", newCache(), "another");
  expect(await screen.findByText("nothing, as it was")).toBeInTheDocument();
  expect(keys()).toEqual([]);
});

it("what_cannot_be_read_is_asked_for", async () => {
  await keptOnce();
  localStorage.setItem(keys()[0] ?? "", "{");
  server.name = "Anna";
  show();
  expect(await screen.findByText("Anna")).toBeInTheDocument();
});

it("what_is_too_old_or_of_others_goes_at_the_start", async () => {
  await keptOnce();
  localStorage.setItem("goodturn.cache.ben-x", "of another member");
  await cleanPersisted("ana", GetProfileResponseSchema);
  expect(keys()).toHaveLength(1);
  age(DAY_MS);
  await cleanPersisted("ana", GetProfileResponseSchema);
  expect(keys()).toEqual([]);
});

it.each([
  ["this_tab", forgetEverywhere],
  ["another_tab", forgetAll],
])("nothing_survives_a_sign_out_in_%s", async (_, leave) => {
  await keptOnce();
  leave();
  expect(keys()).toEqual([]);
});

it("an_answer_that_comes_after_the_sign_out_is_not_kept", async () => {
  let release: (() => void) | undefined;
  server.answers = new Promise((resolve) => (release = resolve));
  show();
  localStorage.clear();
  release?.();
  await screen.findByText("Ana");
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(keys()).toEqual([]);
});

it("another_member_never_sees_or_keeps_it", async () => {
  await keptOnce();
  localStorage.setItem("access_token", jwt("ben", 3600));
  server.isLost = true;
  show("ana");
  expect(await screen.findByText("nothing, as it was")).toBeInTheDocument();
  cleanup();
  show("ben");
  expect(await screen.findByText("nothing, as it was")).toBeInTheDocument();
});

it("what_is_large_is_not_kept_and_no_token_is", async () => {
  await keptOnce();
  const texts = keys().map((key) => localStorage.getItem(key) ?? "");
  for (const token of ["access_token", "id_token", "refresh_token"])
    for (const text of texts) expect(text).not.toContain(localStorage.getItem(token));
  server.name = "a".repeat(40_000);
  const cache = show();
  await screen.findByText(server.name);
  await act(() => cache.invalidateQueries());
  await vi.waitFor(() => expect(keys()).toEqual([]));
});
