// Paths without a page: those that mean another one lead there, the others say so and stay.
import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { PAGES, pageOf } from "../lib/links";
import { renderWith } from "../testing/render";
import { legalOf } from "./LegalPage";
import { meantBy, NoPage, NoPageOutside } from "./NoPage";
import { isOutside, isRoute, isSubScreen } from "./paths";

function open(path: string, Page = NoPage): string[] {
  const { hook, searchHook, history } = memoryLocation({ path, record: true });
  renderWith(
    () => undefined,
    <Router hook={hook} searchHook={searchHook}>
      <Page path={path.split("?")[0] ?? ""} />
    </Router>,
  );
  return history;
}

it.each([
  ["/notifications", "/inbox"],
  ["/Notifications/", "/inbox"],
  ["/friends/", "/friends"],
  ["/friends///", "/friends"],
  ["//friends", "/friends"],
  ["//", "/"],
  ["/share/", "/share"],
  ["/Friends", "/friends"],
  ["/FRIENDS/Find/", "/friends/find"],
  ["/Share/Items/0b1c/Manage", "/share/items/0b1c/manage"],
  ["/Terms", "/terms"],
  ["/join/", "/join"],
  ["/auth/callback/", "/auth/callback"],
])("%s_means_%s", (path, meant) => expect(meantBy(path)).toBe(meant));

it.each([
  "/nowhere",
  "/x/y/z",
  "/friends/nobody",
  "/favors/f1/edit",
  "/share/things",
  "/share/items",
  "/share/items/i1/lend",
  "/share/rentals/r1/edit",
  "/settings/nothing",
  "/inbox/n1",
  "/join/now",
  "/friendsandmore",
  "/constructor",
])("%s_means_no_page_and_has_none", (path) => {
  expect([isRoute(path), isOutside(path), meantBy(path)]).toEqual([false, false, undefined]);
});

it.each([
  "/",
  "/friends",
  "/friends/groups",
  "/favors",
  "/favors/not-an-id",
  "/share",
  "/share/items/i1",
  "/share/items/i1/borrow",
  "/share/rentals/r1",
  "/inbox",
  "/settings",
  "/settings/blocked",
  "/profile",
])("%s_is_a_screen", (path) => expect([isRoute(path), isOutside(path)]).toEqual([true, false]));

it.each([NoPage, NoPageOutside])("what_is_meant_is_opened_in_its_place_with_its_search %#", (Page) => {
  expect(open("/Favors/?tab=completed&view=helped", Page)).toEqual(["/favors?tab=completed&view=helped"]);
  expect(screen.queryByText("Page not found")).not.toBeInTheDocument();
});

it("a_member_is_told_that_there_is_no_page_and_finds_home_from_there", () => {
  const history = open("/x/y/z");
  expect(screen.getByRole("heading", { level: 1, name: "Page not found" })).toBeInTheDocument();
  expect(screen.getByText("There's no page at this address.")).toBeInTheDocument();
  expect(screen.getByText("/x/y/z").parentElement).toHaveTextContent("Route: /x/y/z");
  expect(document.title).toBe("Page not found · Goodturn");
  // The way back from Home leads here again.
  fireEvent.click(screen.getByRole("link", { name: "Go to Home" }));
  expect(history).toEqual(["/x/y/z", "/"]);
});

it("whoever_is_not_signed_in_is_told_too_and_led_to_the_sign_in", () => {
  const history = open("/x/y/z", NoPageOutside);
  expect(screen.getByRole("heading", { level: 1, name: "Page not found" })).toHaveFocus();
  expect(screen.getByText("There's no page at this address.")).toBeInTheDocument();
  fireEvent.click(screen.getByRole("link", { name: "Go to Goodturn" }));
  expect(history).toEqual(["/x/y/z", "/"]);
});

it.each([NoPage, NoPageOutside])("it_leads_to_the_root_after_a_while %#", (Page) => {
  vi.useFakeTimers();
  const history = open("/x/y/z", Page);
  expect(screen.getByText("Redirecting...")).toBeInTheDocument();
  act(() => void vi.advanceTimersByTime(5000));
  expect(history).toEqual(["/x/y/z"]);
  act(() => void vi.advanceTimersByTime(2000));
  expect(history).toEqual(["/"]);
  vi.useRealTimers();
});

it("what_stands_outside_is_told_apart_from_what_has_no_page", () => {
  for (const path of [...PAGES, "/terms", "/privacy"]) {
    expect(isOutside(path)).toBe(true);
    expect([pageOf(path) ?? legalOf(path), isRoute(path)]).toEqual([path, false]);
  }
});

it("a_path_without_a_page_keeps_the_tabs", () => {
  for (const path of ["/settings/nothing", "/share/things", "/favors/f1/edit"])
    expect(isSubScreen(path, "")).toBe(false);
  expect(isSubScreen("/settings/security", "")).toBe(true);
});
