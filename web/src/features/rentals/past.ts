// Requests whose days went by.
import { type Rental, RentalAction, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import type { Day } from "../../lib/days";

type Waiting = Pick<Rental, "rentalStatus" | "endDate" | "allowedActions">;

/** A request whose days passed without an answer, where the owner's clock does not say otherwise. It ends by itself within hours. */
export const isPast = ({ rentalStatus, endDate, allowedActions }: Waiting, today: Day): boolean =>
  rentalStatus === RentalStatus.PENDING && endDate < today && !allowedActions.includes(RentalAction.ACCEPT);
