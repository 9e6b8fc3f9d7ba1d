// The item's cancellation policy: whether a rental can be cancelled for free, and what is said of it.
import { CancellationPolicy } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { type Rental, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { type Day, daysFrom } from "../../lib/days";
import { noticeWords } from "../../ui/itemWords";
import { words } from "./words";

/** The last day of free cancellation is this many days before the first day of the rental. */
const NOTICE_DAYS: Record<Exclude<CancellationPolicy, CancellationPolicy.UNSPECIFIED>, number> = {
  [CancellationPolicy.FLEX]: 1,
  [CancellationPolicy.MODERATE]: 3,
  [CancellationPolicy.STRICT]: 7,
};

/** Whether a rental that begins on `startDate` is cancelled for free on `day`, both by the owner's calendar. */
export const isFreeToCancel = (policy: CancellationPolicy, day: Day, startDate: Day): boolean =>
  policy === CancellationPolicy.UNSPECIFIED || daysFrom(day, startDate) >= NOTICE_DAYS[policy];

/**
 * The policy, and whether the borrower is within its free time by the owner's day. Empty if no money is involved or the policy is not known.
 */
export function policyText(rental: Rental, policy: CancellationPolicy, isOwner: boolean): string {
  const { rentalStatus, paid, deposit, startDate, today } = rental;
  const isAboutMoney = rentalStatus === RentalStatus.ACCEPTED && (paid > 0 || deposit > 0);
  if (!isAboutMoney || policy === CancellationPolicy.UNSPECIFIED) return "";
  const isFree = isFreeToCancel(policy, today, startDate);
  const { stillFree, freeTimePassed } = words.cancelPolicy[isOwner ? "owner" : "borrower"];
  return (isFree ? stillFree : freeTimePassed)(noticeWords[policy]);
}
