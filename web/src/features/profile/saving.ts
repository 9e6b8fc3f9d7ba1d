// Saving the profile and its picture: one at a time, also when its screen is left; what came of it is told wherever the member is then.
import { useCallback } from "react";
import { hasReason, isUnreached, textOf } from "../../lib/errors";
import { violationsOf } from "../../lib/refusals";
import type { Errors } from "../../lib/fields";
import { session } from "../../lib/current";
import { createTurns } from "../../lib/turns";
import { Stopped, UploadFailed } from "../../lib/upload";
import { fileWords } from "../../ui/fileWords";
import { say } from "../../ui/said";
import { toast } from "../../ui/toast";
import { NoAnswer, useProfileApi } from "./deeds";
import type { ProfileValues } from "./fields";
import { changeOf, fieldOf, isChanged, isSame, valuesOf } from "./form";
import { drop, type Held, heldOf, hold, overtaken, type Unsaved } from "./kept";
import { pictureOf } from "./pending";
import { pictureWords, words } from "./words";

export const PATH = "/profile";

/** `saved`: the fields are, and the picture is not. Without a text the member has stopped it. */
type NotSaved = { ok: false; saved?: ProfileValues; fields: Errors<ProfileValues> } & Unsaved;
export type Outcome = { ok: true; values: ProfileValues } | NotSaved;

/** A page that is loaded anew loses its calls: so long one that failed may have been lost by that, and is not over for the next page. */
const UNLOAD_MS = 1000;

const turns = createTurns<Outcome>(({ ok }) => ok);

export const isUnderWay = (me: string): boolean => turns.underWay(me) !== "";
/** Whether something is under way; `attend` hears how it went as long as the form is shown. */
export const useUnderWay = (me: string, attend: (outcome: Outcome) => void): boolean =>
  turns.useTurns(me, attend) !== "";

function failureOf(error: unknown): NotSaved {
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

const PICTURE_TEXTS = {
  RATE_LIMITED: pictureWords.tooOften,
  INVALID_ARGUMENT: pictureWords.wrongUpload,
  TOO_LARGE: fileWords.tooLargeText,
  NOT_FOUND: pictureWords.expired,
};

/** What became of the picture where it was not saved. `others`: something else was. */
function pictureFailureOf(error: unknown, picture: string, saved: ProfileValues, others: boolean): NotSaved {
  const base = { ok: false, saved, fields: {}, isLost: false } as const;
  if (error instanceof Stopped) return { ...base, text: "" };
  const title = picture === "" ? pictureWords.deleteError : pictureWords.uploadError;
  const lost = picture === "" ? pictureWords.notRemoved : pictureWords.lost;
  const wasLost = error instanceof UploadFailed ? error.isLost : isUnreached(error) || hasReason(error, "NOT_FOUND");
  const said = error instanceof UploadFailed ? error.message || lost : textOf(error, PICTURE_TEXTS, lost);
  return { ...base, title, text: others ? pictureWords.othersSaved(said) : said, isLost: wasLost };
}

/** Nobody shows the form any more. */
function missed(outcome: Outcome): void {
  // Who has left is told nothing.
  if (session.get().kind === "signedOut") return undefined;
  if (outcome.ok) return say(words.saved);
  if (outcome.text === "") return undefined;
  const { title, text } = outcome;
  const failed = title === undefined ? { text: words.keptSaved(text) } : { title, text };
  return toast({ tone: "no", ...failed, to: { path: PATH, label: words.title } });
}

/** What stood there when it failed stays, with why. */
function keepFailed(me: string, { text, title, isLost }: NotSaved): void {
  const failed: Unsaved | null = text === "" ? null : { ...(title === undefined ? {} : { title }), text, isLost };
  const held = heldOf(me);
  // A member who has left leaves nothing behind.
  if (held === null || session.get().kind === "signedOut") return;
  hold(me, { ...held, isSending: isLost, failed });
  if (isLost) setTimeout(() => settle(me), UNLOAD_MS);
}

/** Whoever sees that it failed decides what becomes of it. */
function settle(me: string): void {
  const held = heldOf(me);
  if (held?.isSending === true && !isUnderWay(me)) hold(me, { ...held, isSending: false });
}

/** Whether something would be lost with what is kept. */
export function hasChanges(me: string): boolean {
  const held = heldOf(me);
  return held !== null && isChanged(held.values, held.base, pictureOf(me));
}

export function useSaving(me: string): (values: ProfileValues, base: ProfileValues) => void {
  const { update, setPicture, deletePicture } = useProfileApi();
  return useCallback(
    (values, base) => {
      const begin = (now: ProfileValues, over: ProfileValues): void =>
        hold(me, {
          values: now,
          base: over,
          both: overtaken(heldOf(me)),
          isSending: true,
          failed: null,
        } satisfies Held);

      /** The fields first: what is wrong with them is known at once. */
      async function saveFields(): Promise<ProfileValues> {
        if (isSame(values, base)) return base;
        const saved = valuesOf(await update(me, changeOf(values, base)));
        // A page that is loaded anew from here on has only the picture to send.
        begin(saved, saved);
        return saved;
      }

      function failed(outcome: NotSaved): NotSaved {
        keepFailed(me, outcome);
        return outcome;
      }

      async function work(): Promise<Outcome> {
        let saved: ProfileValues;
        try {
          saved = await saveFields();
        } catch (error) {
          return failed(failureOf(error));
        }
        const picture = pictureOf(me);
        try {
          if (picture === "") await deletePicture(me);
          else if (picture !== null) await setPicture(me, picture);
        } catch (error) {
          return failed(pictureFailureOf(error, picture ?? "", saved, !isSame(values, base)));
        }
        drop(me);
        return { ok: true, values: saved };
      }

      begin(values, base);
      turns.take(me, "save", work, missed);
    },
    [me, update, setPicture, deletePicture],
  );
}
