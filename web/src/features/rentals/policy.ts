// The item's cancellation policy, for whoever is about to cancel a rental.
import { CancellationPolicy } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { type Rental, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { daysFrom } from "../../lib/days";
import { noticeWords } from "../../ui/itemWords";
import { words } from "./words";

/** The last day of free cancellation is this many days before the first day of the rental. */
const NOTICE_DAYS: Record<Exclude<CancellationPolicy, CancellationPolicy.UNSPECIFIED>, number> = {
  [CancellationPolicy.FLEX]: 1,
  [CancellationPolicy.MODERATE]: 3,
  [CancellationPolicy.STRICT]: 7,
};

/**
 * The policy, and whether the borrower is within its free time by the owner's day. Empty if no money is involved or the policy is not known.
 */
export function policyText(rental: Rental, policy: CancellationPolicy, isOwner: boolean): string {
  const { rentalStatus, paid, deposit, startDate, today } = rental;
  const isAboutMoney = rentalStatus === RentalStatus.ACCEPTED && (paid > 0 || deposit > 0);
  if (!isAboutMoney || policy === CancellationPolicy.UNSPECIFIED) return "";
  const isFree = daysFrom(today, startDate) >= NOTICE_DAYS[policy];
  const { stillFree, freeTimePassed } = words.cancelPolicy[isOwner ? "owner" : "borrower"];
  return (isFree ? stillFree : freeTimePassed)(noticeWords[policy]);
}
