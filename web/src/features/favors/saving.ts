// Saving and posting what a form holds: as a new favor, as the draft that it already is, or as a change of a posted one.
import { useMemo } from "react";
import { type Favor, FavorAction, FavorStatus, RequestType } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { hasReason, isUnreached, textOf } from "../../lib/errors";
import { violationsOf } from "../../lib/refusals";
import type { Errors } from "../../lib/fields";
import { mayKeep } from "../../lib/keeping";
import { forget } from "../../lib/kept";
import { byKey, newKey } from "../../lib/keys";
import { createTurns } from "../../lib/turns";
import { createRequest, type FavorValues, isSame, isSentAs, updateRequest } from "./form";
import { type FavorsApi, useFavorsApi } from "./deeds";
import { noteDone } from "./done";
import {
  type Base,
  baseOf,
  type Deed,
  type Held,
  heldOf,
  hold,
  isOurs,
  type Try,
  type Unsent,
  type Unsure,
} from "./version";
import { formWords } from "./formWords";
import { words } from "./words";

export type Outcome =
  | { ok: true; deed: Deed; id: string; isPublic: boolean }
  | (Unsent & { ok: false; fields: Errors<FavorValues> });

/** A page that is loaded anew loses its calls: so long one that failed may have been lost by that, and is not over for the next page. */
const UNLOAD_MS = 1000;

const turns = createTurns<Outcome>(({ ok }) => ok);
const lineOf = (me: string, form: string): string => `${me} ${form}`;

/** The deeds that are under way; `attend` hears how each went as long as the form is shown. */
export const useUnderWay = (me: string, form: string, attend: (outcome: Outcome) => void): string =>
  turns.useTurns(lineOf(me, form), attend);
export const isUnderWay = (me: string, form: string): boolean => turns.underWay(lineOf(me, form)) !== "";
export const allDone = (me: string, form: string): Promise<void> => turns.idle(lineOf(me, form));

const fieldNames: Partial<Record<string, keyof FavorValues>> = {
  title: "title",
  description: "description",
  start_date: "start",
  confirmation_date: "confirmBy",
  tip: "tip",
  recipients: "recipients",
  recepients: "recipients",
  group_ids: "recipients",
  location: "location",
  request_type: "isPublic",
  max_responses: "maxResponses",
};

