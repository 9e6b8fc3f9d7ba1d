// Whether the days that were chosen can be had, and what they cost.
import { Loader } from "@mantine/core";
import { IconAlertCircle, IconCircleCheck } from "@tabler/icons-react";
import type { Estimate } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { lengthOf } from "../../lib/days";
import { amountOf } from "../../lib/money";
import { codeOf, priceIn } from "../../ui/item";
import { itemWords } from "../../ui/itemWords";
import { Failed } from "../../ui/Failed";
import { Note } from "../../ui/Pieces";
import type { Range } from "../../ui/range";
import { rangeWords } from "../../ui/rangeWords";
import { borrowWords as words } from "./borrowWords";
import type { useAvailability } from "./queries";

type Asked = Pick<ReturnType<typeof useAvailability>, "data" | "isError" | "isFetching" | "refetch">;

/** Said in place: it changes with each choice. */
export function Availability({ query, range }: { query: Asked; range: Range }) {
  const { data, isError, refetch } = query;
  if (data === undefined && isError)
    return <Failed text={words.unableToCheck} onRetry={() => void refetch()} isLost={false} />;
  if (data === undefined)
    return (
      <Note tone="idle" role="status" icon={<Loader size={20} aria-hidden="true" />}>
        {words.checking}
      </Note>
    );
  if (!data.available) return <Taken />;
  return (
    <Note tone="ok" role="status" icon={<IconCircleCheck size={20} aria-hidden="true" />} title={words.available}>
      {words.free(lengthOf(range.start, range.end))}
    </Note>
  );
}

export function Taken() {
  return (
    <Note tone="no" role="alert" icon={<IconAlertCircle size={20} aria-hidden="true" />} title={words.notAvailable}>
      {words.notAvailableText}
    </Note>
  );
}

/** The owner lends it for less by now. */
export function TooLong({ maxDays }: { maxDays: number }) {
  return (
    <Note tone="no" role="alert" icon={<IconAlertCircle size={20} aria-hidden="true" />} title={rangeWords.tooLong}>
      {rangeWords.tooLongText(maxDays)}
    </Note>
  );
}

type Row = { label: string; value: string };

/** What is in the last line beside the price: cards and lists call the price alone the total. */
function inAllOf(deposit: number, gratitude: number): string {
  if (gratitude === 0) return deposit === 0 ? words.total : words.inAll.deposit;
  return deposit === 0 ? words.inAll.gratitude : words.inAll.both;
}

/** Each line as the server counted it; what is given on top is no part of its total. */
export function EstimateRows({ estimate, gratitude }: { estimate: Estimate; gratitude: number }) {
  const { days, subtotal, deposit, total, currency } = estimate;
  const amount = (value: number): string => amountOf(value, codeOf(currency));
  const rows: Row[] = [
    subtotal === 0
      ? { label: words.days(days), value: itemWords.free }
      : { label: words.perDays(amount(days > 0 ? subtotal / days : 0), days), value: amount(subtotal) },
  ];
  if (deposit > 0) rows.push({ label: words.depositBack, value: amount(deposit) });
  if (gratitude > 0) rows.push({ label: words.gratitudeRow, value: amount(gratitude) });
  return (
    <dl className="estimate num" aria-label={words.estimate}>
      {rows.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {total + gratitude > 0 && (
        <div className="total">
          <dt>{inAllOf(deposit, gratitude)}</dt>
          <dd>{priceIn(total + gratitude, currency)}</dd>
        </div>
      )}
    </dl>
  );
}
