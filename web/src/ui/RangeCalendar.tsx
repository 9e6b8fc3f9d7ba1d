// A month of days to choose a range from: 42 cells from Sunday on, with what the days mean under them. Which day is today is said by the caller,
// since it is another one where the thing is than where the device is. Loaded with the part that shows it.
import { Calendar, DatesProvider } from "@mantine/dates";
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type Day, dayText, fullDay, lengthOf, monthOfDay, rangeText, weekdayOf } from "../lib/days";
import { Note } from "./Pieces";
import {
  type Bounds,
  isAnyOpen,
  isOpen,
  isTooFar,
  KEY_WAYS,
  NO_RANGE,
  type Place,
  placeIn,
  type Range,
  type Refused,
  tap,
  unreachedFor,
} from "./range";
import { rangeWords as words } from "./rangeWords";
import "./styles/range.css";

export type Chosen = { range: Range; refused?: Refused };

type Props = {
  range: Range;
  onChange: (range: Range, refused?: Refused) => void;
  bounds: Bounds;
  today: Day;
  /** Days that are shown as unavailable and can be chosen all the same: what the owner has closed and may close anew. */
  marked?: ReadonlySet<Day>;
  /** What is chosen is being sent: it can be looked at, in other months too, and stays as it is. */
  busy?: boolean;
};

const NONE: ReadonlySet<Day> = new Set();
const PLACES: Partial<Record<Place, string>> = {
  start: words.first,
  end: words.last,
  only: words.first,
  between: words.between,
};

function labelOf(day: Day, states: readonly string[]): string {
  const name = fullDay(day);
  const [state, other] = states;
  if (state === undefined) return name;
  return other === undefined ? words.dayIs(name, state) : words.dayIsToo(name, state, other);
}

const LEGEND = [
  ["selected", words.selected],
  ["between", words.inRange],
  ["taken", words.unavailable],
  ["today", words.today],
] as const;

function Legend() {
  return (
    <ul className="legend" aria-label={words.legend}>
      {LEGEND.map(([look, label]) => (
        <li key={look}>
          <i data-look={look} aria-hidden="true" />
          {label}
        </li>
      ))}
    </ul>
  );
}

/** What is chosen so far, and what is still to be chosen. */
export function chosenText(range: Range, today: Day): string {
  const { start, end } = range;
  if (start === "") return words.chooseStart;
  if (end === "") return words.chooseEnd(dayText(start, today));
  return words.chosen(rangeText(start, end, today), lengthOf(start, end));
}

/** It comes into view: under the month there may be a bar over it. */
function RefusedNote({ why, maxDays }: { why: Refused; maxDays: number }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What browsers answer to this is nothing to clean up with.
    void place.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const isLong = why === "tooLong";
  return (
    <div ref={place}>
      <Note tone="no" role="alert" title={isLong ? words.tooLong : words.notAvailable}>
        <div>{isLong ? words.tooLongText(maxDays) : words.notAvailableText}</div>
      </Note>
    </div>
  );
}

/** How a day looks, and what it is called. */
function dayProps({ range, bounds, today, marked = NONE, busy = false }: Omit<Props, "onChange">, day: Day) {
  const place = placeIn(range.end === "" && bounds.held !== undefined ? bounds.held : range, day);
  const isShut = bounds.blocked.has(day) || marked.has(day);
  // A tap on one that cannot be reached is refused, and lets another start be chosen.
  const unreached = isTooFar(day, bounds) ? "tooLong" : unreachedFor(range, day, bounds);
  const isTaken = isShut || unreached !== undefined;
  const isIn = place !== "outside";
  const why = isTaken && (unreached === "tooLong" ? words.tooFar : isShut ? words.taken : words.unreached);
  const states = [isIn ? PLACES[place] : why, day === today && words.now];
  const label = labelOf(
    day,
    states.filter((state) => typeof state === "string"),
  );
  return {
    // A day that is disabled is not drawn as chosen: what one has already only says that it is.
    disabled: !isOpen(day, bounds) && !isIn,
    "aria-disabled": busy || !isOpen(day, bounds),
    selected: isIn && place !== "between",
    inRange: isIn && place !== "only",
    firstInRange: place === "start",
    lastInRange: place === "end",
    "aria-label": label,
    "aria-pressed": isIn,
    "data-day": day,
    // Said of each day: else the clock of the device says it.
    "data-today": day === today,
    "data-blocked": (isTaken && !isIn) || undefined,
  };
}

