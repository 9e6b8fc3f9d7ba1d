// The actions of a favor: which are shown, in what order, how each asks before it is taken, and what is said then.
import { useState } from "react";
import { type Favor, FavorAction, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { session } from "../../lib/current";
import { hasReason, textOf } from "../../lib/errors";
import { sentence, violationsOf } from "../../lib/refusals";
import { type Along, dropAlong, fieldFor, textAlong } from "../../ui/along";
import { confirmed } from "../../ui/confirm";
import { sayFailure } from "../../ui/failure";
import { say } from "../../ui/said";
import { dismiss } from "../../ui/toast";
import { favorPath } from "./paths";
import { cardWords } from "./cardWords";
import { favorsApi, type FavorsApi, useFavorsApi } from "./deeds";
import { isProposed } from "./laterQueries";
import { type Step, takeStep } from "./moves";
import { offerWords } from "./offerWords";
import { type ActionWords, actionWords, backUpWords, draftWords, offerBackWords, proposalWords, words } from "./words";

/**
 * In the order of importance: the first one that is allowed is the main one. What is done with one of several people stands beside them, and
 * asking one more beside those who are asked.
 */
const ORDER = [
  FavorAction.ACCEPT,
  FavorAction.APPLY,
  FavorAction.PUBLISH,
  FavorAction.COMPLETE,
  FavorAction.EDIT,
  FavorAction.SETTLE,
  FavorAction.ANOTHER_TIME,
  FavorAction.DECLINE,
  FavorAction.WITHDRAW,
  FavorAction.REPORT_MISSING_TIP,
  FavorAction.CANCEL,
  FavorAction.DELETE,
] as const;
export type BarAction = (typeof ORDER)[number];

export const allows = ({ allowedActions }: Favor, action: FavorAction): boolean => allowedActions.includes(action);

/** What the server allows now of what stands in the bar, the main action first. */
export const actionsOf = (favor: Favor): BarAction[] => ORDER.filter((action) => allows(favor, action));

/** Whether an answer was changed as often as it may be: another time is not offered any more, only the acceptance. */
export function isChangedTooOften(favor: Favor, answered: boolean): boolean {
  const [first, ...others] = actionsOf(favor);
  return answered && favor.responses === 0 && first === FavorAction.ACCEPT && others.length === 0;
}

/** Of what the creator is told about many, each other member is told what they are themself. */
export const isBackUp = ({ backUps }: Favor): boolean => backUps.length > 0;
/** An offer also stands while another friend helps. Only the two sides are told who that is. */
export const isApplicant = (favor: Favor): boolean =>
  favor.applicants.length > 0 ||
  (allows(favor, FavorAction.WITHDRAW) && favor.helper === undefined && !isBackUp(favor));

/** What is said of an action of somebody who was asked, or who offers help, and of all others. */
export function wordsOf(favor: Favor, action: FavorAction): ActionWords {
  if (action === FavorAction.ACCEPT && favor.responses > 0) return backUpWords[action];
  if (isProposed(favor) && (action === FavorAction.ACCEPT || action === FavorAction.DECLINE))
    return proposalWords[action];
  if (action === FavorAction.WITHDRAW && isBackUp(favor)) return backUpWords[action];
  if (action === FavorAction.WITHDRAW && isApplicant(favor)) return offerBackWords;
  if (favor.status === FavorStatus.DRAFT && isDestructive(action)) return draftWords[action];
  return actionWords[action];
}

/** What is said after it. Somebody may have been faster: who accepts is a back-up then. */
function doneOf({ favor, action }: Step, now: Favor | undefined): string {
  if (action === FavorAction.ACCEPT && now !== undefined)
    return isBackUp(now) ? backUpWords[action].done : actionWords[action].done;
  return wordsOf(favor, action).done;
}

export const isDestructive = (action: FavorAction): action is FavorAction.CANCEL | FavorAction.DELETE =>
  action === FavorAction.CANCEL || action === FavorAction.DELETE;

const CALLS_OFF: ReadonlySet<FavorAction> = new Set([
  FavorAction.CANCEL,
  FavorAction.DELETE,
  FavorAction.DECLINE,
  FavorAction.DECLINE_TIME,
  FavorAction.WITHDRAW,
  FavorAction.REPORT_MISSING_TIP,
]);

/** What went well and is nothing to be glad of. */
const isCallingOff = (action: FavorAction): boolean => CALLS_OFF.has(action);

/** The status actions of the documents, of whose questions they have the Cancel red. */
const STATUS: ReadonlySet<FavorAction> = new Set([
  FavorAction.PUBLISH,
  FavorAction.COMPLETE,
  FavorAction.SETTLE,
  FavorAction.CANCEL,
  FavorAction.DELETE,
]);

/** The label of the optional words, if this action takes any. Only the creator says thanks. */
function alongLabel({ createdBy }: Favor, action: FavorAction, me: string, isThanked: boolean): string | undefined {
  if (action === FavorAction.DECLINE) return words.reason;
  const isEnding = action === FavorAction.COMPLETE || action === FavorAction.SETTLE;
  return isEnding && createdBy === me && !isThanked ? words.thanks : undefined;
}

/** `isThanked` when the creator has said thanks already. */
export function alongOf(favor: Favor, action: FavorAction, me: string, isThanked = false): Along | undefined {
  const label = alongLabel(favor, action, me, isThanked);
  return label === undefined ? undefined : { me, form: `said-${action}/${favor.id}`, label };
}

/** `take` tells the server. `onGone` leads away from a favor that was deleted. */
type By = { take: (step: Step) => Promise<Favor | undefined>; onGone?: (() => void) | undefined };

/** Which limit it is that was reached. */
const limits: Partial<Record<FavorAction, string>> = {
  [FavorAction.ASK]: offerWords.tooManyAsked,
  [FavorAction.CHOOSE]: offerWords.tooManyAsked,
  [FavorAction.ACCEPT]: words.steppedBackTooOften,
  [FavorAction.APPLY]: words.steppedBackTooOften,
};

/** What is said of what could not be done, by its reason. */
const knownOf = (action: FavorAction) => ({
  START_IN_PAST: words.startInPast,
  LIMIT_REACHED: limits[action] ?? words.changedTooOften,
  NOT_A_FRIEND: offerWords.noFriendNow,
});

/** `onDone` is called when it is done, also by a later try. */
async function taken(by: By, step: Step, onDone?: () => void): Promise<boolean> {
  const { favor, action } = step;
  const about = { name: favor.title || cardWords.untitled, path: favorPath(favor.id) };
  try {
    const now = await by.take(step);
    // What somebody else wanted of it is done.
    dismiss(favorPath(favor.id));
    if (action === FavorAction.DELETE) by.onGone?.();
    say(doneOf(step, now), isCallingOff(action) ? "idle" : "ok", { about });
    onDone?.();
    return true;
  } catch (error) {
    const overtaken = hasReason(error, "WRONG_STATE", "CONFLICT", "NOT_FOUND", "WRONG_PARTY");
    // A draft that cannot be posted as it stands has a field that says why.
    const fallback = sentence(violationsOf(error)[0]?.description) || wordsOf(favor, action).failed;
    const failed = textOf(error, knownOf(action), fallback);
    sayFailure(error, overtaken ? words.tooLate : failed, () => void taken(by, step, onDone), about);
    return false;
  }
}

type Asked = Pick<ActionWords, "title" | "text" | "yes">;

/** `said` asks it, in the place of the words of the action. */
async function asked(by: By, step: Step, said: Asked, along?: Along): Promise<boolean> {
  const { favor, action } = step;
  const { title, text, yes: word } = said;
  const yes = await confirmed({
    title,
    about: favor.title || cardWords.untitled,
    text,
    ...(along === undefined ? {} : { field: fieldFor(along) }),
    yes: word,
    destructive: isDestructive(action),
    cancelStandsOut: STATUS.has(action),
  });
  if (!yes) return false;
  if (along === undefined) return taken(by, step);
  return taken(by, { ...step, message: textAlong(along) }, () => dropAlong(along));
}

/** What is under way. */
export type Busy = Pick<Step, "action" | "uid">;
type OnBusy = (busy: Busy | undefined) => void;

/** `onBusy` is told what is under way. */
const byApi = (api: FavorsApi, onBusy: OnBusy, onGone?: () => void): By => ({
  onGone,
  async take(step) {
    onBusy(step);
    return takeStep(api, step).finally(() => onBusy(undefined));
  },
});

/** Asks, takes the step, and says how it went. */
export function useSteps(onGone?: () => void) {
  const api = useFavorsApi();
  const [busy, setBusy] = useState<Busy>();
  const by = byApi(api, setBusy, onGone);
  return {
    busy,
    taken: (step: Step, onDone?: () => void) => taken(by, step, onDone),
    asked: (step: Step, said: Asked = wordsOf(step.favor, step.action), along?: Along) => asked(by, step, said, along),
  };
}
export type Steps = ReturnType<typeof useSteps>;

/** The same for a part that is shown before this is loaded. */
export function askStep(
  api: Parameters<typeof favorsApi>,
  onBusy: (action: FavorAction | undefined) => void,
  favor: Favor,
  action: FavorAction,
): Promise<boolean> {
  const state = session.get();
  const me = state.kind === "signedIn" ? state.member.uid : "";
  const by = byApi(favorsApi(...api), (busy) => onBusy(busy?.action));
  return asked(by, { favor, action }, wordsOf(favor, action), alongOf(favor, action, me));
}
