// The sheets of a rental: each asks for what goes along with something that is done with it.
import { type ReactNode, useState } from "react";
import { type Rental, RentalAction } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { part } from "../../lib/parts";
import { Sheet } from "../../ui/Sheet";
import { CalendarSkeleton } from "../../ui/SheetSkeletons";
import { FieldSkeleton } from "../../ui/FieldSkeleton";
import { words as frameWords } from "../../ui/shellWords";
import { isToBeConfirmed } from "./noted";
import { useRental } from "./queries";
import { type SheetAction, type Steps, wordsOf } from "./steps";

const HandoverSheet = part(() => import("./HandoverSheet").then((m) => m.default));
const RateSheet = part(() => import("./RateSheet").then((m) => m.default));
const DaysSheet = part(() => import("./DaysSheet").then((m) => m.default));

type Props = { rental: Rental; action: SheetAction; me: string; steps: Steps; onClose: () => void };

/** As it is by now: the other side may be faster, or the member elsewhere. What was read before the sheet was opened is not newer than what that shows. */
function useNewest(rental: Rental): Rental {
  const [since_ms] = useState(Date.now);
  const { data, dataUpdatedAt } = useRental(rental.requestId);
  return data !== undefined && dataUpdatedAt >= since_ms ? data : rental;
}

/** `now` is how it stands, which is what a note is of. What days or stars are chosen for is what was seen. */
function contents(props: Props, now: Rental): ReactNode {
  const { action } = props;
  switch (action) {
    case RentalAction.START:
    case RentalAction.RETURN:
    case RentalAction.COMPLETE: {
      const isMoved = isToBeConfirmed(action, now);
      return (
        <HandoverSheet {...props} rental={now} action={isMoved ? RentalAction.COMPLETE : action} isMoved={isMoved} />
      );
    }
    case RentalAction.RATE:
      return <RateSheet {...props} />;
    case RentalAction.MOVE:
    case RentalAction.EXTEND:
      return <DaysSheet {...props} action={action} />;
    default:
      return action satisfies never;
  }
}

export function Sheets(props: Props) {
  const { rental, action, me, onClose } = props;
  const isDays = action === RentalAction.MOVE || action === RentalAction.EXTEND;
  const label = frameWords.loading;
  const now = useNewest(rental);
  const title = wordsOf(rental, isToBeConfirmed(action, now) ? RentalAction.COMPLETE : action, me).title;
  return (
    <Sheet
      opened
      onClose={onClose}
      title={title}
      skeleton={isDays ? <CalendarSkeleton label={label} /> : <FieldSkeleton label={label} />}
    >
      {contents(props, now)}
    </Sheet>
  );
}
