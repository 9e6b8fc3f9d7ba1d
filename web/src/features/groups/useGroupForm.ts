// The state of the form of a group: what is typed and kept, the group that it stands for, what is under way, what happened elsewhere.
import { useCallback, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type { Group } from "../../gen/goodturn/groups/v1/groups_service_pb";
import type { Errors } from "../../lib/fields";
import { useLayer } from "../../lib/layers";
import { confirmed } from "../../ui/confirm";
import { say } from "../../ui/said";
import { amongFriends, check, type GroupValues, isSame, valuesOf } from "./form";
import { drop, type Held, heldOf, hold, isUnsaved, NOTHING, useHeld } from "./kept";
import type { Circle } from "./queries";
import { isUnderWay, type Outcome, useSaving, useUnderWay } from "./saving";
import { words } from "./words";

/** What became elsewhere of the group that is edited. */
type Meanwhile = { kind: "nothing" } | { kind: "gone" } | { kind: "changed"; now: GroupValues };

/** For which group the form is open, empty for a new one, and why: words were kept in it, or a button was pressed. */
type Opened = { id: string; by: "kept" | "pressed" };

const isKept = (held: Held): boolean => held.id !== "" || held.isSending || isUnsaved(held);

export function useGroupForm(me: string, { friends, groups }: Circle) {
  const held = useHeld(me);
  const [opened, setOpened] = useState<Opened | null>(() => (isKept(held) ? { id: held.id, by: "kept" } : null));
  // The form of the first group is always open.
  const isFirst = groups.length === 0;
  const isOpened = opened?.id === held.id;
  const [wrong, setWrong] = useState<Errors<GroupValues>>({});
  const form = useId();
  const idOf = (field: keyof GroupValues): string => `${form}-${field}`;
  const [values, base] = [amongFriends(held.values, friends), amongFriends(held.base, friends)];
  const isEdit = held.id !== "";
  const edited = groups.find(({ groupId }) => groupId === held.id);
  const current = edited && amongFriends(valuesOf(edited), friends);

  function show(errors: Errors<GroupValues>): void {
    setWrong(errors);
    const first = (["name", "friends"] as const).find((field) => errors[field] !== undefined);
    if (first !== undefined) document.getElementById(idOf(first))?.focus();
  }

  // Handed to what outlives this render, which tells the newest one.
  const attend = useRef<(outcome: Outcome) => void>(() => undefined);
  useEffect(() => {
    attend.current = (outcome) => {
      if (outcome.ok) setOpened(null);
      else setOpened((was) => was ?? { id: heldOf(me).id, by: "kept" });
      // Until the next render no field can have the focus.
      if (!outcome.ok) return void setTimeout(() => show(outcome.fields));
      return say(outcome.isNew ? words.created : words.updated);
    };
  });
  const isBusy = useUnderWay(
    me,
    useCallback((outcome) => attend.current(outcome), []),
  );
  const save = useSaving(me);

  // The page was loaded anew before the answer came: the same is sent once more, which does nothing twice, and tells how it went. Over what
  // became of the group elsewhere it is not sent before the member was asked.
  const resume = useEffectEvent(() => {
    const first = heldOf(me);
    if (!first.isSending || isUnderWay(me)) return;
    const isAsItWas = current !== undefined && (isSame(current, base) || isSame(current, values));
    if (first.id === "" || isAsItWas) save(first);
    else hold(me, { ...first, isSending: false });
  });
  useEffect(() => resume(), []);

  const become = (next: GroupValues, over = held.base): void =>
    hold(me, { ...held, values: next, base: over, key: "", isSending: false, failed: null });

  function end(): void {
    drop(me);
    setWrong({});
    setOpened(null);
  }

  function meanwhile(): Meanwhile {
    if (!isEdit || isBusy) return { kind: "nothing" };
    if (current === undefined) return { kind: "gone" };
    // An own change whose answer was lost is none of elsewhere.
    return isSame(current, base) || isSame(current, values) ? { kind: "nothing" } : { kind: "changed", now: current };
  }
  const elsewhere = meanwhile();
  const arrived =
    isEdit && !isBusy && current !== undefined && !isSame(current, base) && isSame(current, values)
      ? current
      : undefined;
  const rebase = useEffectEvent(() => arrived && hold(me, { ...heldOf(me), base: arrived }));
  const hasArrived = arrived !== undefined;
  useEffect(() => {
    if (hasArrived) rebase();
  }, [hasArrived]);
  const isUntouched = isSame(values, base);
  // What nobody has typed over is as it is now.
  const follow = useEffectEvent(() => {
    if (elsewhere.kind === "nothing") return;
    if (elsewhere.kind === "gone") drop(me);
    else become(elsewhere.now, elsewhere.now);
    say(elsewhere.kind === "gone" ? words.gone : words.broughtUpToDate, "idle");
  });
  const newer = isUntouched && elsewhere.kind !== "nothing" ? JSON.stringify(elsewhere) : "";
  useEffect(() => {
    if (newer !== "") follow();
  }, [newer]);

  const mayDiscard = async (): Promise<boolean> =>
    isUntouched || confirmed({ ...words.discard, about: values.name.trim(), destructive: true });

  // Typed words stay kept: the button opens the form again.
  useLayer(isOpened && opened.by === "pressed" && !isFirst, () => (isUntouched ? end() : setOpened(null)));

  return {
    idOf,
    isOpen: isFirst || isOpened,
    /** Whether there is something else than the form. */
    isClosable: !isFirst,
    open: (): void => setOpened({ id: held.id, by: "pressed" }),
    values,
    searched: held.search,
    wrong,
    isEdit,
    id: held.id,
    /** How the group is called that is edited. */
    name: held.base.name,
    isBusy,
    isReady: Object.keys(check(values)).length === 0,
    failed: isBusy ? null : held.failed,
    elsewhere: isUntouched ? ({ kind: "nothing" } satisfies Meanwhile) : elsewhere,
    type(part: Partial<GroupValues>): void {
      become({ ...values, ...part });
      // Another tab may make a group meanwhile.
      if (!isOpened) setOpened({ id: held.id, by: "kept" });
      setWrong((was) => ({ ...was, ...Object.fromEntries(Object.keys(part).map((field) => [field, undefined])) }));
    },
    /** It changes nothing of the group. */
    search: (text: string): void => hold(me, { ...held, search: text }),
    leaveName(): void {
      if (values.name !== "") setWrong((was) => ({ ...was, name: check(values).name }));
    },
    send(): void {
      if (isBusy) return;
      const errors = check(values);
      show(errors);
      if (Object.keys(errors).length === 0) save({ ...held, values });
    },
    async edit(group: Group): Promise<boolean> {
      if (isBusy || !(await mayDiscard())) return false;
      const now = valuesOf(group);
      hold(me, { ...NOTHING, id: group.groupId, values: now, base: now });
      setWrong({});
      setOpened({ id: group.groupId, by: "pressed" });
      return true;
    },
    /** Leaves what is edited, or what is typed for a new one. */
    async cancel(): Promise<void> {
      if (!isBusy && (await mayDiscard())) end();
    },
    /** The group that is edited was deleted here. */
    forget(id: string): void {
      if (heldOf(me).id === id && !isUnsaved(heldOf(me))) drop(me);
    },
    asNew(): void {
      hold(me, { ...NOTHING, values });
      setOpened({ id: "", by: "kept" });
    },
    load: (now: GroupValues): void => become(now, now),
    keep: (now: GroupValues): void => become(values, now),
    discard: end,
  };
}

export type GroupFormState = ReturnType<typeof useGroupForm>;
