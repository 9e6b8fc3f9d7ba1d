// What is sent from the sheet of a rental, once however often it is tried: it goes on when the sheet is closed, which is locked until then where it is
// opened again.
import type { Rental } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { createTurns } from "../../lib/turns";
import { say } from "../../ui/said";
import type { Step } from "./deeds";
import { aboutOf, saysMore, type SheetAction, type Steps, wordsOf } from "./steps";
import { handoverWords } from "./words";

/** `ended`: nothing is left to be done in the sheet. The others say why it was not: for a picture, for days that somebody else has by now, or for what was said. */
export type Outcome = "ended" | "lost" | "unreadable" | "daysTaken" | "failed";

const WHAT = "send";
const turns = createTurns<Outcome>((outcome) => outcome === "ended");

export const lineOf = (me: string, { requestId }: Rental, action: SheetAction): string =>
  `${me} ${requestId} ${action}`;

type Deed = { rental: Rental; action: SheetAction; me: string; steps: Steps };
type Goes = Omit<Step, "rental" | "action">;
type What = {
  /** What goes along, as it stands when it is sent, also by a later try; else why a picture could not be sent. */
  goes: () => Promise<Goes | "lost" | "unreadable">;
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
  if (outcome === "unreadable") say(handoverWords.notNoted, "no", { about });
}

function begin(deed: Deed, what: What): void {
  const again = (): void => begin(deed, what);
  turns.take(
    lineOf(deed.me, deed.rental, deed.action),
    WHAT,
    () => sent(deed, what, again),
    (outcome) => missed(deed, outcome, again),
  );
}

/** `attend` is told how it went as long as the sheet is open, whichever time it was sent from. */
export function useSending(deed: Deed, attend: (outcome: Outcome) => void) {
  const busy = turns.useTurns(lineOf(deed.me, deed.rental, deed.action), attend) !== "";
  return { busy, send: (what: What): void => begin(deed, what) };
}