const dayIn = (place: EventTarget | null): HTMLElement | null =>
  place instanceof HTMLElement && place.dataset["day"] !== undefined ? place : null;

/** Keys lead from day to day, also into other months; Tab leads past all but the day that was last there. */
function useKeys(month: Day, setMonth: (month: Day) => void, bounds: Bounds) {
  const box = useRef<HTMLDivElement>(null);
  const going = useRef<Day>("");

  function settle(current: HTMLElement): void {
    if (box.current === null) return;
    for (const one of box.current.querySelectorAll<HTMLElement>("[data-day]")) one.tabIndex = one === current ? 0 : -1;
  }
  function arrive(): void {
    if (going.current !== "") box.current?.querySelector<HTMLElement>(`[data-day="${going.current}"]`)?.focus();
    going.current = "";
  }
  useLayoutEffect(arrive, [month]);
  // What is drawn anew has its own idea of where Tab leads.
  useLayoutEffect(() => {
    const current = dayIn(document.activeElement);
    if (current !== null && box.current?.contains(current)) settle(current);
  });

  // Before the calendar's own keys, which know only the month that is shown.
  function onKeyDownCapture(event: KeyboardEvent): void {
    const day = dayIn(event.target)?.dataset["day"];
    const way = KEY_WAYS[event.key];
    if (day === undefined || way === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    going.current = way(day, bounds) ?? "";
    if (going.current === "" || going.current.slice(0, 7) === month.slice(0, 7)) return arrive();
    return setMonth(going.current);
  }
  function onFocus({ target }: { target: EventTarget }): void {
    const current = dayIn(target);
    if (current !== null) settle(current);
  }
  return { ref: box, onKeyDownCapture, onFocus };
}

export default function RangeCalendar({ range, onChange, bounds, today, marked = NONE, busy = false }: Props) {
  const [month, setMonth] = useState(bounds.held === undefined && range.start !== "" ? range.start : bounds.first);
  const [refused, setRefused] = useState<{ day: Day; why: Refused }>();

  function take(day: Day): void {
    if (busy) return;
    const tapped = tap(range, day, bounds);
    setRefused(tapped.refused && { day, why: tapped.refused });
    onChange(tapped.range, tapped.refused);
  }

  const isLastAsked = bounds.held !== undefined && range.end === "";
  const isFull = useMemo(() => !isAnyOpen(bounds), [bounds]);
  const { maxDays = 0 } = bounds;
  function told(): string {
    if (isLastAsked && isTooFar(bounds.first, bounds)) return words.tooLongText(maxDays);
    if (isFull && (isLastAsked || range.start === "")) return words.noneFree;
    if (isLastAsked) return maxDays > 0 ? words.chooseLastOf(maxDays) : words.chooseLast;
    return chosenText(range, today);
  }
  return (
    <div className="rangecal" data-busy={busy || undefined} {...useKeys(month, setMonth, bounds)}>
      <DatesProvider settings={{ consistentWeeks: true, firstDayOfWeek: 0 }}>
        <Calendar
          __staticSelector="DatePicker"
          date={month}
          onDateChange={setMonth}
          minDate={bounds.first}
          maxDate={bounds.last}
          maxLevel="month"
          enableKeyboardNavigation={false}
          withCellSpacing={false}
          ariaLabels={{ nextMonth: words.nextMonth, previousMonth: words.previousMonth }}
          monthLabelFormat={monthOfDay}
          weekdayFormat={(day) => words.weekdays[weekdayOf(day)] ?? ""}
          getDayProps={(day) => ({
            ...dayProps({ range, bounds, today, marked, busy }, day),
            onClick: () => take(day),
          })}
        />
      </DatesProvider>
      <Legend />
      <p className="dim t14" role="status">
        {told()}
      </p>
      {refused !== undefined && <RefusedNote key={refused.day} why={refused.why} maxDays={maxDays} />}
    </div>
  );
}

export { NO_RANGE };
