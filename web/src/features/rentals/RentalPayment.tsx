// The payment section of a rental: the state of price and deposit, and the buttons that record a payment.
import { Button, Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { type Rental, RentalAction, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { dayHere, dayText } from "../../lib/days";
import { firstNameWithin } from "../../lib/names";
import { part } from "../../lib/parts";
import { toDate } from "../../lib/times";
import { filled } from "../../ui/filled";
import { codeOf, priceIn } from "../../ui/item";
import { Piece } from "../../ui/Piece";
import { Section } from "../../ui/Pieces";
import { Words } from "../../ui/Words";
import { nameOf } from "./look";
import { type PaymentAction, payWords } from "./payWords";
import { allows, type Steps, wordsOf } from "./steps";
import { words } from "./words";

const Payment = part(() => import("../../ui/Payment").then((m) => m.default));

/** Only the borrower pays, while something is due and the owner is still a member. */
export const isToPay = (rental: Rental, me: string): boolean =>
  rental.due > 0 && rental.borrower?.uid === me && (rental.owner?.uid ?? "") !== "";

/** Empty if nothing is due and nothing was paid. */
function priceState({ paid, due, currency }: Rental): string {
  if (paid > 0 && due > 0) return payWords.paidInPart(priceIn(paid, currency), priceIn(due, currency));
  if (due > 0) return payWords.due(priceIn(due, currency));
  return paid > 0 ? payWords.paid(priceIn(paid, currency)) : "";
}

/** The states in which a deposit is still expected. */
const GOES_ON: ReadonlySet<RentalStatus> = new Set([RentalStatus.ACCEPTED, RentalStatus.ACTIVE, RentalStatus.RETURNED]);

/** Empty if there is no deposit, or none was received and none is expected any more. */
function depositState({ deposit, depositReceivedAt, depositReturnedAt, rentalStatus }: Rental, now: Date): string {
  const on = (at: Date): string => dayText(dayHere(at), dayHere(now));
  const [received, returned] = [toDate(depositReceivedAt), toDate(depositReturnedAt)];
  if (returned !== undefined) return payWords.returned(on(returned));
  if (received !== undefined) return payWords.received(on(received));
  return deposit > 0 && GOES_ON.has(rentalStatus) ? payWords.notReceived : "";
}

type Act = (rental: Rental, action: RentalAction) => void;
type Props = { rental: Rental; me: string; steps: Steps; act: Act; now: Date };
type EntryProps = Omit<Props, "now"> & { label: string; state: ReactNode; actions: readonly PaymentAction[] };

function Entry({ label, state, actions, rental, me, steps, act }: EntryProps) {
  return (
    <div className="stack s">
      <div>
        <p className="dim t14">{label}</p>
        <p className="b6 num">{state}</p>
      </div>
      {actions
        .filter((action) => allows(rental, action))
        .map((action) => (
          <Button
            key={action}
            variant={action === RentalAction.MARK_PAID ? "light" : "default"}
            loading={steps.isBusy(rental, action)}
            onClick={() => act(rental, action)}
          >
            {wordsOf(rental, action, me).label}
          </Button>
        ))}
    </div>
  );
}

function PayOwner({ rental }: { rental: Rental }) {
  const { owner, item, due, currency } = rental;
  if (owner === undefined) return null;
  const title = filled(
    payWords.pay,
    <Words>{firstNameWithin(nameOf(owner))}</Words>,
    <Words>{item?.title || words.untitled}</Words>,
  );
  return (
    <Piece skeleton={<Skeleton h={224} radius={16} />}>
      <Payment
        person={{ uid: owner.uid, displayName: nameOf(owner), profilePictureUrl: owner.profilePictureUrl }}
        amount={due}
        currency={codeOf(currency)}
        note={item?.title || words.untitled}
        said={{ ...payWords, label: payWords.ways, title }}
      />
    </Piece>
  );
}

/** Renders nothing if the rental has neither a price nor a deposit to settle. */
export function RentalPayment({ now, ...props }: Props) {
  const { rental, me } = props;
  const price = priceState(rental);
  const deposit = depositState(rental, now);
  if (price === "" && deposit === "") return null;
  return (
    <Section title={payWords.heading}>
      <div className="stack">
        {isToPay(rental, me) && <PayOwner rental={rental} />}
        <div className="card stack">
          {price !== "" && (
            <Entry
              {...props}
              label={rental.gratitude > 0 ? payWords.priceAndGratitude : payWords.price}
              state={price}
              actions={[RentalAction.MARK_PAID]}
            />
          )}
          {deposit !== "" && (
            <Entry
              {...props}
              label={payWords.deposit(priceIn(rental.deposit, rental.currency))}
              state={deposit}
              actions={[RentalAction.RECEIVE_DEPOSIT, RentalAction.RETURN_DEPOSIT]}
            />
          )}
          <p className="dim t14">{payWords.outside}</p>
        </div>
      </div>
    </Section>
  );
}
