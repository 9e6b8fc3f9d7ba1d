// The state of Edit Profile: what is typed, chosen and kept, the profile it is typed over, what is under way, what was changed elsewhere.
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { Profile } from "../../gen/goodturn/profile/v1/profile_service_pb";
import { useFields } from "../../lib/fields";
import { say } from "../../ui/said";
import type { Field } from "./fields";
import { check, isChanged, isSame, merged, valuesOf } from "./form";
import { drop, dropWords, heldOf, hold, overtaken, useHeld } from "./kept";
import { keepPicture, dropPicture, usePicture } from "./pending";
import { isUnderWay, type Outcome, useSaving, useUnderWay } from "./saving";
import { pictureWords, words } from "./words";

export function useProfileForm(me: string, profile: Profile) {
  const known = useMemo(() => valuesOf(profile), [profile]);
  const [first] = useState(() => heldOf(me));
  const fields = useFields(first?.values ?? known, check);
  const { values, replace, show } = fields;
  const [base, setBase] = useState(first?.base ?? known);
  /** What was typed here and has become something else elsewhere meanwhile. */
  const [both, setBoth] = useState<readonly Field[]>(overtaken(first));
  const failed = useHeld(me)?.failed ?? null;
  const picture = usePicture(me);
  const isDirty = isChanged(values, base, picture);

  /** The profile that was compared with what is typed. */
  const [seen, see] = useState(first === null ? known : null);

  function adopt(next: typeof known): void {
    replace(next);
    setBase(next);
    setBoth([]);
    // What was known before an answer is older.
    see(known);
    dropWords(me);
  }

  function attendFailure({ saved, fields: wrong, text }: Outcome & { ok: false }): void {
    if (saved !== undefined) {
      replace(saved);
      setBase(saved);
      setBoth([]);
      see(known);
    }
    // Until the next render no field can have the focus.
    else setTimeout(() => show(wrong));
    if (text === "") say(pictureWords.stopped, "idle");
  }

  // Handed to what outlives this render, which tells the newest one.
  const attend = useRef<(outcome: Outcome) => void>(() => undefined);
  useEffect(() => {
    attend.current = (outcome) => {
      if (!outcome.ok) return attendFailure(outcome);
      adopt(outcome.values);
      return say(words.saved);
    };
  });
  const isBusy = useUnderWay(
    me,
    useCallback((outcome) => attend.current(outcome), []),
  );
  const save = useSaving(me);

  // The page was loaded anew before the answer came: the same is sent once more, which changes nothing twice, and tells how it went.
  const resume = useEffectEvent(() => {
    if (first?.isSending === true && !isUnderWay(me)) save(first.values, first.base);
  });
  useEffect(() => resume(), []);

  useEffect(() => {
    if (isUnderWay(me)) return;
    if (!isChanged(values, base, picture)) return drop(me);
    const before = heldOf(me);
    // What came of other words goes with them.
    const hasFailed = before !== null && isSame(before.values, values);
    return hold(me, { values, base, both, isSending: false, failed: hasFailed ? before.failed : null });
  }, [me, values, base, both, picture]);

  /** What came of another picture goes with it. Null keeps the saved one. */
  function choose(next: string | null): void {
    const held = heldOf(me);
    if (held !== null) hold(me, { ...held, failed: null });
    if (next === null) dropPicture(me);
    else keepPicture(me, next);
  }

  // What came meanwhile is taken over where nothing was typed; an answer that is on its way comes first.
  const [times, countTimes] = useState(0);
  if (seen !== known && !isBusy) {
    see(known);
    if (!isSame(known, base)) {
      const next = merged(values, base, known);
      replace(next.values);
      setBase(known);
      setBoth([...new Set([...both, ...next.both])]);
      if (next.isNewer) countTimes(times + 1);
    }
  }
  useEffect(() => {
    if (times > 0) say(words.broughtUpToDate, "idle");
  }, [times]);

  return {
    fields,
    base,
    /** What is to take the place of the saved picture: empty for none, null where that stays. */
    picture,
    choose,
    isDirty,
    isBusy,
    failed: isBusy ? null : failed,
    both: both.filter((name) => values[name] !== base[name]),
    /** Puts the profile as it is known in the place of what was typed. */
    loadNewer: () => adopt(base),
    /** The same, and in that of the picture that was chosen. */
    reset(): void {
      dropPicture(me);
      adopt(base);
    },
    save: () => save(values, base),
  };
}
