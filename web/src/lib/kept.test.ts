// What is typed and not sent: of this tab and this member, over a reload, and gone at sign-out.
import { expect, it, vi } from "vitest";
import { forget, forgetEverywhere, forgetOthers, forgetSaid, keep, kept } from "./kept";

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The same module as a page that is loaded anew has it. */
async function loadedAnew(): Promise<typeof import("./kept")> {
  vi.resetModules();
  return import("./kept");
}

it("what_is_kept_survives_a_reload_and_is_nobody_elses", async () => {
  keep("ana", "favor", "Walk Biscuit");
  const after = await loadedAnew();
  expect(after.kept("ana", "favor", text)).toBe("Walk Biscuit");
  expect(after.kept("ben", "favor", text)).toBeNull();
  forget("ana", "favor");
  expect(kept("ana", "favor", text)).toBeNull();
});

it("it_is_of_this_tab_alone", () => {
  keep("ana", "favor", "Walk Biscuit");
  expect(JSON.stringify({ ...localStorage })).not.toContain("Biscuit");
});

it("a_tab_that_slept_through_a_sign_out_brings_nothing_back", async () => {
  keep("ana", "favor", "Walk Biscuit");
  const slept = Object.entries({ ...sessionStorage });
  forgetEverywhere();
  for (const [key, value] of slept) sessionStorage.setItem(key, String(value));
  const after = await loadedAnew();
  expect(after.kept("ana", "favor", text)).toBeNull();
  expect(sessionStorage).toHaveLength(0);
});

it("where_the_storage_is_full_nothing_older_comes_back", async () => {
  keep("ana", "favor", "Walk Biscuit");
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  keep("ana", "favor", "Walk Biscuit twice");
  full.mockRestore();
  expect(kept("ana", "favor", text)).toBe("Walk Biscuit twice");
  const after = await loadedAnew();
  expect(after.kept("ana", "favor", text)).toBeNull();
  forget("ana", "favor");
});

it("a_session_that_ended_takes_nothing_that_its_member_typed", async () => {
  keep("ana", "item", "A ladder");
  localStorage.setItem("goodturn.cache.ana", "what the server said");
  forgetSaid();
  expect(localStorage.getItem("goodturn.cache.ana")).toBeNull();
  const after = await loadedAnew();
  after.forgetOthers("ana");
  expect(after.kept("ana", "item", text)).toBe("A ladder");
});

it("whoever_else_is_here_next_finds_nothing_and_leaves_nothing_of_it", async () => {
  keep("ana", "item", "A ladder");
  keep("anabel", "item", "A drill");
  forgetSaid();
  forgetOthers("anabel");
  expect([kept("anabel", "item", text), kept("ana", "item", text)]).toEqual(["A drill", null]);
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("ladder");
  forgetEverywhere();
});
