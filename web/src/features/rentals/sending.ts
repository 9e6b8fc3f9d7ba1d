// What is sent from the sheet of a rental, once however often it is tried: it goes on when the sheet is closed, which is locked until then where it is
// opened again.
import { type Rental, RentalAction } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { session } from "../../lib/current";
import { createTurns } from "../../lib/turns";
import { say, unsayDone } from "../../ui/said";
import type { Step } from "./deeds";
import { saysMore } from "./noted";
import { aboutOf, type SheetAction, type Steps, wordsOf } from "./steps";
import { handoverWords, words } from "./words";

/**
 * `ended`: nothing is left to be done in the sheet. The others say why it was not: for a picture, for days that somebody else has by now, for it is to be
 * confirmed instead, or for what was said.
 */
export type Outcome = "ended" | "lost" | "refused" | "daysTaken" | "returned" | "failed";

const WHAT = "send";
const turns = createTurns<Outcome>((outcome) => outcome === "ended");

/** What its owner has to say of a return is the same whether it is noted with that or confirmed: the other side may note it meanwhile. */
export const topicOf = (action: SheetAction): SheetAction =>
  action === RentalAction.COMPLETE ? RentalAction.RETURN : action;

export const lineOf = (me: string, { requestId }: Rental, action: SheetAction): string =>
  `${me} ${requestId} ${topicOf(action)}`;

type Deed = { rental: Rental; action: SheetAction; me: string; steps: Steps };
type Goes = Omit<Step, "rental" | "action">;
type Chosen = Pick<Step, "rating" | "startDate" | "endDate">;

/** What was chosen stays until it has ended, or others are: a sheet that is opened again shows what is sent, and what a Retry would send. */
const choices = new Map<string, Chosen>();

export const chosenFor = (line: string): Chosen | undefined => choices.get(line);

/** Others are chosen: its Retry would send what does not stand there any more. */
export function dropChosen(line: string): void {
  choices.delete(line);
  unsayDone();
}

// Another member, or nobody: nothing of the one before stays.
session.subscribe(() => {
  const state = session.get();
  const me = state.kind === "signedIn" ? state.member.uid : "";
  for (const line of choices.keys()) if (state.kind !== "loading" && !line.startsWith(`${me} `)) choices.delete(line);
});

type What = {
  /** The stars or days that stand in the sheet. What is typed and taken is kept beside. */
  chosen?: Chosen;
  /** What goes along, as it stands when it is sent, also by a later try; else why a picture could not be sent. */
  goes: () => Promise<Goes | "lost" | "refused">;
  /** What was typed is not needed any more. */
  onEnd?: () => void;
};

async function sent({ rental, action, steps }: Deed, { goes, onEnd }: What, again: () => void): Promise<Outcome> {
  const along = await goes();
  if (typeof along === "string") return along;
  const step = { rental, action, ...along };
  const end = await steps.taken(step, again);
  // What was typed and was not added can be copied.
  if (end === "over" && saysMore(step)) return "failed";
  if (end !== "done" && end !== "over") return end;
  onEnd?.();
  return "ended";
}

/** The sheet was closed before its pictures failed. What the server refused is said already. */
function missed({ rental, action, me }: Deed, outcome: Outcome, again: () => void): void {
  const about = aboutOf(rental);
  if (outcome === "lost") say(wordsOf(rental, action, me).failed, "no", { retry: again, isLost: true, about });
  if (outcome === "refused") say(handoverWords.notNoted, "no", { about });
}

function begin(deed: Deed, what: What): void {
  function again(): void {
    say(words.sendingAgain, "busy", { about: aboutOf(deed.rental) });
    begin(deed, what);
  }
  const line = lineOf(deed.me, deed.rental, deed.action);
  if (what.chosen !== undefined) choices.set(line, what.chosen);
  async function work(): Promise<Outcome> {
    const outcome = await sent(deed, what, again);
    // Days that somebody else has by now are chosen no longer.
    if (outcome === "ended" || outcome === "daysTaken") choices.delete(line);
    return outcome;
  }
  turns.take(line, WHAT, work, (outcome) => missed(deed, outcome, again));
}

/** `attend` is told how it went as long as the sheet is open, whichever time it was sent from. */
export function useSending(deed: Deed, attend: (outcome: Outcome) => void) {
  const busy = turns.useTurns(lineOf(deed.me, deed.rental, deed.action), attend) !== "";
  return { busy, send: (what: What): void => begin(deed, what) };
}
