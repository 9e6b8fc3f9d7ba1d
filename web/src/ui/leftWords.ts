// How it is said when something comes back.
import { plural, spoken } from "../lib/tongue";

export const leftWords = spoken({
  overdue: (days: number) => plural(days, (n) => ({ one: `${n} day overdue`, other: `${n} days overdue` })),
  dueToday: "Due today",
  left: (days: number) => plural(days, (n) => ({ one: `${n} day left`, other: `${n} days left` })),
});
