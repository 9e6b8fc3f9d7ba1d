// The calendar as members use it: by taps, by keys, and read aloud; in any zone.
import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { addDays, dayHere, daysOf } from "../lib/days";
import { renderWith } from "../testing/render";
import RangeCalendar from "./RangeCalendar";
import { type Bounds, NO_RANGE, type Range } from "./range";

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env["TZ"];
  else process.env["TZ"] = TZ;
});

const TODAY = "2026-11-21";
/** How a day is called that a range from the 24th cannot reach. */
const BEYOND = "November 28, 2026, after an unavailable day";
const BLOCKED = ["2026-11-25", "2026-11-26", "2026-11-27"];

type Setup = Partial<Bounds> & { today?: string; marked?: readonly string[]; range?: Range; busy?: boolean };

function show({ today = TODAY, marked = [], range = NO_RANGE, busy = false, ...more }: Setup = {}) {
  const chosen: Range[] = [];
  function Chooser() {
    const [now, set] = useState(range);
    const bounds = { first: today, last: "2027-11-20", blocked: new Set(BLOCKED), maxDays: 7, ...more };
    return (
      <RangeCalendar
        range={now}
        bounds={bounds}
        today={today}
        marked={new Set(marked)}
        busy={busy}
        onChange={(next) => {
          chosen.push(next);
          set(next);
        }}
      />
    );
  }
  renderWith(() => undefined, <Chooser />);
  return chosen;
}

const days = () => within(screen.getByRole("table")).getAllByRole("button");
/** What is said of the range, where a reader hears it. */
const told = () =>
  document.querySelector(".rangecal [role=status]")?.textContent?.replaceAll(/[\s\u2068\u2069]+/g, " ");
const dayCalled = (name: string | RegExp) => screen.getByRole("button", { name });

it("shows_42_days_from_sunday_on_and_what_they_mean", () => {
  show();
  expect(days()).toHaveLength(42);
  expect(screen.getAllByRole("columnheader").map((th) => th.textContent)).toEqual([
    "Sun",
    "Mon",
    "Tue",
    "Wed",
    "Thu",
    "Fri",
    "Sat",
  ]);
  const legend = within(screen.getByRole("list", { name: "Calendar legend" }));
  expect(legend.getAllByRole("listitem").map((li) => li.textContent)).toEqual([
    "Selected",
    "In Range",
    "Unavailable",
    "Today",
  ]);
  expect(dayCalled("November 20, 2026")).toBeDisabled();
  expect(dayCalled("November 21, 2026, today")).toBeEnabled();
  expect(dayCalled("November 25, 2026, unavailable")).toBeDisabled();
  expect(dayCalled("Previous month")).toBeDisabled();
});

it("two_taps_choose_a_range_over_the_end_of_a_month", async () => {
  const chosen = show();
  expect(told()).toBe("Choose the first day");
  await userEvent.click(dayCalled("November 28, 2026"));
  expect(told()).toBe("Sat, Nov 28. Now choose the last day");
  await userEvent.click(dayCalled("December 1, 2026"));
  expect(chosen.at(-1)).toEqual({ start: "2026-11-28", end: "2026-12-01" });
  expect(told()).toBe("Nov 28 – Dec 1: 4 days");
  expect(dayCalled("November 28, 2026, first day")).toHaveAttribute("aria-pressed", "true");
  expect(dayCalled("November 30, 2026, in range")).toHaveAttribute("aria-pressed", "true");
  expect(dayCalled("December 1, 2026, last day")).toHaveAttribute("aria-pressed", "true");
  await userEvent.click(dayCalled("November 23, 2026"));
  expect(chosen.at(-1)).toEqual({ start: "2026-11-23", end: "" });
});

it("a_range_across_a_blocked_day_says_why_it_is_refused", async () => {
  const chosen = show();
  await userEvent.click(dayCalled("November 24, 2026"));
  await userEvent.click(dayCalled(BEYOND));
  expect(screen.getByRole("alert")).toHaveTextContent("Dates Not Available");
  expect(screen.getByRole("alert")).toHaveTextContent("This item is not available for the selected dates.");
  expect(chosen.at(-1)).toEqual(NO_RANGE);
  await userEvent.click(dayCalled("November 28, 2026"));
  await userEvent.click(dayCalled("November 29, 2026"));
  expect(chosen.at(-1)).toEqual({ start: "2026-11-28", end: "2026-11-29" });
  expect(screen.queryByRole("alert")).toBeNull();
});

