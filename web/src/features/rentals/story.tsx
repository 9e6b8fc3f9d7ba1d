// The story of a rental as steps: what happened as the server tells it, then what is next and what is to come.
import {
  type Rental,
  type RentalEvent,
  RentalEventKind,
  RentalStatus,
} from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { nearDay } from "../../lib/days";
import { firstName, firstNameWithin } from "../../lib/names";
import { nearTime, toDate } from "../../lib/times";
import { filled } from "../../ui/filled";
import { priceIn } from "../../ui/item";
import type { Step } from "../../ui/Timeline";
import { Words } from "../../ui/Words";
import { isPast } from "./past";
import { nameOf } from "./look";
import { isOwner } from "./steps";
import { deedWords, gratitudeWords, type MoneyKind, moneyWords, storyWords } from "./storyWords";

type Told = { rental: Rental; me: string; now: Date };

const ENDS: ReadonlySet<RentalEventKind> = new Set([RentalEventKind.DECLINED, RentalEventKind.CANCELLED]);

/** Only the two sides do anything. */
function actorOf({ rental: { owner, borrower } }: Told, { actorId }: RentalEvent) {
  return [owner, borrower].find((party) => party !== undefined && party.uid === actorId && actorId !== "");
}

/** What time did, by what was there before. */
function lapsed({ story }: Rental): Pick<Step, "kind" | "what"> {
  const was = (event: RentalEventKind) => story.some(({ kind }) => kind === event);
  if (was(RentalEventKind.RETURNED)) return { kind: "done", what: storyWords.lapsedReturned };
  return { kind: "ended", what: was(RentalEventKind.ACCEPTED) ? storyWords.lapsedAccepted : storyWords.lapsed };
}

type Kind = Exclude<RentalEventKind, RentalEventKind.LAPSED>;
type Sentences = { you: string; who: (name: string) => string };

const isMoney = (kind: RentalEventKind): kind is MoneyKind => kind in moneyWords;

/** `amount` is that of a payment; 0 means that it is not known. */
function sentencesOf(kind: Kind, amount: number, { rental }: Told): Sentences {
  if (!isMoney(kind)) return deedWords[kind] ?? deedWords[RentalEventKind.UNSPECIFIED];
  const words = (rental.gratitude > 0 ? gratitudeWords[kind] : undefined) ?? moneyWords[kind];
  const price = amount > 0 ? priceIn(amount, rental.currency) : "";
  return { you: words.you(price), who: (name) => words.who(name, price) };
}

function pastStep(event: RentalEvent, key: string, told: Told): Step {
  const at = toDate(event.at);
  const when = at === undefined ? "" : nearTime(at, told.now);
  if (event.kind === RentalEventKind.LAPSED) return { key, ...lapsed(told.rental), when };
  const actor = actorOf(told, event);
  const { you, who } = sentencesOf(event.kind, event.amount, told);
  const name = firstName(nameOf(actor));
  return {
    key,
    kind: ENDS.has(event.kind) ? "ended" : "done",
    who: { displayName: nameOf(actor), profilePictureUrl: actor?.profilePictureUrl ?? "" },
    what:
      event.actorId === told.me
        ? you
        : filled(
            who,
            <b>
              <Words>{name}</Words>
            </b>,
          ),
    when,
  };
}

function nextOf({ rental, me }: Told): Pick<Step, "what" | "when"> | undefined {
  const { rentalStatus, owner, startDate, endDate, today } = rental;
  switch (rentalStatus) {
    case RentalStatus.PENDING:
      return {
        what: isOwner(rental, me) ? storyWords.waitingForYou : storyWords.waitingFor(firstNameWithin(nameOf(owner))),
        when: "",
      };
    case RentalStatus.ACCEPTED:
      return { what: storyWords.handOver, when: nearDay(startDate, today) };
    case RentalStatus.ACTIVE:
      return {
        what: (rental.daysLeft ?? 0) < 0 ? storyWords.wasDue : storyWords.giveBack,
        when: nearDay(endDate, today),
      };
    case RentalStatus.RETURNED:
      return { what: storyWords.confirm, when: "" };
    case RentalStatus.UNSPECIFIED:
    case RentalStatus.DECLINED:
    case RentalStatus.CANCELLED:
    case RentalStatus.COMPLETED:
      return undefined;
    default:
      return rentalStatus satisfies never;
  }
}

export function storyOf(told: Told): Step[] {
  const past = told.rental.story.map((event, i) => pastStep(event, `${event.kind}-${i}`, told));
  if (isPast(told.rental)) return [...past, { key: "next", kind: "next", what: storyWords.ends, when: "" }];
  const next = nextOf(told);
  if (next === undefined) return past;
  return [
    ...past,
    { key: "next", kind: "next", ...next },
    { key: "end", kind: "todo", what: storyWords.end, when: "" },
  ];
}
