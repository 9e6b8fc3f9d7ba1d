// Chooses days in which an item is not lent. Those of bookings cannot be chosen; those that are closed already can be closed anew.
import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { type Day, daysOf } from "../../lib/days";
import { useOutcome } from "../../lib/outcome";
import { useIsShown } from "../../lib/shown";
import { Failed } from "../../ui/Failed";
import { type Bounds, NO_RANGE, type Range } from "../../ui/range";
import RangeCalendar from "../../ui/RangeCalendar";
import { lastDay } from "./blackoutRanges";
import { manageWords as words } from "./manageWords";

export type Saved = { ok: true } | { ok: false; text: string; isLost: boolean };

type Props = {
  today: Day;
  /** Days that somebody has. */
  booked: readonly Day[];
  closed: readonly Range[];
  /** `isShown` knows whether the sheet that asks is there still. */
  onSave: (range: Range, isShown: () => boolean) => Promise<Saved>;
};

export function BlackoutSheet({ today, booked, closed, onSave }: Props) {
  const [range, setRange] = useState<Range>(NO_RANGE);
  const [busy, setBusy] = useState(false);
  const isShown = useIsShown();
  const [failed, setFailed] = useOutcome<{ text: string; isLost: boolean } | null>(range, null);
  const bounds = useMemo(
    (): Bounds => ({ first: today, last: lastDay(today), blocked: new Set(booked) }),
    [today, booked],
  );
  const marked = useMemo(() => new Set(closed.flatMap(({ start, end }) => daysOf(start, end))), [closed]);
  const isReady = range.start !== "" && range.end !== "";

  async function save(): Promise<void> {
    if (!isReady) return;
    setBusy(true);
    setFailed(null);
    const saved = await onSave(range, isShown);
    setBusy(false);
    if (!saved.ok) setFailed(saved);
  }

  return (
    <div className="stack">
      <RangeCalendar range={range} onChange={setRange} bounds={bounds} today={today} marked={marked} busy={busy} />
      {failed !== null && <Failed text={failed.text} onRetry={failed.isLost ? () => void save() : undefined} />}
      <Button
        size="lg"
        fullWidth
        loading={busy}
        data-disabled={!isReady || undefined}
        aria-disabled={!isReady || undefined}
        onClick={() => void save()}
      >
        {isReady ? words.add : words.chooseFirst}
      </Button>
    </div>
  );
}
