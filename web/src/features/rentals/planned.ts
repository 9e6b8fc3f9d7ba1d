// What of the member's rentals is to be done: somebody waits for a word, or something is to be handed over or fetched, given back or got back in the
// next days. What is overdue comes first.
import { type Rental, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { daysFrom } from "../../lib/days";
import type { Tone } from "../../ui/theme";
import { dueTone } from "../../ui/due";
import { isPast } from "./past";
import { isDepositHeld, type OpenPayment, openPaymentsOf } from "./payments";

const AHEAD_DAYS = 7;
export const SHOWN_MAX = 5;

export type Kind =
  | "asked"
  | "askedMore"
  | "confirm"
  | "return"
  | "getBack"
  | "pickUp"
  | "handOver"
  | "pay"
  | "getPaid"
  | "refund"
  | "getRefund"
  | "returnDeposit"
  | "getDeposit";
/** `inDays` is negative when it is overdue. */
export type Planned = { rental: Rental; kind: Kind; inDays: number };

function plannedOf(rental: Rental, isOwner: boolean): Planned | undefined {
  const { rentalStatus, daysLeft, startDate, endDate, today } = rental;
  if (rentalStatus === RentalStatus.ACTIVE)
    return { rental, kind: isOwner ? "getBack" : "return", inDays: daysLeft ?? daysFrom(today, endDate) };
  if (rentalStatus === RentalStatus.ACCEPTED)
    return { rental, kind: isOwner ? "handOver" : "pickUp", inDays: daysFrom(today, startDate) };
  return undefined;
}

/** What the borrower waits for the owner to say. */
function waitsOf(rental: Rental): Kind | undefined {
  const { rentalStatus, extension } = rental;
  if (rentalStatus === RentalStatus.PENDING) return isPast(rental) ? undefined : "asked";
  if (rentalStatus === RentalStatus.RETURNED) return "confirm";
  return rentalStatus === RentalStatus.ACTIVE && extension !== undefined ? "askedMore" : undefined;
}

/** Which of them wait for the member's word. */
export const waitingFor = (rentals: readonly Rental[], me: string): Planned[] =>
  rentals.flatMap((rental) => {
    const kind = rental.owner?.uid === me ? waitsOf(rental) : undefined;
    return kind === undefined ? [] : [{ rental, kind, inDays: 0 }];
  });

/** Somebody is late, then what comes. What waits for the member's word stands elsewhere. */
export function dueFrom(rentals: readonly Rental[], me: string): Planned[] {
  const planned = plannedFrom(rentals, me);
  const late = planned.filter((one) => isBack(one) && one.inDays < 0);
  const told = new Set([...late, ...waitingFor(rentals, me)].map(({ rental }) => rental));
  return [...late, ...planned.filter(({ rental }) => !told.has(rental)), ...openPayments(rentals, me)];
}

const OVER: ReadonlySet<RentalStatus> = new Set([
  RentalStatus.RETURNED,
  RentalStatus.COMPLETED,
  RentalStatus.CANCELLED,
]);

/** An open payment as each side sees it. A deposit that was not paid is open only before the item is back. */
const KINDS: Record<Exclude<OpenPayment, "payDeposit">, { owner: Kind; borrower: Kind }> = {
  refund: { owner: "refund", borrower: "getRefund" },
  pay: { owner: "getPaid", borrower: "pay" },
  returnDeposit: { owner: "returnDeposit", borrower: "getDeposit" },
};

const sideOf = ({ owner }: Rental, me: string): "owner" | "borrower" => (owner?.uid === me ? "owner" : "borrower");

/** The open payments on either side. */
const paymentsOf = (rentals: readonly Rental[], me: string): Planned[] =>
  rentals.flatMap((rental) =>
    openPaymentsOf(rental).flatMap((open) =>
      open === "payDeposit" ? [] : [{ rental, kind: KINDS[open][sideOf(rental, me)], inDays: 0 }],
    ),
  );

/** The deposits of rentals that are not over yet. They are returned after that, which `paymentsOf` tells. */
const heldDeposits = (rentals: readonly Rental[], me: string): Planned[] =>
  rentals
    .filter((rental) => !OVER.has(rental.rentalStatus) && isDepositHeld(rental))
    .map((rental) => ({ rental, kind: KINDS.returnDeposit[sideOf(rental, me)], inDays: 0 }));

/** Rentals that were paid in advance: closing the account cancels them. */
const prepaid = (rentals: readonly Rental[], me: string): Planned[] =>
  rentals
    .filter(({ rentalStatus, paid }) => rentalStatus === RentalStatus.ACCEPTED && paid > 0)
    .map((rental) => ({ rental, kind: KINDS.refund[sideOf(rental, me)], inDays: 0 }));

/** What is open with other members: items that are out, payments, and deposits. */
export const openWithOthers = (rentals: readonly Rental[], me: string): Planned[] => [
  ...rentals
    .filter(({ rentalStatus }) => rentalStatus === RentalStatus.ACTIVE)
    .map((rental) => plannedOf(rental, rental.owner?.uid === me))
    .filter((planned) => planned !== undefined),
  ...paymentsOf(rentals, me),
  ...prepaid(rentals, me),
  ...heldDeposits(rentals, me),
];

/** The payments that Home shows: the price to the borrower from the hand-over on, all others once the rental is over. */
const openPayments = (rentals: readonly Rental[], me: string): Planned[] =>
  paymentsOf(rentals, me)
    .filter(
      ({ kind, rental: { rentalStatus } }) =>
        OVER.has(rentalStatus) || (kind === "pay" && rentalStatus === RentalStatus.ACTIVE),
    )
    .slice(0, SHOWN_MAX);

/** `rentals` are the member's on either side, in any order. */
export function plannedFrom(rentals: readonly Rental[], me: string): Planned[] {
  return rentals
    .map((rental) => plannedOf(rental, rental.owner?.uid === me))
    .filter((one) => one !== undefined)
    .filter(({ inDays }) => inDays <= AHEAD_DAYS)
    .toSorted((a, b) => a.inDays - b.inDays)
    .slice(0, SHOWN_MAX);
}

export const isBack = ({ kind }: Planned): boolean => kind === "return" || kind === "getBack";

/** A hand-over whose day has come is not late: nobody has the item who should not. */
export const toneOf = (planned: Planned): Tone =>
  dueTone(isBack(planned) ? planned.inDays : Math.max(0, planned.inDays));
