// Each way back leads to another screen.
import { expect, it } from "vitest";
import { navigate } from "wouter/use-browser-location";
import { lead } from "./back";

const here = (): string => window.location.pathname + window.location.search;

it("where_one_is_already_nothing_happens", () => {
  lead(navigate, "/friends");
  const before = window.history.length;
  lead(navigate, "/friends");
  lead(navigate, "/friends", { replace: true });
  expect([here(), window.history.length]).toEqual(["/friends", before]);
  lead(navigate, "/friends?tab=find");
  expect(window.history.length).toBe(before + 1);
});

it("what_would_be_the_screen_behind_is_that_one", async () => {
  for (const path of ["/", "/favors", "/favors?tab=create"]) lead(navigate, path);
  lead(navigate, "/favors", { replace: true });
  await expect.poll(here).toBe("/favors");
  window.history.back();
  await expect.poll(here).toBe("/");
});

it("what_takes_the_place_of_another_screen_takes_it", async () => {
  for (const path of ["/inbox", "/", "/favors?tab=create"]) lead(navigate, path);
  lead(navigate, "/favors", { replace: true });
  expect(here()).toBe("/favors");
  window.history.back();
  await expect.poll(here).toBe("/");
});
