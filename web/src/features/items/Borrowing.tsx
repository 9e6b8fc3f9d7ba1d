// The days in which an item can be had, and the way to ask for them.
import { Button } from "@mantine/core";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { Item } from "../../gen/later/goodturn/items/v1/items_service_pb";
import type { Estimate } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { addDays, rangeText } from "../../lib/days";
import { hasReason } from "../../lib/errors";
import { part } from "../../lib/parts";
import { borrowPath } from "../../lib/sharing";
import { Failed } from "../../ui/Failed";
import { priceIn } from "../../ui/item";
import { itemWords } from "../../ui/itemWords";
import { Loaded } from "../../ui/Loaded";
import { Piece } from "../../ui/Piece";
import { type Bounds, NO_RANGE, type Range, refusalOf, stillFree } from "../../ui/range";
import { rangeWords } from "../../ui/rangeWords";
import { CalendarSkeleton } from "../../ui/SheetSkeletons";
import { Stick } from "../../ui/Stick";
import { daysIn, daysPath, type Standing, standingOf } from "./borrowButton";
import { useAvailability, useItem, useTakenDays } from "./queries";
import { itemScreenWords as words } from "./words";

const RangeCalendar = part(() => import("../../ui/RangeCalendar").then((m) => m.default));

/** So far ahead it is known what is taken. */
const AHEAD_DAYS = 365;

type Taken = { today: string; taken: readonly string[] };

const boundsOf = ({ today, taken }: Taken, maxDays: number): Bounds => ({
  first: today,
  last: addDays(today, AHEAD_DAYS - 1),
  blocked: new Set(taken),
  maxDays,
});

const costOf = ({ subtotal, currency }: Estimate): string =>
  subtotal === 0 ? itemWords.free : priceIn(subtotal, currency);

/** What these days would cost, as the server reckons. */
function Sum({ item, estimate }: { item: Item; estimate: Estimate }) {
  const { currency } = estimate;
  if (estimate.total === 0)
    return (
      <div className="sum-row sum-of">
        <span className="dim">{itemWords.days(estimate.days)}</span>
        <span className="b6">{itemWords.free}</span>
      </div>
    );
  return (
    <div className="stack s sum-of">
      <div className="sum-row dim">
        <span>{words.times(priceIn(item.pricePerDay, currency), itemWords.days(estimate.days))}</span>
        <span>{priceIn(estimate.subtotal, currency)}</span>
      </div>
      {estimate.deposit > 0 && (
        <div className="sum-row dim">
          <span>{words.depositBack}</span>
          <span>{priceIn(estimate.deposit, currency)}</span>
        </div>
      )}
      <div className="sum-row b6">
        <span>{estimate.deposit > 0 ? words.withDeposit : words.total}</span>
        <span>{priceIn(estimate.total, currency)}</span>
      </div>
    </div>
  );
}

const LABELS: Record<Standing, string> = {
  select: words.selectDates,
  checking: words.request,
  failed: words.request,
  taken: words.notAvailable,
  ready: words.request,
};

/** What is chosen, which the address has too. */
function useChosen(id: string) {
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState(() => daysIn(search));
  const note = (range: Range): void => navigate(daysPath(id, range), { replace: true });
  function choose(range: Range): void {
    setChosen(range);
    note(range);
  }
  return { chosen, choose, note };
}

/** What was chosen, as far as it can be had still; `isLost` where it cannot: somebody else was faster, and it is cleared, as documented. */
function useDays(item: Item) {
  const { itemId: id, maxDays } = item;
  const { chosen, choose, note } = useChosen(id);
  const days = useTakenDays(id);
  const { data: taken, refetch } = days;
  const bounds = useMemo(() => (taken === undefined ? undefined : boundsOf(taken, maxDays)), [taken, maxDays]);
  const free = bounds === undefined ? chosen : stillFree(chosen, bounds);
  const asked = useAvailability(id, free);
  const { isFetching, isError, data, error } = asked;
  const standing = standingOf(free, { isFetching, isError, available: data?.available });
  const isLost = standing === "taken" || (chosen.end !== "" && free.end === "");
  // What cannot be had may be another item by now: unlisted, lent for fewer days, or gone.
  const { refetch: look } = useItem(id);
  const isOther = standing === "taken" || hasReason(error, "NOT_FOUND", "FRIENDS_ONLY");
  useEffect(() => {
    if (isOther) void Promise.all([look(), refetch()]);
  }, [isOther, look, refetch]);
  // What cannot be had is not chosen anew by a reload.
  const clear = useEffectEvent(() => note(NO_RANGE));
  useEffect(() => {
    if (isLost) clear();
  }, [isLost]);
  const isTooLong = isLost && bounds !== undefined && refusalOf(chosen, bounds) === "tooLong";
  const estimate = standing === "ready" ? data?.estimate : undefined;
  return { days, bounds, choose, range: isLost ? NO_RANGE : free, standing, isLost, isTooLong, estimate, asked };
}

export function Borrowing({ item }: { item: Item }) {
  const { itemId: id } = item;
  const [, navigate] = useLocation();
  const { days, bounds, choose, range, standing, isLost, isTooLong, estimate, asked } = useDays(item);
  const calendar = useRef<HTMLElement>(null);

  function press(): void {
    if (standing === "ready") return navigate(borrowPath(id, range.start, range.end));
    if (standing === "failed") return void asked.refetch();
    calendar.current?.scrollIntoView({ block: "center" });
    calendar.current?.focus({ preventScroll: true });
    return undefined;
  }

  const today = days.data?.today;
  return (
    <aside className="itemside">
      <section className="card borrow" aria-label={words.when} ref={calendar} tabIndex={-1}>
        <h2 className="t18">{words.when}</h2>
        <Loaded small query={days} skeleton={<CalendarSkeleton label={words.loadingDays} />} failed={words.daysFailed}>
          {({ today: now }) => (
            <Piece skeleton={<CalendarSkeleton label={words.loadingDays} />}>
              {bounds !== undefined && <RangeCalendar range={range} onChange={choose} bounds={bounds} today={now} />}
            </Piece>
          )}
        </Loaded>
        {estimate !== undefined && <Sum item={item} estimate={estimate} />}
        <Stick
          above={
            <>
              {isTooLong && <Failed title={rangeWords.tooLong} text={rangeWords.tooLongText(item.maxDays)} />}
              {isLost && !isTooLong && <Failed title={words.datesNotAvailable} text={words.datesNotAvailableText} />}
              {standing === "failed" && <Failed text={words.unableToCheck} onRetry={() => void asked.refetch()} />}
            </>
          }
        >
          <div className="main-act borrowbar">
            {estimate !== undefined && today !== undefined && (
              <p className="chosen">
                <b>{rangeText(range.start, range.end, today)}</b>
                <span className="dim t14">{words.daysAndPrice(itemWords.days(estimate.days), costOf(estimate))}</span>
              </p>
            )}
            <Button
              size="lg"
              loading={standing === "checking"}
              data-disabled={isLost || undefined}
              aria-disabled={isLost || undefined}
              onClick={press}
            >
              {isLost ? words.notAvailable : LABELS[standing]}
            </Button>
          </div>
        </Stick>
      </section>
    </aside>
  );
}
