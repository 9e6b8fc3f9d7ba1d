// What stands in a sheet to choose a day and a time: 42 cells from Sunday on, minutes in quarters. Loaded when a date is chosen.
import { Button, NativeSelect, SegmentedControl } from "@mantine/core";
import { DatePicker, DatesProvider } from "@mantine/dates";
import { IconChevronDown } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { fullDay } from "../../lib/days";
import { exactTime, halfOf, monthOf, relativeTime, useNow } from "../../lib/times";
import "../../ui/styles/calendar.css";
import { sheetWords } from "./formWords";
import { words } from "./words";

const HOURS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];
const MINUTES = ["00", "15", "30", "45"];
const HALVES = [
  { value: "AM", label: halfOf(new Date(2000, 0, 1, 9)) },
  { value: "PM", label: halfOf(new Date(2000, 0, 1, 21)) },
];
const DEFAULT = { hour: "10", minute: "00", half: "AM" };
type Clock = typeof DEFAULT;

/** "2026-11-22", the local day of an instant, as the calendar speaks of days. */
const dayOf = (at: Date): string =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, "0")}-${String(at.getDate()).padStart(2, "0")}`;

function clockOf(at: Date): Clock {
  const minute = MINUTES.findLast((m) => Number(m) <= at.getMinutes()) ?? "00";
  return { hour: String(at.getHours() % 12 || 12), minute, half: at.getHours() < 12 ? "AM" : "PM" };
}

function dateOf(day: string): Date {
  const [y = 0, m = 1, d = 1] = day.split("-").map(Number);
  return new Date(y, m - 1, d);
}

export function instantOf(day: string, { hour, minute, half }: Clock): Date {
  const at = dateOf(day);
  at.setHours((Number(hour) % 12) + (half === "PM" ? 12 : 0), Number(minute));
  return at;
}

/** Where there is room for a few weeks only, the one that is chosen or begins now stands first. */
function useWeekInView() {
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const day = sheet.current?.querySelector("[data-selected]") ?? sheet.current?.querySelector("[data-today]");
    const foot = sheet.current?.querySelector(".foot");
    if (!day || !foot) return;
    const rest = sheet.current?.querySelector("tbody")?.getBoundingClientRect().bottom ?? 0;
    if (rest > foot.getBoundingClientRect().top) day.scrollIntoView({ block: "start" });
  }, []);
  return sheet;
}

type Props = { value: string; latest?: string; onChoose: (iso: string) => void };

export default function CalendarSheet({ value, latest, onChoose }: Props) {
  const now = useNow();
  const before = value === "" ? null : new Date(value);
  const [day, setDay] = useState<string | null>(before === null ? null : dayOf(before));
  const [clock, setClock] = useState<Clock>(before === null ? DEFAULT : clockOf(before));
  const chosen = day === null ? null : instantOf(day, clock);
  const isPast = chosen !== null && chosen < now;
  const sheet = useWeekInView();
  const pick = (part: Partial<Clock>): void => setClock((was) => ({ ...was, ...part }));

  return (
    <div ref={sheet}>
      <DatesProvider settings={{ consistentWeeks: true, firstDayOfWeek: 0 }}>
        <DatePicker
          value={day}
          onChange={setDay}
          defaultDate={day ?? dayOf(now)}
          minDate={dayOf(now)}
          {...(latest === undefined || latest === "" ? {} : { maxDate: dayOf(new Date(latest)) })}
          maxLevel="month"
          highlightToday
          withCellSpacing={false}
          ariaLabels={{ nextMonth: sheetWords.nextMonth, previousMonth: sheetWords.previousMonth }}
          monthLabelFormat={(month) => monthOf(dateOf(month))}
          weekdayFormat={(date) => sheetWords.weekdays[dateOf(date).getDay()] ?? ""}
          getDayAriaLabel={fullDay}
        />
      </DatesProvider>
      <fieldset className="fieldset" style={{ marginTop: "0.75rem" }}>
        <legend className="lbl">{sheetWords.time}</legend>
        <div className="timerow">
          <NativeSelect
            aria-label={sheetWords.hour}
            data={HOURS}
            value={clock.hour}
            w={84}
            className="hours"
            rightSection={<IconChevronDown size={18} aria-hidden="true" />}
            onChange={(e) => pick({ hour: e.currentTarget.value })}
          />
          <SegmentedControl
            className="grow"
            aria-label={sheetWords.minute}
            data={MINUTES}
            value={clock.minute}
            onChange={(minute) => pick({ minute })}
          />
          <SegmentedControl
            fullWidth={false}
            aria-label={sheetWords.half}
            data={HALVES}
            value={clock.half}
            onChange={(half) => pick({ half })}
          />
        </div>
      </fieldset>
      <div className="foot">
        <div className="grow" aria-live="polite">
          <div className="b6">{chosen === null ? sheetWords.chooseDay : exactTime(chosen, now)}</div>
          {chosen !== null && !isPast && <div className="dim t14">{relativeTime(chosen, now)}</div>}
          {isPast && <div className="wrong t14">{sheetWords.hasPassed}</div>}
        </div>
        <Button
          size="lg"
          disabled={chosen === null || isPast}
          onClick={() => chosen !== null && onChoose(chosen.toISOString())}
        >
          {words.confirm}
        </Button>
      </div>
    </div>
  );
}
