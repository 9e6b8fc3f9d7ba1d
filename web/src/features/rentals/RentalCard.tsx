// A rental in a list: the item, the other side, its days and price, what is said of it, and what can be done with it now.
import { DueBadge } from "../../ui/due";
import { Button } from "@mantine/core";
import { IconClockHour4 } from "@tabler/icons-react";
import { Link } from "wouter";
import { type Rental, RentalAction } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { rentalPath } from "../../lib/sharing";
import { nearTime, toDate, useNow } from "../../lib/times";
import { type Fact, Facts } from "../../ui/Facts";
import { priceIn, RentedPicture } from "../../ui/item";
import { Words } from "../../ui/Words";
import { ASKED, Contact, daysFact, Hints, nameOf, PAID, PartyFace, partnerOf, priceFact, StatusBadge } from "./look";
import { openPaymentsOf } from "./payments";
import { payWords } from "./payWords";
import { cardActionsOf, isCalledFor, type Steps, wordsOf } from "./steps";
import { words } from "./words";

export type Act = (rental: Rental, action: RentalAction) => void;
type Props = { rental: Rental; me: string; steps: Steps; act: Act };

function CardActions({ rental, me, steps, act }: Props) {
  const actions = cardActionsOf(rental);
  if (actions.length === 0) return null;
  return (
    <div className="cardacts over">
      {actions.map((action, i) => (
        <Button
          key={action}
          variant={i === 0 && isCalledFor(action) ? "light" : "default"}
          loading={steps.isBusy(rental, action)}
          onClick={() => act(rental, action)}
        >
          {wordsOf(rental, action, me).label}
        </Button>
      ))}
    </div>
  );
}

function Title({ rental }: { rental: Rental }) {
  return (
    <h2 className="t16 b6 clamp2">
      <Link className="cover" href={rentalPath(rental.requestId)}>
        <Words>{rental.item?.title || words.untitled}</Words>
      </Link>
    </h2>
  );
}

/** The most important open payment, and beside it a deposit that is to be returned. */
function MoneyBadges({ rental }: { rental: Rental }) {
  return openPaymentsOf(rental)
    .filter((open, i) => i === 0 || open === "returnDeposit")
    .map((open) => (
      <span key={open} className="badge soft num" data-tone="wait">
        {open === "pay" ? payWords.due(priceIn(rental.due, rental.currency)) : payWords.hints[open]}
      </span>
    ));
}

/** As it stands among the requests. */
export function RequestCard({ rental, me, steps, act }: Props) {
  const now = useNow();
  const party = partnerOf(rental, me);
  const asked = toDate(rental.createdAt);
  const facts: Fact[] = [
    daysFact(words.dates, rental),
    priceFact(words.total, rental, ASKED),
    {
      label: words.requested,
      value: asked === undefined ? "" : nearTime(asked, now),
      icon: <IconClockHour4 size={18} aria-hidden="true" />,
    },
  ];
  return (
    <article className="card tap arrives stack">
      <div className="row start">
        <RentedPicture item={rental.item} />
        <div className="grow stack s">
          <Title rental={rental} />
          <div className="row s wraps">
            <StatusBadge status={rental.rentalStatus} />
            <MoneyBadges rental={rental} />
          </div>
          <div className="row s">
            <PartyFace party={party} />
            <span className="dim t14 one">
              <Words>{nameOf(party)}</Words>
            </span>
          </div>
        </div>
      </div>
      <Facts facts={facts} />
      {rental.message !== "" && (
        <p className="quote">
          <Words>{rental.message}</Words>
        </p>
      )}
      <Hints rental={rental} me={me} />
      <CardActions rental={rental} me={me} steps={steps} act={act} />
    </article>
  );
}

/** As it stands among what is out. */
export function ActiveCard({ rental, me, steps, act }: Props) {
  return (
    <article className="card tap arrives stack">
      <div className="row start">
        <RentedPicture item={rental.item} />
        <div className="grow stack s">
          <Title rental={rental} />
          <div className="row s wraps">
            <DueBadge rental={rental} />
            <StatusBadge status={rental.rentalStatus} />
            <MoneyBadges rental={rental} />
          </div>
        </div>
      </div>
      <Facts
        facts={[daysFact(words.period, rental), priceFact(rental.due > 0 ? words.total : words.paid, rental, PAID)]}
      />
      <Contact rental={rental} me={me} />
      <Hints rental={rental} me={me} />
      <CardActions rental={rental} me={me} steps={steps} act={act} />
    </article>
  );
}
