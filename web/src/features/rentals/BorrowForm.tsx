// The form of a borrow request. What is typed is kept until it is sent.
import { Button, TextInput } from "@mantine/core";
import { IconCalendarEvent, IconCoins, IconSend } from "@tabler/icons-react";
import { type ClipboardEvent, useCallback, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { Item } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { dayText, lengthOf, rangeText } from "../../lib/days";
import { plainDigits } from "../../lib/digits";
import { useOutcome } from "../../lib/outcome";
import { rentalPath } from "../../lib/sharing";
import { Failed } from "../../ui/Failed";
import { CountedText } from "../../ui/Fields";
import { codeOf } from "../../ui/item";
import { useInSight } from "../../ui/inSight";
import { Loaded } from "../../ui/Loaded";
import { Section } from "../../ui/Pieces";
import RangeCalendar from "../../ui/RangeCalendar";
import { type Bounds, NO_RANGE, type Range, type Refused, refusalOf, stillFree } from "../../ui/range";
import { say } from "../../ui/said";
import { CalendarSkeleton } from "../../ui/SheetSkeletons";
import { Stick } from "../../ui/Stick";
import "../../ui/styles/form.css";
import { toast } from "../../ui/toast";
import { isUnderWay, type Outcome, useAsking, useUnderWay } from "./asking";
import { Availability, EstimateRows, Taken, TooLong } from "./Availability";
import { borrowOf, daysIn, gratitudeFrom, gratitudeText, type, useBorrow } from "./borrow";
import { borrowWords as words, GRATITUDE_MAX } from "./borrowWords";
import { useRentalsApi } from "./deeds";
import { requestsPath } from "./paths";
import { isFreeToCancel } from "./policy";
import { boundsOf, useAvailability, useFreeDays } from "./queries";

const MESSAGE_LENGTH_MAX = 500;
const GRATITUDE_LENGTH_MAX = String(GRATITUDE_MAX).length;

/** What stands in the way of sending it, and where that is said. */
type Wrong = "" | "dates" | "gratitude";

type Sent = Outcome & { ok: true };

/** Days that were chosen, and are not any more: as the item is now they cannot be had. */
type Lost = Range | null;

/** Its owner may lend it for fewer days by now. */
const whyLost = (lost: Lost, bounds: Bounds): Refused | "" =>
  lost === null ? "" : (refusalOf(lost, bounds) ?? "taken");

type DaysProps = {
  range: Range;
  bounds: Bounds;
  today: string;
  lost: Lost;
  isFolded: boolean;
  onChange: (range: Range) => void;
};

/** Days that were chosen on the item's own screen stand in a line, until they are to be others. */
function Days({ range, bounds, today, lost, isFolded, onChange }: DaysProps) {
  const [isOpen, open] = useState(!isFolded);
  const why = whyLost(lost, bounds);
  const said = useInSight(why);
  if (!isOpen && range.end !== "")
    return (
      <div className="opener">
        <IconCalendarEvent size={22} aria-hidden="true" />
        <span className="grow">
          <span className="dim t14">{words.days(lengthOf(range.start, range.end))}</span>
          <span className="val">
            {range.start === range.end
              ? dayText(range.start, today)
              : words.fromTo(dayText(range.start, today), dayText(range.end, today))}
          </span>
        </span>
        <button type="button" className="link" onClick={() => open(true)}>
          {words.change}
        </button>
      </div>
    );
  return (
    <>
      <div ref={said} hidden={why === ""}>
        {why === "taken" && <Taken />}
        {why === "tooLong" && <TooLong maxDays={bounds.maxDays ?? 0} />}
      </div>
      <RangeCalendar range={range} onChange={onChange} bounds={bounds} today={today} />
    </>
  );
}

/** The value with the pasted text. The browser would cut that, and so make another amount of it. */
function withPasted({ currentTarget: field, clipboardData }: ClipboardEvent<HTMLInputElement>): string {
  const { value, selectionStart, selectionEnd } = field;
  const text = plainDigits(clipboardData.getData("text/plain")).trim();
  return value.slice(0, selectionStart ?? value.length) + text + value.slice(selectionEnd ?? value.length);
}

/** `id` is that of the field of an amount. */
type TypedProps = { me: string; item: Item; id: string; isWrong: boolean };

function Typed({ me, item, id, isWrong }: TypedProps) {
  const { message, gratitude } = useBorrow(me, item.itemId);
  const isNoAmount = Number.isNaN(gratitudeFrom(gratitude));
  return (
    <div className="stack f">
      <CountedText
        label={words.message}
        placeholder={words.messageExample}
        max={MESSAGE_LENGTH_MAX}
        value={message}
        onChange={(text) => type(me, item.itemId, { message: text })}
      />
      <TextInput
        id={id}
        label={words.gratitude}
        description={words.gratitudeText}
        inputMode="numeric"
        maxLength={GRATITUDE_LENGTH_MAX}
        autoComplete="off"
        leftSection={<IconCoins size={20} aria-hidden="true" />}
        rightSection={<span className="dim t14">{codeOf(item.currency)}</span>}
        rightSectionWidth={56}
        data-wrong={isWrong || undefined}
        error={isNoAmount ? words.gratitudeWrong : undefined}
        value={gratitude}
        onChange={(e) => type(me, item.itemId, { gratitude: e.currentTarget.value })}
        onPaste={(e) => {
          e.preventDefault();
          type(me, item.itemId, { gratitude: withPasted(e) });
        }}
        onBlur={() => gratitude !== "" && type(me, item.itemId, { gratitude: gratitudeText(gratitude) })}
      />
    </div>
  );
}

/** Where days can be moved stands the request that is not as the form has it. */
const pathOf = ({ other, rental }: Sent): string =>
  other === null || rental === "" ? requestsPath("sent") : rentalPath(rental);

function sentText({ other }: Sent): string {
  if (other === null) return words.sentText;
  return other.start === "" ? words.sentBefore : words.sentAs(rangeText(other.start, other.end, other.start));
}

/** The screen was left meanwhile. */
function missed(outcome: Outcome): void {
  if (!outcome.ok) return say(words.unsent(outcome.text), "no");
  if (outcome.other === null) return say(sentText(outcome));
  return toast({ tone: "no", text: sentText(outcome), to: { path: pathOf(outcome), label: words.seeRequest } });
}

function useRequest(me: string, asked: Item, onLost: (lost: Lost) => void) {
  const item = asked.itemId;
  const [, navigate] = useLocation();
  const borrow = useBorrow(me, item);
  const { start, end, message, gratitude } = borrow;
  const typed = [start, end, message, gratitude];
  const [failure, setFailure] = useOutcome<(Outcome & { ok: false }) | null>(typed, null);
  const [wrong, setWrong] = useOutcome<Wrong>(typed, "");

  const attend = (outcome: Outcome): void => {
    if (outcome.ok) {
      navigate(pathOf(outcome), { replace: true });
      return say(sentText(outcome), outcome.other === null ? "ok" : "no");
    }
    // The screen that comes in the place of the form says that the words are kept.
    if (outcome.isOver) return say(outcome.text, "no");
    if (!outcome.isTaken) return setFailure(outcome);
    const { start: first, end: last } = borrowOf(me, item);
    if (last !== "") onLost({ start: first, end: last });
    return type(me, item, NO_RANGE);
  };
  // Handed to what outlives this render, which tells the newest one.
  const newest = useRef(attend);
  useEffect(() => {
    newest.current = attend;
  });
  const isBusy = useUnderWay(
    me,
    item,
    useCallback((outcome) => newest.current(outcome), []),
  );
  const send = useAsking(me, asked, missed);

  // The page was loaded anew before the answer came: the same is sent once more, by its key.
  const resume = useEffectEvent(() => {
    const { sending, tries } = borrowOf(me, item);
    if (sending && !isUnderWay(me, item)) send(tries.at(-1));
  });
  useEffect(() => resume(), []);

  function choose(range: Range): void {
    onLost(null);
    type(me, item, range);
  }
  return { borrow, failure, wrong, setWrong, isBusy, send, choose };
}

type FormProps = {
  item: Item;
  me: string;
  bounds: Bounds;
  today: string;
  handedOn: Range | null;
  lost: Lost;
  onLost: (lost: Lost) => void;
};

function Whole({ item, me, bounds, today, handedOn, lost, onLost }: FormProps) {
  const { itemId } = item;
  const { borrow, failure, wrong, setWrong, isBusy, send, choose } = useRequest(me, item, onLost);
  const range = { start: borrow.start, end: borrow.end };
  const availability = useAvailability(itemId, range);
  const { data } = availability;
  const isChosen = range.end !== "";
  const isRefused = isChosen && data?.available === false;

  // The days that were chosen before one came here take the place of older ones. What is past or taken by now is cleared, and that is said.
  const begin = useEffectEvent(() => {
    const before = borrowOf(me, itemId);
    if (before.sending || isUnderWay(me, itemId)) return;
    const asked = handedOn ?? { start: before.start, end: before.end };
    if (asked.start === "") return;
    const { start, end } = stillFree(asked, bounds);
    const isFree = start === asked.start && end === asked.end;
    type(me, itemId, isFree ? asked : NO_RANGE);
    if (!isFree && asked.end !== "") onLost(asked);
  });
  useEffect(() => begin(), []);

  // What is said to be taken is not chosen any more, also when somebody else was faster while it stood there, or the item is another one by now.
  const { itemChanged } = useRentalsApi();
  const clear = useEffectEvent(() => {
    type(me, itemId, NO_RANGE);
    onLost(range);
    itemChanged();
  });
  useEffect(() => {
    if (isRefused && !isBusy) clear();
  }, [isRefused, isBusy]);

  const calendar = useRef<HTMLDivElement>(null);
  const amount = useId();
  function check(): void {
    if (!isChosen) {
      setWrong("dates");
      calendar.current?.scrollIntoView({ block: "center" });
      return calendar.current?.focus({ preventScroll: true });
    }
    if (Number.isNaN(gratitudeFrom(borrow.gratitude))) {
      setWrong("gratitude");
      return document.getElementById(amount)?.focus();
    }
    return send();
  }

  // What is to be looked at again.
  const sums = useInSight(failure?.isChanged);
  const isChecking = isChosen && data === undefined && !availability.isError;
  const gratitude = gratitudeFrom(borrow.gratitude);
  return (
    <>
      <Section title={words.when}>
        <div className="stack" ref={calendar} tabIndex={-1}>
          <Days
            range={range}
            bounds={bounds}
            today={today}
            lost={lost}
            isFolded={handedOn !== null}
            onChange={choose}
          />
          {isChosen && !isRefused && <Availability query={availability} range={range} />}
        </div>
      </Section>
      <Section title={words.details}>
        <div className="stack l">
          {isChosen && (
            <p>
              <span className="dim">{words.duration}</span>{" "}
              <b className="b6">{words.days(lengthOf(range.start, range.end))}</b>
            </p>
          )}
          <Typed me={me} item={item} id={amount} isWrong={wrong === "gratitude"} />
          {isChosen && data?.estimate !== undefined && (
            <div ref={sums}>
              <EstimateRows estimate={data.estimate} gratitude={Number.isNaN(gratitude) ? 0 : gratitude} />
              {data.estimate.total > 0 && !isFreeToCancel(item.cancellationPolicy, today, range.start) && (
                <p className="dim t14">{words.notFree}</p>
              )}
            </div>
          )}
        </div>
      </Section>
      <Stick note={isChecking ? words.checking : ""} above={<Above wrong={wrong} failure={failure} />}>
        <Button
          className="main-act"
          size="lg"
          leftSection={<IconSend size={20} />}
          loading={isBusy}
          disabled={isChecking || (isChosen && data?.available !== true)}
          onClick={check}
        >
          {words.send}
        </Button>
      </Stick>
    </>
  );
}

type AboveProps = { wrong: Wrong; failure: (Outcome & { ok: false }) | null };

/** What stands in the way, or what came of the last try: the button under it tries again. */
function Above({ wrong, failure }: AboveProps) {
  if (wrong === "dates") return <Failed title={words.needDatesTitle} text={words.needDates} />;
  if (wrong === "gratitude") return <Failed title={words.gratitudeTitle} text={words.gratitudeAlert} />;
  if (failure === null) return null;
  return <Failed text={failure.text} isTyped isLost={failure.isLost} />;
}

export function BorrowForm({ item, me }: { item: Item; me: string }) {
  const free = useFreeDays(item.itemId);
  const [search] = useSearchParams();
  const [handedOn] = useState(() => daysIn(search));
  const [lost, setLost] = useState<Lost>(null);
  return (
    <Loaded query={free} skeleton={<CalendarSkeleton label={words.checking} />} failed={words.checkFailed} small>
      {(days) => (
        <Whole
          item={item}
          me={me}
          bounds={boundsOf(days, item.maxDays)}
          today={days.today}
          handedOn={handedOn}
          lost={lost}
          onLost={setLost}
        />
      )}
    </Loaded>
  );
}
