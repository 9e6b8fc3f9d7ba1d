// What was asked of the member and what the member asks to borrow, by how it stands.
import { Button, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import type { RentalCounts } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { sharePath } from "../../lib/sharing";
import { NoRequests } from "../../ui/illustrations";
import { EmptyState } from "../../ui/Pieces";
import { Pull } from "../../ui/Pull";
import "../../ui/styles/chips.css";
import { REQUEST_SIDES, type RequestSide, requestsPath } from "./paths";
import { countsOf, type Filter, FILTERS, useReceivedRentals, useSentRentals } from "./queries";
import { RequestCard } from "./RentalCard";
import { RentalList } from "./RentalList";
import { useActions } from "./useActions";
import { words } from "./words";

/** The list that is looked at, and how many each side has: that is told with any list of it. */
function useRequests(side: RequestSide, filter: Filter) {
  const received = useReceivedRentals("all");
  const sent = useSentRentals("all");
  const isFiltered = filter !== "all";
  const receivedSome = useReceivedRentals(filter, isFiltered && side === "received");
  const sentSome = useSentRentals(filter, isFiltered && side === "sent");
  const [all, some] = side === "received" ? [received, receivedSome] : [sent, sentSome];
  const counts = {
    received: received.data && countsOf(received.data),
    sent: sent.data && countsOf(sent.data),
  };
  return { query: isFiltered ? some : all, counts };
}

const sideText = (side: RequestSide, counts: RentalCounts | undefined): string =>
  counts === undefined ? words.sides[side] : (side === "received" ? words.incoming : words.sent)(counts.all);

type FiltersProps = { filter: Filter; counts: RentalCounts | undefined; onChoose: (filter: Filter) => void };

function Filters({ filter, counts, onChoose }: FiltersProps) {
  return (
    <div className="chips tight" role="group" aria-label={words.whichStatus}>
      {FILTERS.map((one) => (
        <button
          key={one}
          type="button"
          className="chip num"
          aria-pressed={one === filter}
          onClick={() => onChoose(one)}
        >
          {counts === undefined ? words.filters[one] : words.filterCount(words.filters[one], counts[one])}
        </button>
      ))}
    </div>
  );
}

type EmptyProps = { side: RequestSide; filter: Filter; onAll: () => void };

function Empty({ side, filter, onAll }: EmptyProps) {
  const isReceived = side === "received";
  const all = (
    <Button variant="light" onClick={onAll}>
      {words.showAll}
    </Button>
  );
  const next = (
    <Button component={Link} href={sharePath(isReceived ? "create" : "browse")} variant="light">
      {isReceived ? words.listItem : words.browse}
    </Button>
  );
  return (
    <EmptyState
      drawing={<NoRequests size={200} />}
      title={(isReceived ? words.noReceived : words.noSent)[filter]}
      action={filter === "all" ? next : all}
    >
      {isReceived ? words.noReceivedText : words.noSentText}
    </EmptyState>
  );
}

export function RequestsTab({ me }: { me: string }) {
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const side = REQUEST_SIDES.find((one) => one === params.get("view")) ?? "received";
  const [filter, setFilter] = useState<Filter>("all");
  const { query, counts } = useRequests(side, filter);
  const { steps, act, sheet } = useActions(me);
  return (
    <div className="stack" style={{ gap: "1rem" }}>
      <div className="seg">
        <SegmentedControl
          aria-label={words.whichSide}
          value={side}
          data={REQUEST_SIDES.map((one) => ({ value: one, label: sideText(one, counts[one]) }))}
          onChange={(to) => navigate(requestsPath(REQUEST_SIDES.find((one) => one === to) ?? side), { replace: true })}
        />
      </div>
      <Filters filter={filter} counts={counts[side]} onChoose={setFilter} />
      <Pull onRefresh={() => query.refetch()}>
        <RentalList
          key={`${side}.${filter}`}
          name={`${side}.${filter}`}
          label={words.sides[side]}
          query={query}
          failed={side === "received" ? words.receivedFailed : words.sentFailed}
          empty={<Empty side={side} filter={filter} onAll={() => setFilter("all")} />}
        >
          {(rental) => <RequestCard rental={rental} me={me} steps={steps} act={act} />}
        </RentalList>
      </Pull>
      {sheet}
    </div>
  );
}
