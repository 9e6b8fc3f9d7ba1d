// How it stands with the last day of what is out. The days left are counted by the server, where the item is.
import type { Tone } from "../../ui/theme";
import { words } from "./words";

/** So many days before the last one it becomes urgent. */
const SOON_DAYS = 1;

export function dueText(daysLeft: number): string {
  if (daysLeft < 0) return words.overdue(-daysLeft);
  return daysLeft === 0 ? words.dueToday : words.left(daysLeft);
}

export function dueTone(daysLeft: number): Tone {
  if (daysLeft < 0) return "no";
  return daysLeft <= SOON_DAYS ? "wait" : "idle";
}
