// The payment section of a rental: the state of price and deposit, and the buttons that record a payment.
import { Button, Skeleton } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { CancellationPolicy } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { type Rental, RentalAction, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { amountOf } from "../../lib/money";
import { firstNameWithin } from "../../lib/names";
import { part } from "../../lib/parts";
import { filled } from "../../ui/filled";
import { codeOf, priceIn } from "../../ui/item";
import { Piece } from "../../ui/Piece";
import { Section } from "../../ui/Pieces";
import { Words } from "../../ui/Words";
import { nameOf } from "./look";
import { depositDue } from "./payments";
import { depositState, priceState } from "./paymentState";
import { type PaymentAction, payWords } from "./payWords";
import { useItem } from "./queries";
import { allows, type Steps, wordsOf } from "./steps";
import { words } from "./words";

const Payment = part(() => import("../../ui/Payment").then((m) => m.default));

/** The borrower pays while the price or the deposit is due and the owner is still a member. */
export const isToPay = (rental: Rental, me: string): boolean =>
  rental.due + depositDue(rental) > 0 && rental.borrower?.uid === me && (rental.owner?.uid ?? "") !== "";

/** The owner pays back a deposit, or what was paid for a cancelled rental, while the borrower is still a member. */
const isToPayBack = (rental: Rental, me: string): boolean =>
  (allows(rental, RentalAction.RETURN_DEPOSIT) || allows(rental, RentalAction.REFUND)) &&
  rental.owner?.uid === me &&
  (rental.borrower?.uid ?? "") !== "";

type Act = (rental: Rental, action: RentalAction) => void;
type Props = { rental: Rental; me: string; steps: Steps; act: Act; now: Date };
type EntryProps = Omit<Props, "now"> & {
  label: string;
  state: ReactNode;
  actions: readonly PaymentAction[];
  /** They take back what was marked. */
  corrections: readonly PaymentAction[];
};

function Entry({ label, state, actions, corrections, rental, me, steps, act }: EntryProps) {
  const id = useId();
  const isAllowed = (action: PaymentAction): boolean => allows(rental, action);
  const propsOf = (action: PaymentAction) => ({
    loading: steps.isBusy(rental, action),
    onClick: () => act(rental, action),
    children: wordsOf(rental, action, me).label,
  });
  return (
    <div className="stack s">
      <div className="row s between wraps">
        <div>
          <p className="dim t14" id={id}>
            {label}
          </p>
          <p className="b6 num">{state}</p>
        </div>
        {corrections.filter(isAllowed).map((action) => (
          <Button
            key={action}
            variant="subtle"
            color="gray"
            c="var(--gt-dim)"
            px={8}
            aria-describedby={id}
            {...propsOf(action)}
          />
        ))}
      </div>
      {actions.filter(isAllowed).map((action) => (
        <Button key={action} variant={action === RentalAction.MARK_PAID ? "light" : "default"} {...propsOf(action)} />
      ))}
    </div>
  );
}

/** The price and the deposit that are due, and the texts for whoever pays them. */
function dueOf(rental: Rental) {
  const { due, currency, gratitude } = rental;
  const deposit = depositDue(rental);
  const amount = due + deposit;
  if (deposit === 0) return { amount, said: payWords.one, title: payWords.pay };
  if (due === 0) return { amount, said: payWords.one, title: payWords.payDeposit };
  const say = gratitude > 0 ? payWords.partsWithGratitude : payWords.parts;
  const code = codeOf(currency);
  const parts = say(amountOf(due, code), amountOf(deposit, code));
  return { amount, said: { ...payWords.both, parts }, title: payWords.pay };
}

/** The same for what the owner pays back. A deposit comes first: it is owed, and the price may be the owner's to keep. */
function dueBackOf(rental: Rental) {
  const { paid, deposit } = rental;
  if (allows(rental, RentalAction.RETURN_DEPOSIT))
    return { amount: deposit, said: payWords.depositBack, title: payWords.payBackDeposit };
  return { amount: paid, said: payWords.paymentBack, title: payWords.refund };
}

type PanelProps = { rental: Rental; payee: Rental["owner"]; what: ReturnType<typeof dueOf> };

function Panel({ rental: { item, currency }, payee, what: { amount, said, title } }: PanelProps) {
  if (payee === undefined) return null;
  const named = filled(
    title,
    <Words>{firstNameWithin(nameOf(payee))}</Words>,
    <Words>{item?.title || words.untitled}</Words>,
  );
  const { otherCurrency, ways: label } = payWords;
  return (
    <Piece skeleton={<Skeleton h={224} radius={16} />}>
      <Payment
        person={{ uid: payee.uid, displayName: nameOf(payee), profilePictureUrl: payee.profilePictureUrl }}
        amount={amount}
        currency={codeOf(currency)}
        note={item?.title || words.untitled}
        said={{ ...said, otherCurrency, label, title: named }}
      />
    </Piece>
  );
}

/** Renders nothing if the rental has neither a price nor a deposit to settle. */
export function RentalPayment({ now, ...props }: Props) {
  const { rental, me } = props;
  const { data: item } = useItem(rental.itemId);
  const price = priceState(rental, me, item?.cancellationPolicy ?? CancellationPolicy.UNSPECIFIED);
  const deposit = depositState(rental, me, now);
  if (price === "" && deposit === "") return null;
  const isCancelled = rental.rentalStatus === RentalStatus.CANCELLED;
  return (
    <Section title={payWords.heading}>
      <div className="stack">
        {isToPay(rental, me) && <Panel rental={rental} payee={rental.owner} what={dueOf(rental)} />}
        {isToPayBack(rental, me) && <Panel rental={rental} payee={rental.borrower} what={dueBackOf(rental)} />}
        <div className="card stack">
          {price !== "" && (
            <Entry
              {...props}
              label={rental.gratitude > 0 ? payWords.priceAndGratitude : payWords.price}
              state={price}
              actions={isCancelled ? [RentalAction.REFUND] : [RentalAction.MARK_PAID]}
              corrections={
                isCancelled ? [RentalAction.UNMARK_PAID, RentalAction.MARK_PAID] : [RentalAction.UNMARK_PAID]
              }
            />
          )}
          {deposit !== "" && (
            <Entry
              {...props}
              label={payWords.deposit(priceIn(rental.deposit, rental.currency))}
              state={deposit}
              actions={[RentalAction.RECEIVE_DEPOSIT, RentalAction.RETURN_DEPOSIT]}
              corrections={[RentalAction.UNMARK_DEPOSIT_RECEIVED, RentalAction.UNMARK_DEPOSIT_RETURNED]}
            />
          )}
          <p className="dim t14">{payWords.outside}</p>
        </div>
      </div>
    </Section>
  );
}
