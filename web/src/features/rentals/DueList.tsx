// On Home: what is to be given back, handed over or fetched in the next days. It comes after Home, and shows nothing where nothing is due. What waits
// for the member's word is told, and stands among all that does.
import { useLayoutEffect } from "react";
import { Link } from "wouter";
import { nearDay } from "../../lib/days";
import { rentalPath } from "../../lib/sharing";
import { filled } from "../../ui/filled";
import { priceIn, RentedPicture } from "../../ui/item";
import { Loaded } from "../../ui/Loaded";
import { Section } from "../../ui/Pieces";
import { Words } from "../../ui/Words";
import { dueText } from "../../ui/due";
import { nameOf } from "./look";
import { dueFrom, isBack, type Kind, type Planned, toneOf, waitingFor } from "./planned";
import { usePlannedRentals } from "./queries";
import { dueWords, words } from "./words";

/** The kinds in which the owner is the other side. */
const TO_OWNER: ReadonlySet<Kind> = new Set(["return", "pickUp", "pay", "getRefund", "getDeposit"]);
const WAITS: ReadonlySet<Kind> = new Set(["asked", "askedMore", "confirm"]);

function whenText(planned: Planned): string {
  const { kind, inDays, rental } = planned;
  if (WAITS.has(kind)) return dueWords.answer;
  if (kind === "pay" || kind === "getPaid") return priceIn(rental.due, rental.currency);
  if (kind === "refund" || kind === "getRefund") return priceIn(rental.paid, rental.currency);
  if (kind === "returnDeposit" || kind === "getDeposit") return priceIn(rental.deposit, rental.currency);
  return isBack(planned) ? dueText(inDays) : nearDay(rental.startDate, rental.today);
}

function Row({ planned }: { planned: Planned }) {
  const { rental, kind } = planned;
  const partner = TO_OWNER.has(kind) ? rental.owner : rental.borrower;
  return (
    <li>
      <Link className="coming" href={rentalPath(rental.requestId)}>
        <RentedPicture item={rental.item} />
        <span className="grow">
          <span className="clamp2 b6">
            <Words>{rental.item?.title || words.untitled}</Words>
          </span>
          <span className="dim t14 breakable">{filled(dueWords[kind], <Words>{nameOf(partner)}</Words>)}</span>
        </span>
        <span className="badge soft" data-tone={toneOf(planned)}>
          {whenText(planned)}
        </span>
      </Link>
    </li>
  );
}

export function Rows({ planned, label }: { planned: readonly Planned[]; label: string }) {
  return (
    <ul className="plainlist card flush" aria-label={label}>
      {planned.map((one) => (
        <Row key={`${one.kind} ${one.rental.requestId}`} planned={one} />
      ))}
    </ul>
  );
}

/** Those that wait for the member's word, among all else that does. */
export const WaitingRentals = ({ waiting, label }: { waiting: readonly Planned[]; label: string }) => (
  <Rows planned={waiting} label={label} />
);

function List({ planned }: { planned: readonly Planned[] }) {
  if (planned.length === 0) return null;
  return (
    <Section title={dueWords.heading}>
      <Rows planned={planned} label={dueWords.heading} />
    </Section>
  );
}

/** `onWait` hears what waits for the member's word, as soon as it is known: null where it could not be loaded. */
type Props = { me: string; onWait: (waiting: readonly Planned[] | null) => void };

export function DueList({ me, onWait }: Props) {
  const query = usePlannedRentals();
  const { data, isError } = query;
  // Before anything is painted: what Home shows below comes with this.
  useLayoutEffect(() => {
    if (data !== undefined) onWait(waitingFor(data, me));
    else if (isError) onWait(null);
  }, [data, isError, me, onWait]);
  return (
    <Loaded query={query} skeleton={null} failed={dueWords.failed} small>
      {(rentals) => <List planned={dueFrom(rentals, me)} />}
    </Loaded>
  );
}
