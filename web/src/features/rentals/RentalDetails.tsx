// One rental in full.
import { DueBadge } from "../../ui/due";
import { Button } from "@mantine/core";
import { IconCalendarEvent, IconCoins, IconHeart, IconShieldCheck, IconStarFilled } from "@tabler/icons-react";
import { Link } from "wouter";
import { type Handover, type Rental, RentalAction } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { dayText } from "../../lib/days";
import { firstName } from "../../lib/names";
import { itemPath } from "../../lib/sharing";
import { nearTime, toDate, useNow } from "../../lib/times";
import { FactList, type FactRow } from "../../ui/Facts";
import { filled } from "../../ui/filled";
import { priceIn, RentedPicture } from "../../ui/item";
import { itemWords } from "../../ui/itemWords";
import { Section } from "../../ui/Pieces";
import { Stick } from "../../ui/Stick";
import { Timeline } from "../../ui/Timeline";
import { Words } from "../../ui/Words";
import { AboutItem } from "./AboutItem";
import {
  DaysTaken,
  daysText,
  Hints,
  nameOf,
  PartyFace,
  partnerOf,
  PartyRating,
  Quoted,
  StatusBadge,
  WriteTo,
} from "./look";
import { thenText } from "./price";
import { isToPay, RentalPayment } from "./RentalPayment";
import { isGone, useItem } from "./queries";
import { actionsOf, allows, isCalledFor, isDestructive, isOwner, type Steps, wordsOf } from "./steps";
import { storyOf } from "./story";
import { storyWords } from "./storyWords";
import { useActions } from "./useActions";
import { actionWords, words } from "./words";

function Head({ rental, me }: { rental: Rental; me: string }) {
  const party = partnerOf(rental, me);
  const hasNoItem = isGone(useItem(rental.itemId));
  const title = <Words>{rental.item?.title || words.untitled}</Words>;
  return (
    <div className="card stack">
      <div className="row start">
        <RentedPicture item={rental.item} />
        <div className="grow stack s">
          <h2 className="t18 breakable">
            {hasNoItem ? (
              title
            ) : (
              <Link className="plain" href={itemPath(rental.itemId)}>
                {title}
              </Link>
            )}
          </h2>
          <div className="row s wraps">
            <StatusBadge status={rental.rentalStatus} />
            <DueBadge rental={rental} />
          </div>
        </div>
      </div>
      <hr className="rule" />
      <div className="row">
        <PartyFace party={party} size={44} />
        <div className="grow">
          <p className="dim t14">{isOwner(rental, me) ? words.borrower : words.owner}</p>
          <p className="b6 one">
            <Words>{nameOf(party)}</Words>
          </p>
          <PartyRating party={party} />
        </div>
        <WriteTo party={party} />
      </div>
      {(party?.email ?? "") !== "" && (
        <p className="dim t14 breakable">
          <Words>{party?.email ?? ""}</Words>
        </p>
      )}
    </div>
  );
}

function rowsOf(rental: Rental): FactRow[] {
  const { totalPrice, deposit, gratitude, currency } = rental;
  const rows: FactRow[] = [
    { label: words.period, value: daysText(rental), icon: <IconCalendarEvent size={22} /> },
    {
      label: words.total,
      value: <span className="num">{totalPrice === 0 ? itemWords.free : priceIn(totalPrice, currency)}</span>,
      icon: <IconCoins size={22} />,
    },
    {
      label: words.deposit,
      value: <span className="num">{deposit === 0 ? words.none : priceIn(deposit, currency)}</span>,
      icon: <IconShieldCheck size={22} />,
    },
  ];
  if (gratitude > 0)
    rows.push({
      label: words.gratitude,
      value: <span className="num">{priceIn(gratitude, currency)}</span>,
      icon: <IconHeart size={22} />,
    });
  return rows;
}

type NotedProps = { title: string; noted: Handover; rental: Rental; me: string; now: Date };

