// Requests whose days went by.
import { type Rental, RentalAction, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";

type Waiting = Pick<Rental, "rentalStatus" | "endDate" | "today" | "allowedActions">;

/** A request whose days passed without an answer. It ends by itself within hours. */
export const isPast = ({ rentalStatus, endDate, today, allowedActions }: Waiting): boolean =>
  rentalStatus === RentalStatus.PENDING && endDate < today && !allowedActions.includes(RentalAction.ACCEPT);
