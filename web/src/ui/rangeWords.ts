// The texts of the calendar in which a range of days is chosen.
import { plural, spoken } from "../lib/tongue";

export const rangeWords = spoken({
  selected: "Selected",
  inRange: "In Range",
  unavailable: "Unavailable",
  today: "Today",
  legend: "Calendar legend",
  weekdays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
  previousMonth: "Previous month",
  nextMonth: "Next month",
  dayIs: (day: string, state: string) => `${day}, ${state}`,
  dayIsToo: (day: string, state: string, other: string) => `${day}, ${state}, ${other}`,
  first: "first day",
  last: "last day",
  between: "in range",
  taken: "unavailable",
  unreached: "after an unavailable day",
  tooFar: "beyond the maximum rental period",
  now: "today",
  notAvailable: "Dates Not Available",
  notAvailableText: "This item is not available for the selected dates.",
  tooLong: "Rental Period Too Long",
  tooLongText: (maxDays: number) =>
    plural(maxDays, (n) => ({
      one: `This item can only be rented for a maximum of ${n} day.`,
      other: `This item can only be rented for a maximum of ${n} days.`,
    })),
  chosen: (range: string, days: number) =>
    plural(days, (n) => ({ one: `${range}: ${n} day`, other: `${range}: ${n} days` })),
  chooseStart: "Choose the first day",
  chooseEnd: (start: string) => `${start}. Now choose the last day`,
  noneFree: "No days are available right now.",
  chooseLast: "Choose the new last day",
  chooseLastOf: (maxDays: number) =>
    plural(maxDays, (n) => ({
      one: `Choose the new last day, up to ${n} day total`,
      other: `Choose the new last day, up to ${n} days total`,
    })),
});
