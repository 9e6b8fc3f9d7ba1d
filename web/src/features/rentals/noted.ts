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

/** The actions that take pictures. */
const NOTED: ReadonlySet<RentalAction> = new Set([RentalAction.START, RentalAction.RETURN, RentalAction.COMPLETE]);

export const takesPictures = (action: RentalAction): boolean => NOTED.has(action);

/** Words or pictures go along, which are lost where it is refused. */
export const saysMore = ({ note = "", pictureKeys = [] }: Step): boolean => note !== "" || pictureKeys.length > 0;

/** Whether just that is noted, by whom and with what ever. */
export const isNotedIn = (step: Step, now: Rental): boolean =>
  takesPictures(step.action) && (isDone(step, now) || notedIn(now, step.action) !== undefined);

/** The other side has marked it returned: its owner, who wanted to do so, has but to confirm it. */
export const isToBeConfirmed = (action: RentalAction, { allowedActions }: Rental): boolean =>
  action === RentalAction.RETURN &&
  !allowedActions.includes(RentalAction.RETURN) &&
  allowedActions.includes(RentalAction.COMPLETE);

/** Refused because the rental is another by now, or not there. */
export const isOvertaken = (error: unknown): boolean =>
  hasReason(error, "WRONG_STATE", "CONFLICT", "NOT_FOUND", "WRONG_PARTY");

/**
 * How it stands after a refusal. `open`: the step can be taken still. `over`: it cannot be any more; `noted`: for just that is noted already, with other
 * words or pictures; `returned`: so is this, and can be confirmed instead. `unknown`: it could not be read.
 */
type Stands = "open" | "over" | "noted" | "returned" | "unknown";

function standsNow(step: Step, now: Rental): Stands {
  if (now.allowedActions.includes(step.action)) return "open";
  if (isToBeConfirmed(step.action, now)) return "returned";
  return isNotedIn(step, now) ? "noted" : "over";
}

async function readAnew({ client, show }: RentalsApi, requestId: string): Promise<Rental | undefined> {
  const { rental } = await client.getRental({ requestId });
  if (rental !== undefined) show(rental);
  return rental;
}

/** It is shown so by then, on its own screen and in lists. */
export async function standsAfter(api: RentalsApi, step: Step): Promise<Stands> {
  try {
    const [rental] = await Promise.all([readAnew(api, step.rental.requestId), api.listAnew()]);
    return rental === undefined ? "unknown" : standsNow(step, rental);
  } catch (why) {
    return hasReason(why, "NOT_FOUND") ? "over" : "unknown";
  }
}

/** Whether words or pictures whose answer was lost are not those that stand there now: somebody has noted it before. */
export function isNotedBefore(step: Step, answer: Rental): boolean {
  const { action, note = "", pictureKeys = [] } = step;
  const noted = notedIn(answer, action);
  if (noted === undefined || !saysMore(step)) return false;
  return plain(noted.note) !== plain(note) || noted.pictureUrls.length < pictureKeys.length;
}
