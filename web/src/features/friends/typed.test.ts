// What is kept of looking for a friend: an answer that comes late takes nothing away that was typed since, and leaves nothing behind.
import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { forgetAll } from "../../lib/kept";
import { useInvited, useTyped } from "./typed";

const { here } = vi.hoisted(() => ({ here: { uid: "ana" } }));

vi.mock("../../lib/current", () => ({
  session: {
    get: () => (here.uid === "" ? { kind: "signedOut" } : { kind: "signedIn", member: { uid: here.uid } }),
  },
}));

beforeEach(() => {
  forgetAll();
  here.uid = "ana";
});

it("what_was_sent_is_cleared_and_what_was_typed_since_is_not", () => {
  const { result } = renderHook(() => useTyped("ana"));
  act(() => result.current.type({ contact: "lena@example.com" }));
  const sent = result.current;
  act(() => result.current.type({ contact: "ben@example.com" }));
  act(() => sent.clear());
  expect(result.current.contact).toBe("ben@example.com");
  act(() => result.current.clear());
  expect(result.current.contact).toBe("");
});

it("two_that_are_invited_at_once_are_both_known", () => {
  const { result } = renderHook(() => useInvited("ana"));
  const { add } = result.current;
  act(() => {
    add("Lena@example.com");
    add("ben@example.com");
    add("lena@example.com");
  });
  expect(["lena@example.com", "BEN@example.com", "eve@example.com"].map(result.current.has)).toEqual([
    true,
    true,
    false,
  ]);
});

it.each(["", "eve"])("nothing_is_left_behind_by_one_who_has_left_it_to_%s", (uid) => {
  const { result } = renderHook(() => useInvited("ana"));
  here.uid = uid;
  act(() => result.current.add("lena@example.com"));
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("lena");
  expect(result.current.has("lena@example.com")).toBe(false);
});
