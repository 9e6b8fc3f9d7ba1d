// What is out: what the member has borrowed, and what the member has lent.
import { Button, SegmentedControl } from "@mantine/core";
import { Link, useLocation, useSearchParams } from "wouter";
import { Side } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { sharePath } from "../../lib/sharing";
import { NoHistory } from "../../ui/illustrations";
import { EmptyState } from "../../ui/Pieces";
import { Pull } from "../../ui/Pull";
import { activePath, RENTAL_VIEWS, type RentalView, requestsPath } from "./paths";
import { countsOf, useOutRentals } from "./queries";
import { ActiveCard } from "./RentalCard";
import { RentalList } from "./RentalList";
import { useActions } from "./useActions";
import { words } from "./words";

function Empty({ view }: { view: RentalView }) {
  const isRenting = view === "renting";
  return (
    <EmptyState
      drawing={<NoHistory size={200} />}
      title={isRenting ? words.noRenting : words.noLending}
      action={
        <Button component={Link} href={isRenting ? sharePath("browse") : requestsPath()} variant="light">
          {isRenting ? words.browse : words.seeRequests}
        </Button>
      }
    >
      {isRenting ? words.noRentingText : words.noLendingText}
    </EmptyState>
  );
}

export function ActiveTab({ me }: { me: string }) {
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const view = RENTAL_VIEWS.find((one) => one === params.get("view")) ?? "renting";
  const lists = { renting: useOutRentals(Side.BORROWER), lending: useOutRentals(Side.OWNER) };
  const { steps, act, sheet } = useActions(me);

  function labelOf(one: RentalView): string {
    const { data } = lists[one];
    const count = data && countsOf(data)?.active;
    return count === undefined ? words.views[one] : words[one](count);
  }
  return (
    <div className="stack" style={{ gap: "1rem" }}>
      <div className="seg">
        <SegmentedControl
          aria-label={words.whichRentals}
          value={view}
          data={RENTAL_VIEWS.map((one) => ({ value: one, label: labelOf(one) }))}
          onChange={(to) => navigate(activePath(RENTAL_VIEWS.find((one) => one === to) ?? view), { replace: true })}
        />
      </div>
      <Pull onRefresh={() => lists[view].refetch()}>
        <RentalList
          key={view}
          name={view}
          label={words.views[view]}
          query={lists[view]}
          failed={view === "renting" ? words.rentingFailed : words.lendingFailed}
          empty={<Empty view={view} />}
        >
          {(rental) => <ActiveCard rental={rental} me={me} steps={steps} act={act} />}
        </RentalList>
      </Pull>
      {sheet}
    </div>
  );
}