/** How it was handed over, given back or found to be back, as it was noted: seen by both sides. */
function Noted({ title, noted, rental, me, now }: NotedProps) {
  const at = toDate(noted.at);
  const when = at === undefined ? "" : nearTime(at, now);
  const who = [rental.owner, rental.borrower].find((party) => party?.uid === noted.notedBy && noted.notedBy !== "");
  const { pictureUrls: urls } = noted;
  return (
    <Section title={title}>
      <div className="card stack">
        <p className="dim t14">
          {noted.notedBy === me
            ? words.notedByYou(when)
            : filled((name) => words.notedBy(name, when), <Words>{nameOf(who)}</Words>)}
        </p>
        {noted.note !== "" && (
          <p className="quote">
            <Words>{noted.note}</Words>
          </p>
        )}
        {urls.length > 0 && (
          <ul className="thumbs" aria-label={words.pictures}>
            {urls.map((url, i) => (
              <li key={url.split("?")[0]} className="thumb">
                <a href={url} target="_blank" rel="noopener noreferrer">
                  <img src={url} alt={words.picture(i + 1, urls.length)} loading="lazy" />
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}

/** That a return was confirmed is told by the story. */
const saysMore = ({ note, pictureUrls }: Handover): boolean => note !== "" || pictureUrls.length > 0;

type Act = (rental: Rental, action: RentalAction) => void;
type ExtensionProps = { rental: Rental; me: string; steps: Steps; act: Act };

const ANSWERS = [
  RentalAction.ACCEPT_EXTENSION,
  RentalAction.DECLINE_EXTENSION,
  RentalAction.WITHDRAW_EXTENSION,
] as const;

/** The more days that are asked for, with what can be said to them, or why they cannot be agreed to. */
function MoreDays({ rental, me, steps, act }: ExtensionProps) {
  const { extension, borrower, today } = rental;
  if (extension === undefined) return null;
  const day = dayText(extension.endDate, today);
  const isPast = extension.endDate < today;
  return (
    <Section title={words.moreDays}>
      <div className="card stack">
        <p>
          {isOwner(rental, me)
            ? filled(
                (name) => words.asksMoreDays(name, day),
                <b>
                  <Words>{nameOf(borrower)}</Words>
                </b>,
              )
            : words.youAskedMoreDays(day)}
        </p>
        {extension.daysTaken && !isPast ? (
          <DaysTaken />
        ) : (
          <p className="dim t14">{isPast ? words.moreDaysPast : thenText(rental, extension.totalPrice)}</p>
        )}
        <div className="cardacts">
          {ANSWERS.filter((action) => allows(rental, action)).map((action) => (
            <Button
              key={action}
              variant={action === RentalAction.ACCEPT_EXTENSION ? "light" : "default"}
              loading={steps.isBusy(rental, action)}
              onClick={() => act(rental, action)}
            >
              {actionWords[action].label}
            </Button>
          ))}
        </div>
      </div>
    </Section>
  );
}

function Actions({ rental, me, steps, act }: ExtensionProps) {
  const actions = actionsOf(rental);
  if (actions.length === 0) return <Stick />;
  return (
    <Stick>
      {actions.map((action, i) => (
        <Button
          key={action}
          className={`${isCalledFor(action) ? "deed" : "deed quiet"} ${placeOf(i, actions.length)}`}
          size={i === 0 ? "lg" : "md"}
          variant={variantOf(action, i === 0, isToPay(rental, me))}
          c={isDestructive(action) ? "var(--gt-no-fg)" : undefined}
          loading={steps.isBusy(rental, action)}
          onClick={() => act(rental, action)}
        >
          {wordsOf(rental, action, me).label}
        </Button>
      ))}
    </Stick>
  );
}

/** A screen has one filled button. `isLight`: it is in the pay panel. */
function variantOf(action: RentalAction, isMain: boolean, isLight: boolean): string {
  if (!isMain || !isCalledFor(action)) return "default";
  return isLight ? "light" : "filled";
}

/** On a phone two stand in a row under the main one. */
function placeOf(index: number, count: number): string {
  if (index === 0) return "main-act";
  return index === count - 1 && index % 2 === 1 ? "main-act" : "";
}

export function RentalDetails({ rental, me }: { rental: Rental; me: string }) {
  const now = useNow();
  const { steps, act, sheet } = useActions(me);
  const { started, returned, completed, givenRating } = rental;
  return (
    <>
      <div className="two stack l padstick">
        <div className="stack l">
          <Head rental={rental} me={me} />
          <Hints rental={rental} me={me} />
          <MoreDays rental={rental} me={me} steps={steps} act={act} />
          <RentalPayment rental={rental} me={me} steps={steps} act={act} now={now} />
          <FactList rows={rowsOf(rental)} />
          <Quoted title={words.message} text={rental.message} />
          <Quoted title={words.whyDeclined} text={rental.declineNote} />
          {started !== undefined && (
            <Noted title={words.handedOver} noted={started} rental={rental} me={me} now={now} />
          )}
          {returned !== undefined && (
            <Noted title={words.returned} noted={returned} rental={rental} me={me} now={now} />
          )}
          {completed !== undefined && saysMore(completed) && (
            <Noted title={words.confirmed} noted={completed} rental={rental} me={me} now={now} />
          )}
          {givenRating !== undefined && (
            <p className="rating dim">
              <IconStarFilled size={18} aria-hidden="true" />
              {words.rated(givenRating)}
            </p>
          )}
          <Quoted title={words.yourNote} text={rental.givenNote} />
          <Quoted title={words.noteOf(firstName(nameOf(partnerOf(rental, me))))} text={rental.receivedNote} />
        </div>
        <Section title={storyWords.heading}>
          <Timeline label={storyWords.heading} steps={storyOf({ rental, me, now })} />
        </Section>
        <AboutItem id={rental.itemId} />
      </div>
      <Actions rental={rental} me={me} steps={steps} act={act} />
      {sheet}
    </>
  );
}
