// The story of a favor as steps: what happened as the server tells it, then what is next and what is to come.
import { type Favor, FavorAction, FavorStatus, RequestType } from "../../gen/goodturn/favors/v1/favors_service_pb";
import {
  type FavorEvent,
  FavorEventKind,
  FavorResponse,
  type Recipient,
} from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { daysUntil, nearTime, relativeTime, toDate } from "../../lib/times";
import { namesOf } from "../../lib/lists";
import { firstName, firstNameWithin } from "../../lib/names";
import { filled } from "../../ui/filled";
import type { Step } from "../../ui/Timeline";
import { allows } from "./steps";
import { deedWords, storyWords } from "./storyWords";
import { words } from "./words";
import { Words } from "../../ui/Words";

type Told = {
  favor: Favor;
  events: readonly FavorEvent[];
  /** Whether there were steps before these. */
  hasEarlier: boolean;
  recipients: readonly Recipient[];
  me: string;
  now: Date;
};

const earlier: Step = { key: "earlier", kind: "todo", what: words.earlierSteps, when: "" };

function pastStep(event: FavorEvent, index: number, { me, now }: Told): Step {
  const at = toDate(event.at);
  const name = event.actor?.displayName ?? "";
  const { you, who } = deedWords[event.kind] ?? deedWords[FavorEventKind.UNSPECIFIED];
  return {
    key: `${event.kind}-${index}`,
    kind: event.kind === FavorEventKind.CANCELLED ? "ended" : "done",
    who: event.actor,
    what: (
      <>
        {event.actor?.uid === me
          ? you
          : filled(
              who,
              <b>
                <Words>{firstName(name)}</Words>
              </b>,
            )}
        {event.message !== "" && (
          <p className="quote" style={{ marginTop: "0.5rem", fontWeight: 400 }}>
            <Words>{event.message}</Words>
          </p>
        )}
      </>
    ),
    when: at === undefined ? "" : nearTime(at, now),
  };
}

export const isUnanswered = ({ response }: Recipient): boolean => response === FavorResponse.UNSPECIFIED;

export const isOtherTime = ({ response }: Recipient): boolean => response === FavorResponse.ANOTHER_TIME;

/** Whether somebody's other time is one that the creator can take. */
export const isTimeProposed = (favor: Favor, recipient: Recipient): boolean =>
  allows(favor, FavorAction.ACCEPT_TIME) && isOtherTime(recipient) && recipient.proposedStart !== undefined;

/** What is next for somebody else than the creator. */
function waitingFor({ recipients, me, favor, now }: Told): Step {
  const mine = recipients.find((r) => r.person?.uid === me);
  const start = toDate(mine?.proposedStart);
  const when = start === undefined ? "" : storyWords.youProposed(nearTime(start, now));
  const step = { key: "next", kind: "next", when } as const;
  // Who was asked beside all friends answers as others who were asked.
  const isOffered = favor.applicants.length > 0;
  if (mine === undefined && favor.status === FavorStatus.OPEN && !isOffered)
    return { ...step, what: storyWords.waitingForOffers };
  const isMineToSay = !isOffered && (mine === undefined || isUnanswered(mine));
  const requester = firstNameWithin(favor.requester?.name ?? "");
  return { ...step, what: isMineToSay ? storyWords.waitingForYou : storyWords.waitingFor(requester) };
}

/** What the creator may do with an offer of another time. */
function offeredOf({ favor, recipients }: Told, answers: string): string {
  const others = recipients.filter(isOtherTime);
  if (others.length === 0) return answers;
  const isTakeable = others.some((r) => isTimeProposed(favor, r));
  return isTakeable ? storyWords.takeIt(answers) : storyWords.moveIt(answers);
}

function waitingStep(told: Told): Step {
  const { recipients, me, favor, now } = told;
  if (favor.createdBy !== me) return waitingFor(told);
  const start = toDate(favor.startDate);
  const isOffered = allows(favor, FavorAction.CHOOSE) || allows(favor, FavorAction.ACCEPT_TIME);
  if (start !== undefined && start.getTime() <= now.getTime() && !isOffered)
    return { key: "next", kind: "next", what: storyWords.startPassed, when: storyWords.moveOrCancel };
  const names = namesOf(recipients.map((r, i) => (i === 0 ? firstName : firstNameWithin)(r.person?.displayName ?? "")));
  const open = recipients.filter(isUnanswered).length;
  const isDeclined = recipients.every(({ response }) => response === FavorResponse.DECLINE);
  const answers = isDeclined
    ? storyWords.allDeclined(recipients.length)
    : storyWords.answered(recipients.length - open, recipients.length);
  if (favor.requestType === RequestType.PUBLIC) {
    const isForAll = recipients.length === 0 || favor.applicants.length > 0;
    const when = isForAll ? storyWords.offers(favor.applicants.length) : offeredOf(told, answers);
    return { key: "next", kind: "next", what: storyWords.openToAll, when };
  }
  return {
    key: "next",
    kind: "next",
    what: storyWords.asked(names, recipients.length),
    when: offeredOf(told, answers),
  };
}

function happeningStep({ favor, now }: Told): Step {
  const start = toDate(favor.startDate);
  if (start === undefined || start.getTime() <= now.getTime())
    return { key: "next", kind: "next", what: storyWords.toComplete, when: "" };
  const days = daysUntil(start, now);
  const time = nearTime(start, now);
  // "Tomorrow" says how far that is.
  const when = days === 1 ? time : storyWords.at(time, relativeTime(start, now));
  return {
    key: "next",
    kind: "next",
    what: days === 0 ? storyWords.today : storyWords.comingUp,
    when,
  };
}

function stepsAhead(told: Told): Step[] {
  const { favor, me } = told;
  const mine = favor.createdBy === me;
  const end: Step = {
    key: "end",
    kind: "todo",
    what: storyWords.end,
    when: mine ? storyWords.youSay : "",
  };
  switch (favor.status) {
    case FavorStatus.DRAFT:
      return [{ key: "next", kind: "next", what: storyWords.notPosted, when: storyWords.onlyYou }, end];
    case FavorStatus.ACTIVE:
    case FavorStatus.PENDING:
    case FavorStatus.OPEN:
      return [waitingStep(told), end];
    case FavorStatus.ACCEPTED:
      return [happeningStep(told), end];
    case FavorStatus.COMPLETED:
      return [
        {
          key: "next",
          kind: "next",
          what: storyWords.toSettle,
          when: mine ? storyWords.whenResolved : "",
        },
      ];
    case FavorStatus.UNSPECIFIED:
    case FavorStatus.SETTLED:
    case FavorStatus.CANCELLED:
    case FavorStatus.DECLINED:
      return [];
    default:
      return favor.status satisfies never;
  }
}

export function storyOf(told: Told): Step[] {
  // A draft is the beginning of a story only as long as nothing followed it.
  const past = told.events.filter((e) => e.kind !== FavorEventKind.DRAFTED || told.favor.status === FavorStatus.DRAFT);
  const steps = [...past.map((event, i) => pastStep(event, i, told)), ...stepsAhead(told)];
  return told.hasEarlier ? [earlier, ...steps] : steps;
}
