// The sheets of a rental: each asks for what goes along with something that is done with it.
import type { ReactNode } from "react";
import { type Rental, RentalAction } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { part } from "../../lib/parts";
import { Sheet } from "../../ui/Sheet";
import { CalendarSkeleton } from "../../ui/SheetSkeletons";
import { FieldSkeleton } from "../../ui/FieldSkeleton";
import { words as frameWords } from "../../ui/words";
import { type SheetAction, type Steps, wordsOf } from "./steps";

const HandoverSheet = part(() => import("./HandoverSheet").then((m) => m.default));
const RateSheet = part(() => import("./RateSheet").then((m) => m.default));
const DaysSheet = part(() => import("./DaysSheet").then((m) => m.default));

type Props = { rental: Rental; action: SheetAction; me: string; steps: Steps; onClose: () => void };

function contents(props: Props): ReactNode {
  const { action } = props;
  switch (action) {
    case RentalAction.START:
    case RentalAction.RETURN:
    case RentalAction.COMPLETE:
      return <HandoverSheet {...props} />;
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
  return (
    <Sheet
      opened
      onClose={onClose}
      title={wordsOf(rental, action, me).title}
      skeleton={isDays ? <CalendarSkeleton label={label} /> : <FieldSkeleton label={label} />}
    >
      {contents(props)}
    </Sheet>
  );
}
