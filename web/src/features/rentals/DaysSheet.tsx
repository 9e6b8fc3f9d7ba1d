// What stands in the sheet in which other days are asked for, or more of them. Loaded when it is opened.
import { Button } from "@mantine/core";
import { useState } from "react";
import { create } from "@bufbuild/protobuf";
import {
  type Estimate,
  EstimateSchema,
  type Rental,
  RentalAction,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { lengthOf } from "../../lib/days";
import { useOutcome } from "../../lib/outcome";
import { useInSight } from "../../ui/inSight";
import { Loaded } from "../../ui/Loaded";
import { SheetOutcome } from "../../ui/SheetOutcome";
import RangeCalendar from "../../ui/RangeCalendar";
import { type Bounds, NO_RANGE, type Range, type Refused, refusalOf } from "../../ui/range";
import { rangeWords } from "../../ui/rangeWords";
import { CalendarSkeleton } from "../../ui/SheetSkeletons";
import { words as frameWords } from "../../ui/shellWords";
import { Availability, EstimateRows, Taken, TooLong } from "./Availability";
import { borrowWords } from "./borrowWords";
import { thenText } from "./price";
import { boundsOf, extensionBounds, isGone, useAvailability, useFreeDays, useItem } from "./queries";
import { chosenFor, dropChosen, lineOf, type Outcome as Sent, useSending } from "./sending";
import type { Steps } from "./steps";
import { actionWords, words } from "./words";

type Action = typeof RentalAction.MOVE | typeof RentalAction.EXTEND;
type Props = { rental: Rental; action: Action; me: string; steps: Steps; onClose: () => void };

/** What other days cost: each costs what was agreed, whatever the item costs by now. */
function costOf({ startDate, endDate, totalPrice, deposit, currency }: Rental, { start, end }: Range): Estimate {
  const days = lengthOf(start, end);
  const subtotal = (totalPrice / lengthOf(startDate, endDate)) * days;
  return create(EstimateSchema, { days, subtotal, deposit, total: subtotal + deposit, currency });
}

/** Days that were chosen and cannot be had any more: they are chosen no longer, and it is said why. */
function LostDays({ lost, maxDays }: { lost: Refused | ""; maxDays: number }) {
  const place = useInSight(lost);
  return (
    <div ref={place} hidden={lost === ""}>
      {lost === "taken" && <Taken />}
      {lost === "tooLong" && <TooLong maxDays={maxDays} />}
    </div>
  );
}

type ChooserProps = Props & { bounds: Bounds; today: string };

function Chooser({ rental, action, me, steps, onClose, bounds, today }: ChooserProps) {
  const isMove = action === RentalAction.MOVE;
  const nothing = isMove ? NO_RANGE : { start: rental.startDate, end: "" };
  const line = lineOf(me, rental, action);
  const { startDate: sentStart = "", endDate: sentEnd = "" } = chosenFor(line) ?? {};
  const [asked, setAsked] = useState<Range>(sentEnd === "" ? nothing : { start: sentStart, end: sentEnd });
  const [isRefused, setRefused] = useState(false);
  const availability = useAvailability(rental.itemId, isMove ? asked : NO_RANGE);
  // Somebody else may be faster while they stand there, and also while they are sent.
  const isTaken = isRefused || (isMove && availability.data?.available === false);
  const lost = (asked.end !== "" && refusalOf(asked, bounds)) || (isTaken ? "taken" : "");
  const [outcome, setOutcome] = useOutcome<"" | "failed" | "missing" | "taken">([asked, lost], "");

  function attend(sent: Sent): void {
    if (sent === "ended") return onClose();
    if (sent !== "daysTaken") return setOutcome("failed");
    setAsked(nothing);
    return setRefused(true);
  }
  const { busy, send } = useSending({ rental, action, me, steps }, attend);
  const said = useInSight(!busy && outcome);
  const range = lost === "" || busy ? asked : nothing;
  const { text, yes } = actionWords[action];
  const cost = range.end === "" ? undefined : costOf(rental, range);

  function choose(next: Range): void {
    dropChosen(line);
    setRefused(false);
    setAsked(next);
  }

  function ask(): void {
    const { start: startDate, end: endDate } = range;
    if (endDate === "") return setOutcome(lost === "taken" ? "taken" : "missing");
    setOutcome("");
    const chosen = { startDate, endDate };
    return send({ chosen, goes: async () => chosen });
  }

  return (
    <div className="stack">
      <p className="dim">{text}</p>
      <LostDays lost={busy ? "" : lost} maxDays={bounds.maxDays ?? 0} />
      <RangeCalendar range={range} onChange={choose} bounds={bounds} today={today} busy={busy} />
      {isMove && range.end !== "" && <Availability query={availability} range={range} />}
      {isMove && cost !== undefined && availability.data?.available === true && (
        <EstimateRows estimate={cost} gratitude={rental.gratitude} />
      )}
      {!isMove && cost !== undefined && <p>{thenText(rental, cost.subtotal)}</p>}
      <div ref={said} hidden={outcome === ""}>
        {(outcome === "missing" || outcome === "taken") && (
          <p className="msg" role="alert">
            {outcome === "taken" ? words.notFree : isMove ? words.needDates : rangeWords.chooseLast}
          </p>
        )}
        {outcome === "failed" && <SheetOutcome />}
      </div>
      <div className="foot">
        <Button variant="default" onClick={onClose}>
          {frameWords.cancel}
        </Button>
        <Button className="grow" loading={busy} onClick={ask}>
          {yes}
        </Button>
      </div>
    </div>
  );
}

export default function DaysSheet(props: Props) {
  const { rental, action } = props;
  const free = useFreeDays(rental.itemId);
  const item = useItem(rental.itemId);
  // An item that the borrower does not see any more has days all the same; the server says how many at most.
  const maxDays = item.data?.maxDays ?? 0;
  const isKnown = item.isSuccess || item.isError;
  const query = isKnown ? free : { ...free, data: undefined };
  // One of the two hides from the other: what is agreed goes on, and no more is.
  if (isGone(free)) return <p className="dim">{words.noOtherDays}</p>;
  return (
    <Loaded
      query={query}
      skeleton={<CalendarSkeleton label={frameWords.loading} />}
      failed={borrowWords.checkFailed}
      small
    >
      {(days) => (
        <Chooser
          {...props}
          today={days.today}
          bounds={action === RentalAction.MOVE ? boundsOf(days, maxDays) : extensionBounds(days, rental, maxDays)}
        />
      )}
    </Loaded>
  );
}
