// What of the member's rentals is to be done in the next days: to hand over or to fetch, to give back or to get back. What is overdue comes first.
import { type Rental, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { type Day, daysFrom } from "../../lib/days";
import type { Tone } from "../../ui/theme";
import { dueTone } from "./due";

const AHEAD_DAYS = 7;
const SHOWN_MAX = 5;

export type Kind = "return" | "getBack" | "pickUp" | "handOver";
/** `inDays` is negative when it is overdue. */
export type Planned = { rental: Rental; kind: Kind; inDays: number };

function plannedOf(rental: Rental, isOwner: boolean, today: Day): Planned | undefined {
  const { rentalStatus, daysLeft, startDate, endDate } = rental;
  if (rentalStatus === RentalStatus.ACTIVE)
    return { rental, kind: isOwner ? "getBack" : "return", inDays: daysLeft ?? daysFrom(today, endDate) };
  if (rentalStatus === RentalStatus.ACCEPTED)
    return { rental, kind: isOwner ? "handOver" : "pickUp", inDays: daysFrom(today, startDate) };
  return undefined;
}

/** `rentals` are the member's on either side, in any order. */
export function plannedFrom(rentals: readonly Rental[], me: string, today: Day): Planned[] {
  return rentals
    .map((rental) => plannedOf(rental, rental.owner?.uid === me, today))
    .filter((one) => one !== undefined)
    .filter(({ inDays }) => inDays <= AHEAD_DAYS)
    .toSorted((a, b) => a.inDays - b.inDays)
    .slice(0, SHOWN_MAX);
}

/** A hand-over whose day has come is not late: nobody has the item who should not. */
export const toneOf = ({ kind, inDays }: Planned): Tone =>
  dueTone(kind === "return" || kind === "getBack" ? inDays : Math.max(0, inDays));
