// Saving and posting what the form holds: as a new favor, as the draft that it already is, or as a change of a posted one.
import { useRef, useState } from "react";
import { FavorAction, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { textOf, violationsOf } from "../../lib/errors";
import type { Errors } from "../../lib/fields";
import { createRequest, type FavorValues, updateRequest } from "./form";
import { type NewFavor, useCreateFavor, useTakeStep, useUpdateFavor } from "./queries";
import { words } from "./words";

/** The same key for the same contents, so that a second try after a lost answer makes no second favor. */
function useKeys(): (contents: string) => string {
  const last = useRef({ contents: "", key: "" });
  return (contents) => {
    if (last.current.contents !== contents)
      last.current = { contents, key: crypto.getRandomValues(new Uint32Array(4)).join("-") };
    return last.current.key;
  };
}

const fieldNames: Partial<Record<string, keyof FavorValues>> = {
  title: "title",
  description: "description",
  start_date: "start",
  confirmation_date: "confirmBy",
  tip: "tip",
  recipients: "recipients",
  recepients: "recipients",
};

/** What the server found wrong with single fields. */
function fieldErrorsOf(error: unknown): Errors<FavorValues> {
  const errors: Errors<FavorValues> = {};
  for (const { field, description } of violationsOf(error)) {
    const name = fieldNames[field.split(/[.[]/)[0] ?? ""];
    if (name !== undefined) errors[name] ??= description;
  }
  return errors;
}

type Saved = { ok: true; id: string } | { ok: false; text: string; fields: Errors<FavorValues> };

export function useSaving() {
  const create = useCreateFavor();
  const update = useUpdateFavor();
  const step = useTakeStep();
  const keyFor = useKeys();
  const [busy, setBusy] = useState<"draft" | "post" | null>(null);

  async function attempt(what: "draft" | "post", fallback: string, work: () => Promise<string>): Promise<Saved> {
    setBusy(what);
    try {
      return { ok: true, id: await work() };
    } catch (error) {
      const text = textOf(
        error,
        {
          NOT_A_FRIEND: words.notAFriend,
          START_IN_PAST: words.startInPast,
          WRONG_STATE: words.tooLate,
          NOT_FOUND: words.tooLate,
        },
        fallback,
      );
      return { ok: false, text, fields: fieldErrorsOf(error) };
    } finally {
      setBusy(null);
    }
  }

  async function created(favor: NewFavor): Promise<string> {
    const answer = await create.mutateAsync({
      favor,
      key: keyFor(JSON.stringify(favor, (_, v) => (typeof v === "bigint" ? String(v) : v))),
    });
    return answer.favor?.id ?? "";
  }

  async function changed(id: string, values: FavorValues): Promise<string> {
    await update.mutateAsync(updateRequest(id, values));
    return id;
  }

  return {
    busy,
    saveDraft: (draftId: string, values: FavorValues) =>
      attempt("draft", words.saveFailed, () =>
        draftId === "" ? created(createRequest(values, FavorStatus.DRAFT)) : changed(draftId, values),
      ),
    post: (draftId: string, values: FavorValues) =>
      attempt("post", draftId === "" ? words.createFailed : words.publishFailed, async () => {
        if (draftId === "") return created(createRequest(values, FavorStatus.ACTIVE));
        await changed(draftId, values);
        await step.mutateAsync({ id: draftId, action: FavorAction.PUBLISH });
        return draftId;
      }),
    update: (id: string, values: FavorValues) => attempt("draft", words.updateFailed, () => changed(id, values)),
  };
}