/** What the server found wrong with single fields. */
function fieldErrorsOf(error: unknown): Errors<FavorValues> {
  const errors: Errors<FavorValues> = {};
  for (const { field, description } of violationsOf(error)) {
    const name = fieldNames[field.split(/[.[]/)[0] ?? ""];
    if (name !== undefined) errors[name] ??= hasReason(error, "NOT_FOUND") ? formWords.groupGone : description;
  }
  return errors;
}

const failedWords = { draft: formWords.saveFailed, update: words.updateFailed } as const;

function failureOf(deed: Deed, isNew: boolean, error: unknown): Outcome & { ok: false } {
  const fallback = deed === "post" ? (isNew ? formWords.createFailed : words.publishFailed) : failedWords[deed];
  const isGroup = violationsOf(error).some(({ field }) => field.startsWith("group"));
  const known = {
    NOT_A_FRIEND: formWords.notAFriend,
    START_IN_PAST: words.startInPast,
    WRONG_STATE: words.tooLate,
    NOT_FOUND: isGroup ? formWords.groupGone : words.favorGone,
    CONFLICT: formWords.changedElsewhere,
  };
  const page = performance.timeOrigin;
  if (error instanceof AlreadyPosted)
    return { ok: false, deed, text: formWords.postedAlready, isLost: false, page, fields: {} };
  const isLost = isUnreached(error);
  return { ok: false, deed, text: textOf(error, known, fallback), isLost, page, fields: fieldErrorsOf(error) };
}

/** A draft is wanted of what an earlier try has posted. */
class AlreadyPosted extends Error {}

type Api = Pick<FavorsApi, "client" | "show" | "owns">;

/** The calls for one form of one member. Where the form stands is read and kept at every step, since its screen may be gone. */
function writer(me: string, form: string, { client, show, owns }: Api) {
  const held = (): Held => heldOf(me, form);

  function become(next: Partial<Held>): void {
    if (mayKeep(me, form)) hold(me, form, next);
  }

  function took(favor: Favor | undefined): Favor {
    if (favor === undefined) throw new Error("the answer holds no favor");
    become({ base: baseOf(favor), unsure: null });
    show(favor);
    return favor;
  }

  async function create(key: string, { values, draft }: Try): Promise<Favor> {
    const status = draft ? FavorStatus.DRAFT : FavorStatus.ACTIVE;
    const answer = await client.createFavor(createRequest(values, status), byKey(key));
    const favor = took(answer.favor);
    owns(favor);
    return favor;
  }

  /** The try that arrived although its answer was lost: by its key it is told again, and nothing is done. */
  async function arrived({ key, tries }: Unsure, refusal: unknown): Promise<Favor> {
    for (const one of tries) {
      try {
        return await create(key, one);
      } catch (error) {
        if (!hasReason(error, "IDEMPOTENCY_KEY_REUSED")) throw error;
      }
    }
    become({ unsure: null });
    throw refusal;
  }

  /**
   * Makes the favor as it is wanted now, under the key of the tries before: where none of them arrived, this one alone counts. `isEarlier`:
   * another one had arrived.
   */
  async function made(values: FavorValues, draft: boolean): Promise<{ favor: Favor; isEarlier: boolean }> {
    const before = held().unsure ?? { key: newKey(), tries: [] };
    const isThis = (one: Try): boolean => one.draft === draft && isSame(one.values, values);
    const mine = before.tries.find(isThis) ?? { draft, values };
    const others = { ...before, tries: before.tries.filter((one) => !isThis(one)) };
    become({ base: null, unsure: { ...before, tries: [...others.tries, mine] } });
    try {
      return { favor: await create(before.key, mine), isEarlier: false };
    } catch (error) {
      if (hasReason(error, "IDEMPOTENCY_KEY_REUSED")) return { favor: await arrived(others, error), isEarlier: true };
      if (!isUnreached(error)) become({ unsure: others.tries.length === 0 ? null : others });
      throw error;
    }
  }

  async function send(base: Base, values: FavorValues): Promise<Favor> {
    become({ base: { ...base, sent: values } });
    const change = updateRequest(base.id, values, base.values, !base.draft);
    return took((await client.updateFavor({ ...change, etag: base.etag })).favor);
  }

  /** `deed` may have been done already, when its answer was lost. */
  async function changed(deed: Deed, base: Base, values: FavorValues): Promise<Favor> {
    try {
      return await send(base, values);
    } catch (error) {
      if (!hasReason(error, "CONFLICT")) throw error;
      const { favor } = await client.getFavor({ id: base.id });
      if (favor === undefined) throw error;
      show(favor);
      const newer = baseOf(favor);
      const mayEdit = favor.allowedActions.includes(FavorAction.EDIT);
      if (mayEdit && deed === "post" && !newer.draft && isSentAs(newer.values, values)) return took(favor);
      const isOpen = mayEdit && newer.draft === base.draft;
      // Somebody answered, say: nothing that the form would overwrite.
      if (!isOpen || !isOurs(newer.values, base)) throw error;
      return send(newer, values);
    }
  }

  async function published(favor: Favor): Promise<Favor> {
    if (favor.status !== FavorStatus.DRAFT) return favor;
    const { id, etag } = favor;
    return took((await client.publishFavor({ id, etag })).favor);
  }

  const publishedFor = (deed: Deed, favor: Favor): Promise<Favor> | Favor =>
    deed === "post" ? published(favor) : favor;

  async function done(deed: Deed, values: FavorValues): Promise<Favor> {
    const draft = deed === "draft";
    const { base } = held();
    if (base !== null) return publishedFor(deed, await changed(deed, base, values));
    const { favor, isEarlier } = await made(values, draft);
    if (!isEarlier) return publishedFor(deed, favor);
    // What is posted does not become a draft again.
    if (draft && favor.status !== FavorStatus.DRAFT) throw new AlreadyPosted();
    return publishedFor(deed, await changed(deed, baseOf(favor), values));
  }

  /** Nothing is under way any more; another deed that waits for this one is. */
  function ended(deed: Deed | null): void {
    const { sending } = held();
    if (sending !== null && (deed === null || sending === deed)) become({ sending: null });
  }

  return async (deed: Deed, values: FavorValues): Promise<Outcome> => {
    const isNew = held().base === null;
    try {
      const { id, requestType } = await done(deed, values);
      const isPublic = requestType === RequestType.PUBLIC;
      if (deed === "draft") ended(deed);
      else {
        noteDone(me, { deed, id, isPublic });
        forget(me, form);
      }
      return { ok: true, deed, id, isPublic };
    } catch (error) {
      const outcome = failureOf(deed, isNew, error);
      const { text, isLost, page } = outcome;
      become({ failed: { deed, text, isLost, page } });
      if (isUnreached(error)) setTimeout(() => !isUnderWay(me, form) && ended(null), UNLOAD_MS);
      else ended(null);
      return outcome;
    }
  };
}

/** Does something with a form, in its turn. `missed` hears how it went when the form was left meanwhile. */
export function useSaving(me: string, form: string, missed: (outcome: Outcome) => void) {
  const { client, show, owns, touched } = useFavorsApi();
  return useMemo(() => {
    const write = writer(me, form, { client, show, owns });
    return (deed: Deed, values: FavorValues): void => {
      hold(me, form, { sending: deed, failed: null });
      turns.take(
        lineOf(me, form),
        deed,
        async () => {
          const outcome = await write(deed, values);
          touched(outcome.ok ? outcome.id : (heldOf(me, form).base?.id ?? ""));
          return outcome;
        },
        missed,
      );
    };
  }, [me, form, client, show, owns, touched, missed]);
}
