// The days in which an item is not lent, and the ways to change them.
import { ActionIcon, Button } from "@mantine/core";
import { IconCalendarOff, IconX } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { Item } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { rangeText } from "../../lib/days";
import { hasReason, isUnreached, textOf } from "../../lib/errors";
import { part } from "../../lib/parts";
import { manageItemPath } from "../../lib/sharing";
import { useIsShown } from "../../lib/shown";
import { sayFailure } from "../../ui/failure";
import { both, Loaded } from "../../ui/Loaded";
import { Section } from "../../ui/Pieces";
import type { Range } from "../../ui/range";
import { say } from "../../ui/said";
import { Sheet } from "../../ui/Sheet";
import { CalendarSkeleton } from "../../ui/SheetSkeletons";
import { SectionRows } from "../../ui/SectionRows";
import type { Saved } from "./BlackoutSheet";
import { withoutRange, withRange } from "./blackoutRanges";
import { useItemsApi } from "./deeds";
import { manageWords as words } from "./manageWords";
import { useBlackoutDays, useTakenDays } from "./queries";

const BlackoutSheet = part(() => import("./BlackoutSheet").then((m) => m.BlackoutSheet));

const WHY = { DAYS_TAKEN: words.taken, LIMIT_REACHED: words.tooMany };

const whyNot = (error: unknown): string => textOf(error, WHY, words.saveFailed);
const textsOf = (days: readonly Range[], today: string): string =>
  days.map(({ start, end }) => rangeText(start, end, today)).join("; ");

function useDays(id: string) {
  const days = useBlackoutDays(id);
  const taken = useTakenDays(id);
  return both(days, taken, (ranges, { today, booked, isLate }) => ({
    today,
    booked,
    isLate,
    ranges: ranges.map(({ startDate, endDate }): Range => ({ start: startDate, end: endDate })),
  }));
}

/** Days that could not be saved, and why. */
type Missed = { days: readonly Range[]; error: unknown };

/** What fails while the sheet is open anew is told once it is closed, all in one: the next thing that is pressed there would end what is said. */
function useSheet(tell: (missed: readonly Missed[]) => void) {
  const [isOpen, setOpen] = useState(false);
  const isHere = useIsShown();
  const now = useRef<{ isOpen: boolean; missed: readonly Missed[] }>({ isOpen: false, missed: [] });

  function open(next: boolean): void {
    setOpen(next);
    const { missed } = now.current;
    if (next || missed.length === 0) now.current.isOpen = next;
    else {
      now.current = { isOpen: false, missed: [] };
      tell(missed);
    }
  }

  function miss(one: Missed): void {
    if (isHere() && now.current.isOpen) now.current.missed = [...now.current.missed, one];
    else tell([one]);
  }

  return { isOpen, open, miss };
}

export function Blackout({ item }: { item: Item }) {
  const { itemId: id, title } = item;
  const about = { name: title, path: manageItemPath(id) };
  const query = useDays(id);
  const api = useItemsApi();
  const { isOpen, open, miss } = useSheet(tell);
  const [busy, setBusy] = useState("");

  /** Says which days were not saved, and sends those anew that did not arrive. */
  function tell(missed: readonly Missed[]): void {
    const today = query.data?.today ?? "";
    const said = missed.map(({ days, error }) => words.unsaved(textsOf(days, today), whyNot(error)));
    const lost = missed.filter(({ error }) => isUnreached(error));
    const [first] = [...lost, ...missed];
    const again = (): void =>
      void add(
        lost.flatMap(({ days }) => days),
        () => false,
      );
    sayFailure(first?.error, said.join(" "), again, about);
  }

  /** An answer closes the sheet that asked, and none that was opened since; a failure that no sheet shows any more is said here, or wherever one is. */
  async function add(days: readonly Range[], isShown: () => boolean): Promise<Saved> {
    try {
      await api.changeBlackoutDays(id, (ranges) => days.reduce(withRange, [...ranges]));
      say(words.added, "ok", { about });
      if (isShown()) open(false);
      return { ok: true };
    } catch (error) {
      if (!isShown()) miss({ days, error });
      return { ok: false, text: whyNot(error), isLost: isUnreached(error) };
    }
  }

  async function lift(range: Range): Promise<void> {
    setBusy(range.start);
    try {
      await api.changeBlackoutDays(id, (ranges) => withoutRange(ranges, range));
      say(words.lifted, "idle", { about });
    } catch (error) {
      if (!hasReason(error, "NOT_FOUND")) sayFailure(error, whyNot(error), () => void lift(range), about);
    } finally {
      setBusy("");
    }
  }

  return (
    <Section title={words.days}>
      <p className="dim t14">{words.daysSub}</p>
      <div className="gap s" />
      <Loaded small query={query} skeleton={<SectionRows label={words.loadingDays} />} failed={words.daysFailed}>
        {({ ranges, today, booked, isLate }) => (
          <div className="stack s">
            {ranges.length === 0 ? (
              <p className="card dim">{isLate ? words.noDaysLate : words.noDays}</p>
            ) : (
              <ul className="card flush list" aria-label={words.days}>
                {ranges.map((range) => {
                  const text = rangeText(range.start, range.end, today);
                  return (
                    <li key={range.start}>
                      <span className="tile" data-tone="idle" aria-hidden="true">
                        <IconCalendarOff size={20} />
                      </span>
                      <span className="grow b6">{text}</span>
                      <ActionIcon
                        aria-label={words.lift(text)}
                        loading={busy === range.start}
                        onClick={() => void lift(range)}
                      >
                        <IconX size={20} />
                      </ActionIcon>
                    </li>
                  );
                })}
              </ul>
            )}
            <div>
              <Button variant="default" leftSection={<IconCalendarOff size={20} />} onClick={() => open(true)}>
                {words.choose}
              </Button>
            </div>
            <Sheet
              opened={isOpen}
              onClose={() => open(false)}
              title={words.daysSheet}
              skeleton={<CalendarSkeleton label={words.loadingDays} />}
            >
              <BlackoutSheet
                today={today}
                booked={booked}
                closed={ranges}
                onSave={(range, isShown) => add([range], isShown)}
              />
            </Sheet>
          </div>
        )}
      </Loaded>
    </Section>
  );
}
