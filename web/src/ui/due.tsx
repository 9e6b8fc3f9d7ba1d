// How it stands with the last day of what is out. The days left are counted by the server, where the item is.
import { IconAlertTriangle } from "@tabler/icons-react";
import { type Rental, RentalStatus } from "../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { leftWords as words } from "./leftWords";
import type { Tone } from "./theme";

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

/** Of what is out. */
export function DueBadge({ rental: { daysLeft, rentalStatus } }: { rental: Rental }) {
  if (daysLeft === undefined || rentalStatus !== RentalStatus.ACTIVE) return null;
  return (
    <span className="badge soft" data-tone={dueTone(daysLeft)}>
      {daysLeft < 0 && <IconAlertTriangle size={16} aria-hidden="true" />}
      {dueText(daysLeft)}
    </span>
  );
}
