// The status actions of a favor: which are shown, in what order, and how each asks before it is taken.
import { useState } from "react";
import { type Favor, FavorAction } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { hasReason, textOf, violationsOf } from "../../lib/errors";
import { confirmed } from "../../ui/confirm";
import { sayFailure } from "../../ui/failure";
import { say } from "../../ui/said";
import { dismiss } from "../../ui/toast";
import { favorPath } from "./paths";
import { cardWords } from "./cardWords";
import { favorsApi, type FavorsApi, type Step, takeStep, useFavorsApi } from "./deeds";
import { actionWords, words } from "./words";

/** In the order of importance: the first one that is allowed is the main one. */
const ORDER = [
  FavorAction.ACCEPT,
  FavorAction.PUBLISH,
  FavorAction.COMPLETE,
  FavorAction.EDIT,
  FavorAction.SETTLE,
  FavorAction.ANOTHER_TIME,
  FavorAction.DECLINE,
  FavorAction.CANCEL,
  FavorAction.DELETE,
] as const;

/** What the server allows now, the main action first. Stepping back comes in a later release. */
export const actionsOf = (favor: Favor): FavorAction[] =>
  ORDER.filter((action) => favor.allowedActions.includes(action));

/** Whether an answer was changed as often as it may be: another time is not offered any more, only the acceptance. */
export function isChangedTooOften(favor: Favor, answered: boolean): boolean {
  const [first, ...others] = actionsOf(favor);
  return answered && first === FavorAction.ACCEPT && others.length === 0;
}

export const isDestructive = (action: FavorAction): boolean =>
  action === FavorAction.CANCEL || action === FavorAction.DELETE;

/** What went well and is nothing to be glad of. */
const isCallingOff = (action: FavorAction): boolean => isDestructive(action) || action === FavorAction.DECLINE;

/** An answer is no status action: its question is as calm as any other. */
const isAnswer = (action: FavorAction): boolean => action === FavorAction.ACCEPT || action === FavorAction.DECLINE;

/** `take` tells the server. `onGone` leads away from a favor that was deleted. */
type By = { take: (step: Step) => Promise<void>; onGone?: (() => void) | undefined };

async function taken(by: By, favor: Favor, action: FavorAction, message = ""): Promise<boolean> {
  const said = actionWords[action];
  const about = { name: favor.title || cardWords.untitled, path: favorPath(favor.id) };
  try {
    await by.take({ favor, action, message });
    // What somebody else wanted of it is done.
    dismiss(favorPath(favor.id));
    if (action === FavorAction.DELETE) by.onGone?.();
    say(said.done, isCallingOff(action) ? "idle" : "ok", { about });
    return true;
  } catch (error) {
    const overtaken = hasReason(error, "WRONG_STATE", "CONFLICT", "NOT_FOUND", "WRONG_PARTY");
    const known = { START_IN_PAST: words.startInPast, LIMIT_REACHED: words.changedTooOften };
    // A draft that cannot be posted as it stands has a field that says why.
    const failed = textOf(error, known, violationsOf(error)[0]?.description ?? said.failed);
    sayFailure(error, overtaken ? words.tooLate : failed, () => void taken(by, favor, action, message), about);
    return false;
  }
}

async function asked(by: By, favor: Favor, action: FavorAction): Promise<boolean> {
  const { title, text, yes: word } = actionWords[action];
  const yes = await confirmed({
    title,
    about: favor.title || cardWords.untitled,
    text,
    yes: word,
    destructive: isDestructive(action),
    cancelStandsOut: !isAnswer(action),
  });
  return yes && taken(by, favor, action);
}

type OnBusy = (action: FavorAction | undefined) => void;

/** `onBusy` is told what is under way. */
const byApi = (api: FavorsApi, onBusy: OnBusy, onGone?: () => void): By => ({
  onGone,
  async take(step) {
    onBusy(step.action);
    await takeStep(api, step).finally(() => onBusy(undefined));
  },
});

/** Asks, takes the step, and says how it went. */
export function useSteps(onGone?: () => void) {
  const api = useFavorsApi();
  const [busy, setBusy] = useState<FavorAction>();
  const by = byApi(api, setBusy, onGone);
  return {
    busy,
    taken: (favor: Favor, action: FavorAction, message?: string) => taken(by, favor, action, message),
    asked: (favor: Favor, action: FavorAction) => asked(by, favor, action),
  };
}

/** The same for a part that is shown before this is loaded. */
export const askStep = (api: Parameters<typeof favorsApi>, onBusy: OnBusy, favor: Favor, action: FavorAction) =>
  asked(byApi(favorsApi(...api), onBusy), favor, action);
