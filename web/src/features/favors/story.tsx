// The story of a favor as steps: what happened as the server tells it, then what is next and what is to come.
import {
  type Favor,
  type FavorEvent,
  FavorEventKind,
  FavorResponse,
  FavorStatus,
  type Recipient,
} from "../../gen/goodturn/favors/v1/favors_service_pb";
import { daysUntil, nearTime, relativeTime, toDate } from "../../lib/times";
import { namesOf } from "../../ui/Face";
import type { Step } from "../../ui/Timeline";
import { words } from "./words";

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

const firstName = (name: string): string => name.split(" ")[0] || name;

const deeds: Record<FavorEventKind, string> = {
  [FavorEventKind.UNSPECIFIED]: "",
  [FavorEventKind.DRAFTED]: "saved a draft",
  [FavorEventKind.POSTED]: "posted this favor",
  [FavorEventKind.ACCEPTED]: "accepted",
  [FavorEventKind.DECLINED]: "can't help",
  [FavorEventKind.ANOTHER_TIME]: "offered another time",
  [FavorEventKind.COMPLETED]: "marked it completed",
  [FavorEventKind.SETTLED]: "marked it settled",
  [FavorEventKind.CANCELLED]: "cancelled this favor",
};

function pastStep(event: FavorEvent, index: number, { me, now }: Told): Step {
  const at = toDate(event.at);
  const mine = event.actor?.uid === me;
  const name = event.actor?.displayName ?? "";
  const deed = mine && event.kind === FavorEventKind.DECLINED ? "declined" : deeds[event.kind];
  return {
    key: `${event.kind}-${index}`,
    kind: event.kind === FavorEventKind.CANCELLED ? "ended" : "done",
    who: event.actor,
    what: (
      <>
        {mine ? "You" : <b>{firstName(name)}</b>} {deed}
        {event.message !== "" && (
          <p className="quote" style={{ marginTop: 8, fontWeight: 400 }}>
            {event.message}
          </p>
        )}
      </>
    ),
    when: at === undefined ? "" : nearTime(at, now),
  };
}

export const isUnanswered = ({ response }: Recipient): boolean => response === FavorResponse.UNSPECIFIED;

function waitingStep({ recipients, me, favor }: Told): Step {
  if (favor.createdBy !== me)
    return { key: "next", kind: "next", what: "Waiting for your answer", when: "The first to accept helps" };
  const names = namesOf(recipients.map((r) => firstName(r.person?.displayName ?? "")));
  const open = recipients.filter(isUnanswered).length;
  const answers =
    open === recipients.length
      ? "Nobody has answered yet"
      : `${recipients.length - open} of ${recipients.length} have answered`;
  return {
    key: "next",
    kind: "next",
    what: `${names} ${recipients.length === 1 ? "was" : "were"} asked`,
    when: answers,
  };
}

function happeningStep({ favor, now }: Told): Step {
  const start = toDate(favor.startDate);
  if (start === undefined || start.getTime() <= now.getTime())
    return { key: "next", kind: "next", what: "Waiting to be marked completed", when: "" };
  const when = `${nearTime(start, now)}, ${relativeTime(start, now)}`;
  return { key: "next", kind: "next", what: daysUntil(start, now) === 0 ? "Happening today" : "Coming up", when };
}

function stepsAhead(told: Told): Step[] {
  const { favor, me } = told;
  const mine = favor.createdBy === me;
  const end: Step = {
    key: "end",
    kind: "todo",
    what: "Completed and settled",
    when: mine ? "You say when it is done" : "",
  };
  switch (favor.status) {
    case FavorStatus.DRAFT:
      return [{ key: "next", kind: "next", what: "Not posted yet", when: "Only you can see this draft" }, end];
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
          what: "To be settled",
          when: mine ? "When the tip and everything else is resolved" : "",
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
