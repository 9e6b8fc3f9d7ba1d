// The hub of Share Stuff: its five tabs, and what they leave in the history.
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { renderWith } from "../../testing/render";
import { ShareHub } from "./ShareHub";

const { screens } = vi.hoisted(() => ({ screens: { isDesktop: false } }));
vi.mock("../../ui/useDesktop", () => ({ useDesktop: () => screens.isDesktop }));

beforeEach(() => {
  screens.isDesktop = false;
});

const panels = { browse: "what friends lend", create: "a form", mine: "mine", requests: "asked", active: "out" };

function open(path: string): void {
  window.history.replaceState(null, "", path);
  renderWith(() => undefined, <ShareHub panels={panels} />);
}
const tab = (name: string): HTMLElement => screen.getByRole("tab", { name });
const here = (): string => window.location.pathname + window.location.search;

it("five_tabs_stand_in_the_documented_order_and_browse_is_the_first", () => {
  open("/share");
  expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual([
    "Browse",
    "List Item",
    "My Listings",
    "Requests",
    "Active",
  ]);
  expect(tab("Browse")).toHaveAttribute("aria-selected", "true");
  expect(screen.getByText("what friends lend")).toBeInTheDocument();
});

it("tabs_leave_no_trace_and_the_form_of_a_phone_is_a_screen_behind_which_they_are", async () => {
  open("/share");
  const before = window.history.length;
  await userEvent.click(tab("My Listings"));
  await userEvent.click(tab("Requests"));
  expect([here(), window.history.length]).toEqual(["/share?tab=requests", before]);
  await userEvent.click(tab("List Item"));
  expect([here(), window.history.length]).toEqual(["/share?tab=create", before + 1]);
  expect(screen.getByText("a form")).toBeInTheDocument();
  expect(screen.queryByRole("tab")).toBeNull();
});

it("on_a_desktop_the_form_is_a_tab_like_the_others", async () => {
  screens.isDesktop = true;
  open("/share?tab=active");
  const before = window.history.length;
  await userEvent.click(tab("List Item"));
  expect([here(), window.history.length]).toEqual(["/share?tab=create", before]);
  expect(tab("List Item")).toHaveAttribute("aria-selected", "true");
});

it.each(["none", "", "Browse"])("a_tab_called_%j_is_browse", (name) => {
  open(`/share?tab=${name}`);
  expect(tab("Browse")).toHaveAttribute("aria-selected", "true");
});
