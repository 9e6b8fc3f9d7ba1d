// The actions of a rental: which stand where, in what order, how each asks before it is taken, and what is said then.
import { useState } from "react";
import { CancellationPolicy } from "../../gen/later/goodturn/items/v1/items_service_pb";
import {
  type Rental,
  RentalAction,
  RentalEventKind,
  RentalStatus,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { rangeText } from "../../lib/days";
import { hasReason, textOf } from "../../lib/errors";
import { sentence, violationsOf } from "../../lib/refusals";
import { rentalPath } from "../../lib/sharing";
import { type Along, dropAlong, fieldFor, textAlong } from "../../ui/along";
import { confirmed } from "../../ui/confirm";
import { sayFailure } from "../../ui/failure";
import { type About, say } from "../../ui/said";
import { priceIn } from "../../ui/item";
import { dismiss } from "../../ui/toast";
import { type RentalsApi, type Step, takeStep, useRentalsApi } from "./deeds";
import { isNotedBefore, isOvertaken, saysMore, standsAfter, takesPictures } from "./noted";
import { amountFor, isPayment, lastPriceStep } from "./payments";
import { openAgainWords, paymentWords, payWords } from "./payWords";
import { policyText } from "./policy";
import { thenText } from "./price";
import { type ActionWords, actionWords, calledOffWords, handedOverWords, takenBackWords, words } from "./words";

/** In the order of importance: the first that is allowed is the main one. */
const ORDER = [
  RentalAction.ACCEPT,
  RentalAction.START,
  RentalAction.COMPLETE,
  RentalAction.RETURN,
  RentalAction.RATE,
  RentalAction.MOVE,
  RentalAction.EXTEND,
  RentalAction.DECLINE,
  RentalAction.CANCEL,
] as const;

/** What stands on a card, where the others lead too far. */
const ON_CARDS: ReadonlySet<RentalAction> = new Set([
  RentalAction.ACCEPT,
  RentalAction.START,
  RentalAction.COMPLETE,
  RentalAction.RETURN,
  RentalAction.DECLINE,
]);

export const allows = ({ allowedActions }: Rental, action: RentalAction): boolean => allowedActions.includes(action);

/** The allowed actions, the main one first. Extensions and payments have buttons of their own. */
export const actionsOf = (rental: Rental): RentalAction[] => ORDER.filter((action) => allows(rental, action));

/** Of an accepted one it is called off on its own screen. */
export const cardActionsOf = (rental: Rental): RentalAction[] =>
  actionsOf(rental).filter(
    (action) =>
      ON_CARDS.has(action) || (action === RentalAction.CANCEL && rental.rentalStatus === RentalStatus.PENDING),
  );

export const isOwner = ({ owner }: Rental, me: string): boolean => owner?.uid === me;

export function wordsOf(rental: Rental, action: RentalAction, me: string): ActionWords {
  if (isPayment(action)) {
    const isOpenAgain = action === RentalAction.MARK_PAID && lastPriceStep(rental)?.kind === RentalEventKind.REFUNDED;
    return (isOpenAgain ? openAgainWords : paymentWords[action])[isOwner(rental, me) ? "owner" : "borrower"];
  }
  if (action === RentalAction.CANCEL && rental.rentalStatus === RentalStatus.ACCEPTED) return calledOffWords;
  if (action === RentalAction.RETURN && isOwner(rental, me)) return takenBackWords;
  if (action === RentalAction.START && isOwner(rental, me)) return handedOverWords;
  return actionWords[action];
}

const CALLS_OFF: ReadonlySet<RentalAction> = new Set([
  RentalAction.DECLINE,
  RentalAction.CANCEL,
  RentalAction.DECLINE_EXTENSION,
  RentalAction.WITHDRAW_EXTENSION,
]);

/** What went well and is nothing to be glad of. */
const isCallingOff = (action: RentalAction): boolean => CALLS_OFF.has(action);

/** What is lost for good. More days can be asked for again. */
export const isDestructive = (action: RentalAction): boolean =>
  action === RentalAction.DECLINE || action === RentalAction.CANCEL;

/** Nobody is called upon to do these. */
const QUIET: ReadonlySet<RentalAction> = new Set([...CALLS_OFF, RentalAction.MOVE, RentalAction.EXTEND]);
export const isCalledFor = (action: RentalAction): boolean => !QUIET.has(action);

/** What is done with a sheet, in which something goes along. */
export type SheetAction =
  | typeof RentalAction.START
  | typeof RentalAction.RETURN
  | typeof RentalAction.COMPLETE
  | typeof RentalAction.RATE
  | typeof RentalAction.MOVE
  | typeof RentalAction.EXTEND;

const WITH_SHEET: ReadonlySet<RentalAction> = new Set([
  RentalAction.START,
  RentalAction.RETURN,
  RentalAction.COMPLETE,
  RentalAction.RATE,
  RentalAction.MOVE,
  RentalAction.EXTEND,
]);

export const hasSheet = (action: RentalAction): action is SheetAction => WITH_SHEET.has(action);

/** What could not be done, by its reason; else what the server found wrong, or that it can be tried again. */
function failureOf(error: unknown, fallback: string): string {
  const wrong = sentence(violationsOf(error)[0]?.description) || fallback;
  const texts = { DAYS_TAKEN: words.taken, ALREADY_SENT: words.askedAlready };
  return textOf(error, { ...texts, RATE_LIMITED: words.tooMany, LIMIT_REACHED: words.tooMany }, wrong);
}

/** What is named where an outcome is said elsewhere than on its own screen. */
export const aboutOf = ({ item, requestId }: Rental): About => ({
  name: item?.title || words.untitled,
  path: rentalPath(requestId),
});

/** `me` is who does it. `onBusy` is told what is under way. */
type By = { api: RentalsApi; me: string; onBusy: (step: Step | undefined) => void };

/**
 * How a step went: it is done, cannot be taken any more, is for its owner to be confirmed instead, or was not for days that somebody else has by now, or
 * for what may be otherwise later.
 */
export type End = "done" | "over" | "returned" | "daysTaken" | "failed";

/** Somebody was faster. How it stands is said once that is shown; where it could not be read that can be tried again, for the step itself cannot. */
async function overtaken(by: By, step: Step): Promise<End> {
  const about = aboutOf(step.rental);
  const stands = await standsAfter(by.api, step);
  if (stands === "unknown") {
    const retry = (): void => {
      say(words.loadingRental, "busy", { about });
      void overtaken(by, step);
    };
    say(words.notUpToDate, "no", { retry, about });
    return "failed";
  }
  if (stands === "returned") {
    say(words.confirmable, "no", { about });
    return "returned";
  }
  const unsent = takesPictures(step.action) ? words.notAdded : words.notSent;
  const left = stands === "noted" ? words.notedBefore : unsent;
  say(stands !== "open" && saysMore(step) ? left : words.tooLate, "no", { about });
  return stands === "open" ? "failed" : "over";
}

/** `again` is what tries it once more, where something else has to be done before. */
async function taken(by: By, step: Step, again = (): void => void taken(by, step)): Promise<End> {
  const { rental, action } = step;
  const path = rentalPath(rental.requestId);
  const about = aboutOf(rental);
  by.onBusy(step);
  try {
    const answer = await takeStep(by.api, step);
    // What somebody else wanted of it is done.
    dismiss(path);
    if (answer !== undefined && isNotedBefore(step, answer)) say(words.notedBefore, "idle", { about });
    else say(wordsOf(rental, action, by.me).done, isCallingOff(action) ? "idle" : "ok", { about });
    return "done";
  } catch (error) {
    if (isOvertaken(error)) return await overtaken(by, step);
    sayFailure(error, failureOf(error, wordsOf(rental, action, by.me).failed), again, about);
    return hasReason(error, "DAYS_TAKEN") ? "daysTaken" : "failed";
  } finally {
    by.onBusy(undefined);
  }
}

/** What cancelling means for money that was paid, and the item's policy. */
function cancelText({ api, me }: By, rental: Rental, text: string): string {
  const policy = api.knownItem(rental.itemId)?.cancellationPolicy ?? CancellationPolicy.UNSPECIFIED;
  const isPaid = rental.paid > 0 || rental.depositReceivedAt !== undefined;
  const sentences = [text, policyText(rental, policy, isOwner(rental, me)), isPaid ? words.moneyPaid : ""];
  return sentences.filter(Boolean).join(" ");
}

/** Names the other side and the days, since one item may have many requests; or the amount of a payment. */
function questionOf(by: By, { rental, action }: Step, text: string): string {
  const { me } = by;
  const { borrower, owner, startDate, endDate, extension, currency } = rental;
  const name = (isOwner(rental, me) ? borrower : owner)?.name || words.formerMember;
  if (isPayment(action)) {
    const amount = amountFor(rental, action);
    // A cancelled rental has nothing due, so this question names no amount.
    return amount > 0 ? payWords.askedOf(name, priceIn(amount, currency), text) : text;
  }
  if (action !== RentalAction.ACCEPT_EXTENSION || extension === undefined) {
    const said = action === RentalAction.CANCEL ? cancelText(by, rental, text) : text;
    return words.askedOf(name, rangeText(startDate, endDate, startDate), said);
  }
  const days = rangeText(startDate, extension.endDate, startDate);
  return words.askedMoreOf(name, days, thenText(rental, extension.totalPrice), text);
}

/** A reason can be given for declining. */
const alongOf = ({ rental, action }: Step, me: string): Along | undefined =>
  action === RentalAction.DECLINE ? { me, form: `decline-note/${rental.requestId}`, label: words.reason } : undefined;

/** Keeps the words until they are sent, also by a retry. */
async function takenAlong(by: By, step: Step, along: Along): Promise<void> {
  const end = await taken(by, step, () => void takenAlong(by, step, along));
  if (end === "done") dropAlong(along);
}

async function asked(by: By, step: Step): Promise<void> {
  const { rental, action } = step;
  const along = alongOf(step, by.me);
  const { title, text, yes, no } = wordsOf(rental, action, by.me);
  const sure = await confirmed({
    title,
    about: rental.item?.title || words.untitled,
    text: questionOf(by, step, text),
    ...(along === undefined ? {} : { field: fieldFor(along) }),
    yes,
    ...(no === undefined ? {} : { no }),
    destructive: isDestructive(action),
  });
  if (!sure) return;
  if (along === undefined) await taken(by, step);
  else await takenAlong(by, { ...step, note: textAlong(along) }, along);
}

/** Asks, takes the step, and says how it went. */
export function useSteps(me: string) {
  const api = useRentalsApi();
  const [busy, onBusy] = useState<Step>();
  const by = { api, me, onBusy };
  return {
    busy,
    isBusy: (rental: Rental, action: RentalAction): boolean =>
      busy?.action === action && busy.rental.requestId === rental.requestId,
    taken: (step: Step, again?: () => void) => taken(by, step, again),
    asked: (step: Step) => asked(by, step),
  };
}
export type Steps = ReturnType<typeof useSteps>;
