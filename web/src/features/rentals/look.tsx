// How a rental looks wherever it stands: its status, when it is due, its days, its price, the other side.
import {
  IconAlertTriangle,
  IconCalendarEvent,
  IconCalendarOff,
  IconCoins,
  IconMail,
  IconStarFilled,
} from "@tabler/icons-react";
import { type Party, type Rental, RentalStatus } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { dayText, lengthOf, rangeText } from "../../lib/days";
import { amountOf } from "../../lib/money";
import { ratingOf } from "../../lib/rating";
import { Face } from "../../ui/Face";
import type { Fact } from "../../ui/Facts";
import { filled } from "../../ui/filled";
import { codeOf, priceIn } from "../../ui/item";
import { itemWords } from "../../ui/itemWords";
import { Note, Section } from "../../ui/Pieces";
import type { Tone } from "../../ui/theme";
import { Words } from "../../ui/Words";
import { isPast } from "./past";
import { isOwner } from "./steps";
import "./rentals.css";
import { statusWords, words } from "./words";

const tones: Record<RentalStatus, Tone> = {
  [RentalStatus.UNSPECIFIED]: "idle",
  [RentalStatus.PENDING]: "wait",
  [RentalStatus.ACTIVE]: "wait",
  [RentalStatus.ACCEPTED]: "ok",
  [RentalStatus.RETURNED]: "ok",
  [RentalStatus.COMPLETED]: "ok",
  [RentalStatus.DECLINED]: "no",
  [RentalStatus.CANCELLED]: "no",
};

export function StatusBadge({ status }: { status: RentalStatus }) {
  return (
    <span className="badge" data-tone={tones[status] ?? "idle"}>
      {statusWords[status] ?? statusWords[RentalStatus.UNSPECIFIED]}
    </span>
  );
}

/** The one with whom the member has to do. */
export const partnerOf = (rental: Rental, me: string): Party | undefined =>
  isOwner(rental, me) ? rental.borrower : rental.owner;

export const nameOf = (party: Party | undefined): string => party?.name || words.formerMember;

export function PartyFace({ party, size = 28 }: { party: Party | undefined; size?: number }) {
  return (
    <Face
      person={{ displayName: nameOf(party), profilePictureUrl: party?.profilePictureUrl ?? "" }}
      size={size}
      fallback="?"
    />
  );
}

/** "4.8 out of 5"; nothing while nobody has rated them. */
export function PartyRating({ party }: { party: Party | undefined }) {
  if (party?.rating === undefined) return null;
  return (
    <span className="rating dim t14">
      <IconStarFilled size={16} aria-hidden="true" />
      {words.rating(ratingOf(party.rating))}
    </span>
  );
}

/** From the acceptance on the two sides know how to write to each other. */
export function WriteTo({ party }: { party: Party | undefined }) {
  const email = party?.email ?? "";
  if (email === "") return null;
  return (
    <a className="mailto over" href={`mailto:${email}`} aria-label={words.mailTo(nameOf(party))}>
      <IconMail size={22} aria-hidden="true" />
    </a>
  );
}

/** Who it is, and how to write to them. */
export function Contact({ rental, me }: { rental: Rental; me: string }) {
  const party = partnerOf(rental, me);
  const name = nameOf(party);
  const email = party?.email ?? "";
  return (
    <div className="contact">
      <PartyFace party={party} size={40} />
      <div className="grow">
        <p className="dim t14">{isOwner(rental, me) ? words.lentTo : words.borrowedFrom}</p>
        <p className="one t14 b6">
          <Words>{name}</Words>
        </p>
        {email !== "" && (
          <p className="breakable t14 dim">
            <Words>{email}</Words>
          </p>
        )}
      </div>
      <WriteTo party={party} />
    </div>
  );
}

export const daysText = ({ startDate, endDate, today }: Rental): string =>
  words.daysOf(rangeText(startDate, endDate, today), lengthOf(startDate, endDate));

/** How it is said that it costs nothing, and what is no part of the price. */
type Beside = { free: string; deposit: (amount: string) => string; gratitude: (amount: string) => string };
export const ASKED: Beside = { free: itemWords.free, deposit: words.withDeposit, gratitude: words.withGratitude };
export const PAID: Beside = { free: words.nothing, deposit: words.paidWith, gratitude: words.paidWithGratitude };

const priceOf = ({ totalPrice, deposit, gratitude, currency }: Rental, beside: Beside) => (
  <span className="num">
    {totalPrice === 0 ? beside.free : priceIn(totalPrice, currency)}
    {deposit > 0 && <span className="dim also"> {beside.deposit(amountOf(deposit, codeOf(currency)))}</span>}
    {gratitude > 0 && <span className="dim also"> {beside.gratitude(amountOf(gratitude, codeOf(currency)))}</span>}
  </span>
);

export const daysFact = (label: string, rental: Rental): Fact => ({
  label,
  value: daysText(rental),
  icon: <IconCalendarEvent size={18} aria-hidden="true" />,
});

export const priceFact = (label: string, rental: Rental, beside: Beside): Fact => ({
  label,
  value: priceOf(rental, beside),
  icon: <IconCoins size={18} aria-hidden="true" />,
});

/** A quote under a heading. Renders nothing if the text is empty. */
export function Quoted({ title, text }: { title: string; text: string }) {
  if (text === "") return null;
  return (
    <Section title={title}>
      <p className="quote">
        <Words>{text}</Words>
      </p>
    </Section>
  );
}

/** Days that wait for the owner's word, and cannot be agreed to. */
export function DaysTaken() {
  return (
    <Note tone="wait" icon={<IconAlertTriangle size={20} aria-hidden="true" />} title={words.daysTakenTitle}>
      {words.daysTaken}
    </Note>
  );
}

/** What stands between the two sides and the rental, or what is waited for. */
export function Hints({ rental, me }: { rental: Rental; me: string }) {
  const { rentalStatus } = rental;
  const past = isPast(rental);
  const email = partnerOf(rental, me)?.email ?? "";
  const warning = <IconAlertTriangle size={20} aria-hidden="true" />;
  return (
    <>
      {past && (
        <Note tone="idle" icon={<IconCalendarOff size={20} aria-hidden="true" />}>
          {words.past}
        </Note>
      )}
      {rental.daysTaken && !past && <DaysTaken />}
      {rental.heldOver && (
        <Note tone="wait" icon={warning}>
          {words.heldOver}
        </Note>
      )}
      {rental.endsWith !== "" && (
        <Note tone="wait" icon={warning} title={words.unnotedTitle}>
          {words.unnoted(dayText(rental.endsWith, rental.endDate))}
        </Note>
      )}
      {rentalStatus === RentalStatus.ACCEPTED && (
        <Note tone="ok">{email === "" ? words.coordinate : filled(words.coordinateBy, <Words>{email}</Words>)}</Note>
      )}
      {rentalStatus === RentalStatus.RETURNED && !isOwner(rental, me) && <Note tone="idle">{words.waiting}</Note>}
    </>
  );
}
