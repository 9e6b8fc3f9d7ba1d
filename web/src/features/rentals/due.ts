// How it stands with the last day of what is out. The days left are counted by the server, where the item is.
import { type Rental, RentalAction, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import type { Day } from "../../lib/days";
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

type Waiting = Pick<Rental, "rentalStatus" | "endDate" | "allowedActions">;

/** A request whose days passed without an answer, where the owner's clock does not say otherwise. It ends by itself within hours. */
export const isPast = ({ rentalStatus, endDate, allowedActions }: Waiting, today: Day): boolean =>
  rentalStatus === RentalStatus.PENDING && endDate < today && !allowedActions.includes(RentalAction.ACCEPT);
