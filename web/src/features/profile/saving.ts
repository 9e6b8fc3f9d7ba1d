// Saving the profile: one at a time, also when its screen is left; what came of it is told wherever the member is then.
import { useCallback } from "react";
import { isUnreached, textOf, violationsOf } from "../../lib/errors";
import type { Errors } from "../../lib/fields";
import { session } from "../../lib/current";
import { createTurns } from "../../lib/turns";
import { say } from "../../ui/said";
import { toast } from "../../ui/toast";
import { NoAnswer, useProfileApi } from "./deeds";
import type { ProfileValues } from "./fields";
import { changeOf, fieldOf, valuesOf } from "./form";
import { drop, type Held, heldOf, hold, type Unsaved } from "./kept";
import { words } from "./words";

export const PATH = "/profile";

export type Outcome = { ok: true; values: ProfileValues } | ({ ok: false; fields: Errors<ProfileValues> } & Unsaved);

/** A page that is loaded anew loses its calls: so long one that failed may have been lost by that, and is not over for the next page. */
const UNLOAD_MS = 1000;

const turns = createTurns<Outcome>(({ ok }) => ok);

export const isUnderWay = (me: string): boolean => turns.underWay(me) !== "";
/** Whether something is under way; `attend` hears how it went as long as the form is shown. */
export const useUnderWay = (me: string, attend: (outcome: Outcome) => void): boolean =>
  turns.useTurns(me, attend) !== "";

function failureOf(error: unknown): Outcome & { ok: false } {
  const fields: Errors<ProfileValues> = {};
  for (const { field, description } of violationsOf(error)) {
    const name = fieldOf(field);
    // The documents have a sentence for each of these.
    const known = { firstName: words.needNames, lastName: words.needNames, phone: words.badPhone };
    if (name !== undefined) fields[name] ??= name in known ? known[name as keyof typeof known] : description;
  }
  const known = { NOT_FOUND: words.noUser, NOT_YOURS: words.noUser, NOT_AUTHORIZED: words.signInAgain };
  const text = error instanceof NoAnswer ? words.noAnswer : textOf(error, known, words.saveFailed);
  return { ok: false, fields, text, isLost: isUnreached(error) && !(error instanceof NoAnswer) };
}

/** Nobody shows the form any more. */
function missed(outcome: Outcome): void {
  if (outcome.ok) return say(words.saved);
  return toast({ tone: "no", text: words.keptSaved(outcome.text), to: { path: PATH, label: words.title } });
}

/** What stood there when it failed stays, with why. */
function keepFailed(me: string, failed: Unsaved): void {
  const become = (isSending: boolean): void => {
    const held = heldOf(me);
    // A member who has left leaves nothing behind.
    if (held !== null && session.get().kind !== "signedOut") hold(me, { ...held, isSending, failed });
  };
  become(failed.isLost);
  if (failed.isLost) setTimeout(() => !isUnderWay(me) && heldOf(me)?.failed !== null && become(false), UNLOAD_MS);
}

export function useSaving(me: string): (values: ProfileValues, base: ProfileValues) => void {
  const { update } = useProfileApi();
  return useCallback(
    (values, base) => {
      hold(me, { values, base, isSending: true, failed: null } satisfies Held);
      const work = async (): Promise<Outcome> => {
        try {
          const saved = valuesOf(await update(changeOf(values, base)));
          drop(me);
          return { ok: true, values: saved };
        } catch (error) {
          const failed = failureOf(error);
          keepFailed(me, { text: failed.text, isLost: failed.isLost });
          return failed;
        }
      };
      turns.take(me, "save", work, missed);
    },
    [me, update],
  );
}
