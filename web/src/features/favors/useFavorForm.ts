// The state of a favor form, new or changed: what is typed and kept, what it stands for, what is under way, what happened elsewhere.
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Favor } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { type Errors, useFields } from "../../lib/fields";
import { hasReason } from "../../lib/errors";
import { forget } from "../../lib/kept";
import { say } from "../../ui/said";
import { blank, checkDraft, type FavorValues, isSame, valuesOf } from "./form";
import { useFavor } from "./laterQueries";
import { isUnderWay, type Outcome, useSaving, useUnderWay } from "./saving";
import { baseOf, type Held, heldOf, hold, isUnsaved, type Meanwhile, meanwhile, NOTHING, useHeld } from "./version";
import { formWords } from "./formWords";

const AS_IT_WAS: Meanwhile = { kind: "nothing" };

type Options = {
  me: string;
  form: string;
  /** The favor that is changed; absent in the form of a new one. */
  favor?: Favor;
  went: (outcome: Outcome & { ok: true }) => void;
  /** Hears how it went when the form was left meanwhile. */
  missed: (outcome: Outcome) => void;
};

/** What the form begins with: unsaved words that were kept, else the favor as it is now. */
function beginning(me: string, form: string, favor: Favor | undefined): Held {
  const held = heldOf(me, form);
  if (favor === undefined || isUnsaved(held)) return held;
  return { ...NOTHING, values: valuesOf(favor), base: baseOf(favor) };
}

/** What is held of a form that is left without unsaved words is of no use any more. */
function leave(me: string, form: string): void {
  if (!isUnsaved(heldOf(me, form)) && !isUnderWay(me, form)) forget(me, form);
}

export function useFavorForm({ me, form, favor, went, missed }: Options) {
  const [first] = useState(() => beginning(me, form, favor));
  const isEdit = favor !== undefined;
  useEffect(() => {
    if (!isEdit) return undefined;
    hold(me, form, first);
    return () => leave(me, form);
  }, [me, form, first, isEdit]);
  const fields = useFields<FavorValues>(first.values ?? blank(), (values): Errors<FavorValues> => checkDraft(values));
  const { values, show, replace } = fields;
  const { base, unsure, failed } = useHeld(me, form);
  const [isTried, setTried] = useState(false);
  const query = useFavor(base?.id ?? "");

  // Handed to what outlives this render, which tells the newest one.
  const attend = useRef<(outcome: Outcome) => void>(() => undefined);
  useEffect(() => {
    attend.current = (outcome) => {
      if (outcome.ok) return went(outcome);
      setTried(true);
      return show(outcome.fields);
    };
  });
  const underWay = useUnderWay(
    me,
    form,
    useCallback((outcome) => attend.current(outcome), []),
  );
  const save = useSaving(me, form, missed);

  // The page was loaded anew before the answer came: the same is sent once more, which makes no second favor, and tells how it went.
  const { sending } = first.failed?.page === performance.timeOrigin ? NOTHING : first;
  const resume = useEffectEvent(() => {
    if (sending !== null && !isUnderWay(me, form)) save(sending, values);
  });
  useEffect(() => resume(), []);

  useEffect(() => {
    const { values: before } = heldOf(me, form);
    const isTyped = before === null || !isSame(before, values);
    // What came of other words goes with them.
    hold(me, form, isTyped ? { values, failed: null } : { values });
  }, [me, form, values]);

  const adopt = useCallback(
    (known: Favor) => {
      replace(valuesOf(known));
      hold(me, form, { values: valuesOf(known), base: baseOf(known), failed: null });
    },
    [me, form, replace],
  );
  const keepWords = useCallback((known: Favor) => hold(me, form, { base: baseOf(known), failed: null }), [me, form]);

  const now = underWay === "" ? meanwhile(base, query.data, hasReason(query.error, "NOT_FOUND")) : AS_IT_WAS;
  const canAdopt = now.kind === "changed" || (isEdit && now.kind === "posted");
  const isUntouched = canAdopt && !isUnsaved({ values, base });
  const newer = now.kind === "touched" || canAdopt ? now.favor : undefined;
  useEffect(() => {
    if (newer === undefined) return;
    if (!isUntouched) {
      if (now.kind === "touched") hold(me, form, { base: baseOf(newer) });
      return;
    }
    adopt(newer);
    say(formWords.broughtUpToDate);
  }, [me, form, newer, now.kind, isUntouched, adopt]);

  const failure = underWay === "" ? failed : null;
  return {
    fields,
    base,
    underWay,
    failure,
    /** It is asked again what became of what the page before had sent. */
    isResuming: sending !== null && underWay !== "",
    /** The answer to the last try to make a favor was lost. */
    isUnsure: base === null && unsure !== null && underWay === "" && !(isTried && failure !== null),
    elsewhere: isUntouched || now.kind === "touched" ? AS_IT_WAS : now,
    adopt,
    keepWords,
    /** Forgets what was said of the last try. */
    hush: () => hold(me, form, { failed: null }),
    save,
  };
}
