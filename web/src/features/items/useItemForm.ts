// The state of the form of an item, new or changed: what is typed and kept, what is under way, what happened elsewhere.
import { useCallback, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type { Item } from "../../gen/later/goodturn/items/v1/items_service_pb";
import type { Errors } from "../../lib/fields";
import { confirmed } from "../../ui/confirm";
import { say } from "../../ui/said";
import { changedFields, check, type ItemValues, valuesOf } from "./form";
import { formWords } from "./formWords";
import { drop, type Held, heldOf, hold, isUnsaved, NOTHING, useHeld } from "./kept";
import { chosenOf, unchooseAll } from "./pictures";
import { isUnderWay, type Outcome, useSaving, useUnderWay } from "./saving";

type Options = { me: string; item?: Item; went: (outcome: Outcome & { ok: true }) => void };

/** What the form begins with: unsaved words that were kept, else the item as it is now. */
function beginning(me: string, item: Item | undefined): Held {
  const held = heldOf(me, item?.itemId ?? "");
  if (item === undefined || (held.base !== null && isUnsaved(held))) return held;
  const values = valuesOf(item);
  return { ...NOTHING, values, base: values };
}

/** Whether there is nothing that would be lost, or the member does not want to keep it. What is under way goes on. */
export async function mayDiscard(me: string, id: string): Promise<boolean> {
  const held = heldOf(me, id);
  const pictures = id === "" ? chosenOf(me, id).length : 0;
  if (isUnderWay(me, id) || (!isUnsaved(held) && pictures === 0)) return true;
  const { text, ...discard } = formWords.discard;
  const question = { ...discard, text: held.tries.length > 0 ? formWords.discardSent : text, destructive: true };
  if (!(await confirmed({ ...question, about: held.values.title.trim() }))) return false;
  drop(me, id);
  if (id === "") unchooseAll(me, id);
  return true;
}

export function useItemForm({ me, item, went }: Options) {
  const id = item?.itemId ?? "";
  const [first] = useState(() => beginning(me, item));
  useEffect(() => {
    if (id !== "") hold(me, id, first);
    return () => {
      // What is left without unsaved words is of no use any more.
      if (id !== "" && !isUnsaved(heldOf(me, id)) && !isUnderWay(me, id)) drop(me, id);
    };
  }, [me, id, first]);
  const kept = useHeld(me, id);
  const held = id !== "" && kept.base === null ? first : kept;
  const { values, base } = held;
  const [wrong, setWrong] = useState<Errors<ItemValues>>({});
  const form = useId();
  const idOf = (field: keyof ItemValues): string => `${form}-${field}`;

  function show(errors: Errors<ItemValues>): void {
    setWrong(errors);
    const names = Object.keys(errors) as (keyof ItemValues)[];
    const at = names.find((name) => errors[name] !== undefined);
    if (at !== undefined) document.getElementById(idOf(at))?.focus();
  }

  // Handed to what outlives this render, which tells the newest one.
  const attend = useRef<(outcome: Outcome) => void>(() => undefined);
  useEffect(() => {
    attend.current = (outcome) => {
      // Until the next render no field can have the focus.
      if (!outcome.ok) return void setTimeout(() => show(outcome.fields));
      return went(outcome);
    };
  });
  const isBusy = useUnderWay(
    me,
    id,
    useCallback((outcome) => attend.current(outcome), []),
  );
  const save = useSaving(me, id);

  // The page was loaded anew before the answer came: the same is sent once more, which does nothing twice, and tells how it went.
  const resume = useEffectEvent(() => {
    if (first.isSending && !isUnderWay(me, id)) save();
  });
  useEffect(() => resume(), []);

  const now = item === undefined ? undefined : valuesOf(item);
  const changed = now === undefined || base === null || isBusy ? [] : changedFields(now, base);
  // What is the same by now is in nobody's way: it may be what was saved here, and not answered.
  const differs = now === undefined ? [] : changedFields(values, now);
  const mine = base === null ? [] : changedFields(values, base).filter((name) => differs.includes(name));
  const isUntouched = changed.every((name) => !mine.includes(name));
  // Nobody has typed over what changed elsewhere: it is as it is now, and what was typed in other fields stays.
  const follow = useEffectEvent(() => {
    if (now === undefined || base === null) return;
    const typed = Object.fromEntries(mine.map((name) => [name, values[name]]));
    const isDone = differs.length === 0;
    hold(me, id, { values: { ...now, ...typed }, base: now, ...(isDone ? { failed: null } : {}) });
    // It went well, and only its answer was lost.
    if (isDone && held.failed?.isLost === true) say(formWords.updated);
  });
  const newer = isUntouched && changed.length > 0 ? JSON.stringify(now) : "";
  useEffect(() => {
    if (newer !== "") follow();
  }, [newer]);

  const become = (next: Partial<Held>): void => hold(me, id, { ...held, isSending: false, failed: null, ...next });

  return {
    id,
    idOf,
    values,
    wrong,
    isBusy,
    listed: held.listed,
    /** The item that a new one has become, where it is there and not all is done. */
    made: held.made,
    failed: isBusy ? null : held.failed,
    /** So many pictures were chosen before the page was loaded anew. */
    lostPictures: id === "" && !isBusy && chosenOf(me, "").length === 0 ? held.pictures : 0,
    /** The fields that were typed over and changed elsewhere. */
    elsewhere: isUntouched ? [] : changed.filter((name) => mine.includes(name)),
    isUnsaved: isUnsaved(held),
    type(part: Partial<ItemValues>): void {
      become({ values: { ...values, ...part } });
      setWrong((was) => ({ ...was, ...Object.fromEntries(Object.keys(part).map((field) => [field, undefined])) }));
    },
    leave(field: keyof ItemValues): void {
      if (values[field] !== "") setWrong((was) => ({ ...was, [field]: check(values)[field] }));
    },
    list: (listed: boolean): void => become({ listed }),
    tellPictures: (pictures: number): void => {
      if (heldOf(me, id).pictures !== pictures) hold(me, id, { pictures });
    },
    load: (): void => {
      if (now !== undefined) become({ values: now, base: now });
    },
    send(): void {
      if (isBusy) return;
      const errors = check(values);
      show(errors);
      if (Object.keys(errors).length === 0) {
        if (id !== "" && now !== undefined && changed.length > 0) hold(me, id, { base: now });
        save();
      }
    },
  };
}

export type ItemFormState = ReturnType<typeof useItemForm>;
