// Making and changing a group: one at a time, also when its tab is left; what came of it is told wherever the member is then.
import { useCallback } from "react";
import { isUnreached, type Reason, textOf } from "../../lib/errors";
import { violationsOf } from "../../lib/refusals";
import type { Errors } from "../../lib/fields";
import { session } from "../../lib/current";
import { newKey } from "../../lib/keys";
import { createTurns } from "../../lib/turns";
import { toast } from "../../ui/toast";
import { useGroupsApi } from "./deeds";
import type { GroupValues } from "./form";
import { drop, type Held, heldOf, hold, type Unsaved } from "./kept";
import { words } from "./words";

export const PATH = "/friends/groups";

export type Outcome = { ok: true; isNew: boolean } | ({ ok: false; fields: Errors<GroupValues> } & Unsaved);

/** A page that is loaded anew loses its calls: so long one that failed may have been lost by that, and is not over for the next page. */
const UNLOAD_MS = 1000;

const turns = createTurns<Outcome>(({ ok }) => ok);

export const isUnderWay = (me: string): boolean => turns.underWay(me) !== "";
/** Whether something is under way; `attend` hears how it went as long as the form is shown. */
export const useUnderWay = (me: string, attend: (outcome: Outcome) => void): boolean =>
  turns.useTurns(me, attend) !== "";

const WHY: Partial<Record<Reason, string>> = {
  NAME_TAKEN: words.why.nameTaken,
  NOT_A_FRIEND: words.why.notAFriend,
  LIMIT_REACHED: words.why.limitReached,
  NOT_FOUND: words.why.gone,
};

/** What is said of the name where the server found it wrong; of the friends it says who they are. */
function fieldsOf(error: unknown): Errors<GroupValues> {
  const fields: Errors<GroupValues> = {};
  for (const { field, description } of violationsOf(error)) {
    if (field.startsWith("group")) fields.name ??= textOf(error, { NAME_TAKEN: words.why.nameTaken }, description);
    else fields.friends ??= textOf(error, { NOT_A_FRIEND: words.why.notAFriend }, description);
  }
  return fields;
}

function failureOf(isNew: boolean, error: unknown): Outcome & { ok: false } {
  const why = textOf(error, WHY, "");
  const by = isNew ? words.createFailedBy : words.updateFailedBy;
  const text = why === "" ? (isNew ? words.createFailed : words.updateFailed) : by(why);
  return { ok: false, fields: fieldsOf(error), text, isLost: isUnreached(error) };
}

/** Nobody shows the form any more. */
function missed(outcome: Outcome): void {
  if (outcome.ok) return toast({ text: outcome.isNew ? words.created : words.updated });
  return toast({ tone: "no", text: words.notSent(outcome.text), to: { path: PATH, label: words.title } });
}

/** What stood there when it failed stays, with why. */
function keepFailed(me: string, failed: Unsaved): void {
  const become = (isSending: boolean): void => {
    // A member who has left leaves nothing behind.
    if (session.get().kind !== "signedOut") hold(me, { ...heldOf(me), isSending, failed });
  };
  become(failed.isLost);
  if (failed.isLost) setTimeout(() => !isUnderWay(me) && heldOf(me).failed !== null && become(false), UNLOAD_MS);
}

export function useSaving(me: string): (held: Held) => void {
  const { create, update } = useGroupsApi();
  return useCallback(
    (held) => {
      const isNew = held.id === "";
      const sent: Held = { ...held, key: held.key || newKey(), isSending: true, failed: null };
      hold(me, sent);
      const work = async (): Promise<Outcome> => {
        try {
          await (isNew ? create(sent.values, sent.key) : update(sent.id, sent.values));
          drop(me);
          return { ok: true, isNew };
        } catch (error) {
          const outcome = failureOf(isNew, error);
          keepFailed(me, { text: outcome.text, isLost: outcome.isLost });
          return outcome;
        }
      };
      turns.take(me, "save", work, missed);
    },
    [me, create, update],
  );
}
