// Both sides may note a hand-over or a return, and each at once: the first one counts, and what the other would have said along with it is refused.
import { type Handover, type Rental, RentalAction } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { hasReason } from "../../lib/errors";
import { isDone, type RentalsApi, type Step } from "./deeds";

function notedIn({ started, returned, completed }: Rental, action: RentalAction): Handover | undefined {
  if (action === RentalAction.START) return started;
  if (action === RentalAction.RETURN) return returned;
  return action === RentalAction.COMPLETE ? completed : undefined;
}

const plain = (text: string): string => text.normalize().replaceAll(/\s/g, "");

const NOTED: ReadonlySet<RentalAction> = new Set([RentalAction.START, RentalAction.RETURN, RentalAction.COMPLETE]);

/** Refused because the rental is another by now, or not there. */
export const isOvertaken = (error: unknown): boolean =>
  hasReason(error, "WRONG_STATE", "CONFLICT", "NOT_FOUND", "WRONG_PARTY");

/** How it stands after a refusal. `isOver`: the step cannot be taken any more. `isNoted`: just that is noted already, with other words or pictures. */
type Stands = { isOver: boolean; isNoted: boolean };

export async function standsAfter({ client }: RentalsApi, step: Step, error: unknown): Promise<Stands> {
  const { rental: before, action } = step;
  if (!isOvertaken(error)) return { isOver: false, isNoted: false };
  try {
    const { rental } = await client.getRental({ requestId: before.requestId });
    const isOver = rental?.allowedActions.includes(action) === false;
    return { isOver, isNoted: NOTED.has(action) && rental !== undefined && isDone(step, rental) };
  } catch (why) {
    return { isOver: hasReason(why, "NOT_FOUND"), isNoted: false };
  }
}

/** Whether words or pictures whose answer was lost are not those that stand there now: somebody has noted it before. */
export function isNotedBefore({ action, note = "", pictureKeys = [] }: Step, answer: Rental): boolean {
  const noted = notedIn(answer, action);
  if (noted === undefined || (note === "" && pictureKeys.length === 0)) return false;
  return plain(noted.note) !== plain(note) || noted.pictureUrls.length < pictureKeys.length;
}