it("days_that_cannot_be_reached_from_the_start_are_greyed_until_another_start_can_be_chosen", async () => {
  show();
  await userEvent.click(dayCalled("November 24, 2026"));
  expect(dayCalled(BEYOND)).toHaveAttribute("data-blocked", "true");
  expect(dayCalled("December 1, 2026, beyond the maximum rental period")).toHaveAttribute("data-blocked", "true");
  expect(dayCalled("November 23, 2026")).not.toHaveAttribute("data-blocked");
  await userEvent.click(dayCalled(BEYOND));
  expect(dayCalled("November 28, 2026")).not.toHaveAttribute("data-blocked");
  expect(told()).toBe("Choose the first day");
});

it("why_days_are_refused_comes_into_view_each_time", async () => {
  const seen = vi.spyOn(Element.prototype, "scrollIntoView");
  show();
  await userEvent.click(dayCalled("November 24, 2026"));
  await userEvent.click(dayCalled(BEYOND));
  await userEvent.click(dayCalled("November 24, 2026"));
  await userEvent.click(dayCalled("November 29, 2026, after an unavailable day"));
  expect(seen.mock.instances).toEqual([expect.anything(), screen.getByRole("alert").parentElement]);
  seen.mockRestore();
});

it("too_many_days_are_refused_in_the_documented_words", async () => {
  show();
  await userEvent.click(dayCalled("November 28, 2026"));
  await userEvent.click(dayCalled("December 5, 2026, beyond the maximum rental period"));
  expect(screen.getByRole("alert")).toHaveTextContent("Rental Period Too Long");
  expect(screen.getByRole("alert")).toHaveTextContent("This item can only be rented for a maximum of 7 days.");
});

it("goes_to_the_months_before_and_after", async () => {
  show();
  await userEvent.click(dayCalled("Next month"));
  expect(screen.getByText("December 2026")).toBeInTheDocument();
  expect(days()).toHaveLength(42);
  await userEvent.click(dayCalled("Previous month"));
  expect(screen.getByText("November 2026")).toBeInTheDocument();
});

it("is_used_with_keys_alone", async () => {
  const chosen = show();
  dayCalled("November 28, 2026").focus();
  await userEvent.keyboard("{Enter}{ArrowRight}{Enter}");
  expect(chosen.at(-1)).toEqual({ start: "2026-11-28", end: "2026-11-29" });
  // What cannot be chosen is passed over.
  dayCalled("November 24, 2026").focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(document.activeElement).toHaveAccessibleName("November 28, 2026, first day");
  // No key leads away from the month.
  await userEvent.keyboard("y");
  expect(screen.getByText("November 2026")).toBeInTheDocument();
});

/** Where the keys lead. */
async function at(keys: string): Promise<string | null | undefined> {
  await userEvent.keyboard(keys);
  return document.activeElement?.getAttribute("aria-label");
}

it("keys_lead_by_weeks_to_the_ends_of_a_week_and_by_months", async () => {
  show();
  dayCalled("November 21, 2026, today").focus();
  expect(await at("{ArrowDown}")).toBe("November 28, 2026");
  // Days that are past or taken are passed over.
  expect(await at("{ArrowUp}{ArrowUp}")).toBe("November 21, 2026, today");
  expect(await at("{ArrowRight}{End}")).toBe("November 28, 2026");
  expect(await at("{Home}")).toBe("November 22, 2026");
  expect(await at("{ArrowRight}{ArrowRight}{ArrowRight}")).toBe("November 28, 2026");
  // Into the next month, and back.
  expect(await at("{ArrowDown}")).toBe("December 5, 2026");
  expect(screen.getByText("December 2026")).toBeInTheDocument();
  expect(await at("{ArrowUp}")).toBe("November 28, 2026");
  expect(screen.getByText("November 2026")).toBeInTheDocument();
  expect(await at("{PageDown}{PageDown}{PageDown}")).toBe("February 28, 2027");
  expect(await at("{PageUp}{PageUp}{PageUp}{PageUp}")).toBe("November 21, 2026, today");
  expect(days().filter((day) => day.tabIndex === 0)).toEqual([document.activeElement]);
});

it("a_chosen_day_keeps_the_focus_and_tab_leads_past_the_others", async () => {
  show();
  dayCalled("November 28, 2026").focus();
  await userEvent.keyboard("{Enter}{ArrowRight}{Enter}");
  expect(document.activeElement).toHaveAccessibleName("November 29, 2026, last day");
  expect(days().filter((day) => day.tabIndex === 0)).toEqual([document.activeElement]);
});

it("today_is_where_the_item_is", () => {
  show({ today: "2031-02-03", last: "2032-02-02" });
  expect(screen.getByText("February 2031")).toBeInTheDocument();
  expect(dayCalled("February 3, 2031, today")).toBeEnabled();
  expect(screen.getAllByRole("button", { name: /today/ })).toHaveLength(1);
});

it("today_of_the_device_is_not_marked_where_it_is_another_one", () => {
  const tomorrow = addDays(dayHere(new Date()), 1);
  show({ today: tomorrow, last: addDays(tomorrow, 300) });
  expect([...document.querySelectorAll<HTMLElement>("[data-today=true]")].map((day) => day.dataset["day"])).toEqual([
    tomorrow,
  ]);
});

it("what_the_owner_has_closed_is_marked_and_can_be_chosen", async () => {
  const chosen = show({ marked: ["2026-11-29"] });
  await userEvent.click(dayCalled("November 29, 2026, unavailable"));
  expect(chosen.at(-1)).toEqual({ start: "2026-11-29", end: "" });
});

it("what_is_sent_is_looked_at_and_stays_as_it_is", async () => {
  const chosen = show({ busy: true, range: { start: "2026-11-28", end: "2026-11-29" } });
  expect(days().filter((day) => day.getAttribute("aria-disabled") !== "true")).toEqual([]);
  await userEvent.click(dayCalled("November 23, 2026"));
  dayCalled("November 29, 2026, last day").focus();
  await userEvent.keyboard("{ArrowRight}{Enter} ");
  expect(document.activeElement).toHaveAccessibleName("November 30, 2026");
  expect(chosen).toEqual([]);
  expect(dayCalled("November 28, 2026, first day")).toHaveAttribute("aria-pressed", "true");
});

it("of_a_running_rental_only_the_last_day_is_chosen", async () => {
  const running = {
    held: { start: "2026-11-18", end: "2026-11-21" },
    first: "2026-11-22",
    range: { start: "2026-11-18", end: "" },
    blocked: new Set<string>(),
  };
  const chosen = show(running);
  for (const had of ["November 18, 2026, first day", "November 21, 2026, last day, today"])
    expect(dayCalled(had)).toHaveAttribute("aria-disabled", "true");
  await userEvent.click(dayCalled("November 18, 2026, first day"));
  expect(chosen.at(-1)).toEqual(running.range);
  await userEvent.click(dayCalled("November 24, 2026"));
  expect(chosen.at(-1)).toEqual({ start: "2026-11-18", end: "2026-11-24" });
});

it("of_a_running_rental_days_beyond_the_longest_are_said_to_be_so_and_cannot_be_chosen", async () => {
  const held = { start: "2026-11-18", end: "2026-11-21" };
  const running = { held, first: "2026-11-22", range: { start: held.start, end: "" }, blocked: new Set<string>() };
  show(running);
  expect(told()).toBe("Choose the new last day, up to 7 days total");
  expect(dayCalled("November 24, 2026")).toBeEnabled();
  const tooFar = dayCalled("November 25, 2026, beyond the maximum rental period");
  expect(tooFar).toBeDisabled();
  dayCalled("November 24, 2026").focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(dayCalled("November 24, 2026")).toHaveFocus();
  cleanup();
  show({ ...running, maxDays: 4 });
  expect(told()).toBe("This item can only be rented for a maximum of 4 days.");
});

// In these the clocks are put on at midnight, so that a day has none; or both at the end of a year and of a leap February.
it.each([
  ["Africa/Cairo", "2026-04-20", 30],
  ["America/New_York", "2026-03-01", 31],
  ["Europe/Berlin", "2026-10-01", 31],
  ["Pacific/Kiritimati", "2026-12-01", 31],
  ["America/Los_Angeles", "2028-02-01", 29],
])("in_%s_each_day_from_%s_stands_once", (zone, today, length) => {
  process.env["TZ"] = zone;
  show({ today, last: "2029-01-01", blocked: new Set() });
  const names = days().map((day) => day.getAttribute("aria-label") ?? "");
  expect(new Set(names).size).toBe(42);
  const month = today.slice(0, 7);
  const all = daysOf(`${month}-01`, `${month}-${length}`);
  const table = within(screen.getByRole("table"));
  const inMonth = table.getAllByRole("button").filter((day) => !day.hasAttribute("data-outside"));
  expect(inMonth.length).toBeGreaterThanOrEqual(all.filter((day) => day >= today).length);
  expect(names.filter((name) => name.includes(", today"))).toHaveLength(1);
});

it("where_no_day_is_free_none_is_asked_for", () => {
  show({ last: "2026-11-27", blocked: new Set(daysOf(TODAY, "2026-11-27")) });
  expect(told()).toBe("No days are available right now.");
  expect(dayCalled("November 21, 2026, unavailable, today")).toBeDisabled();
});
