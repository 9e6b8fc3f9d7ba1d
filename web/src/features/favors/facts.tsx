// The facts of a favor in full: when and where, what is given for it, and who helps, stands by or is asked.
import {
  IconCalendarEvent,
  IconChecklist,
  IconClockHour4,
  IconCoins,
  IconMapPin,
  IconUserShield,
  IconUsers,
  IconUsersGroup,
} from "@tabler/icons-react";
import type { Person } from "../../gen/goodturn/common/v1/person_pb";
import { type Favor, FavorStatus, RequestType } from "../../gen/goodturn/favors/v1/favors_service_pb";
import type { Recipient } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { namesOf } from "../../lib/lists";
import { DAY_MS, exactTime, relativeTime, toDate } from "../../lib/times";
import { Face, Faces } from "../../ui/Face";
import type { FactRow } from "../../ui/Facts";
import { Words } from "../../ui/Words";
import { cardWords } from "./cardWords";
import { DraftAsked } from "./DraftAsked";
import { tipOf } from "./look";
import { offerWords } from "./offerWords";
import { choosesWhom } from "./queries";
import { words } from "./words";

/** So many back-ups are named. */
const NAMED_MAX = 10;

function Contact({ name, email }: { name: string; email: string }) {
  return (
    <>
      <Words>{name}</Words>
      {email !== "" && (
        <a className="link mail" href={`mailto:${email}`}>
          <Words>{email}</Words>
        </a>
      )}
    </>
  );
}

/** `recipients` are unknown until the story is loaded. */
function peopleRow(favor: Favor, recipients: readonly Recipient[] | undefined): FactRow | undefined {
  const { helper } = favor;
  if (helper !== undefined)
    return {
      label: words.helper,
      value: <Contact name={helper.displayName} email={helper.email} />,
      face: <Face person={helper} size={44} />,
    };
  if (favor.status === FavorStatus.DRAFT)
    return choosesWhom(favor)
      ? { label: cardWords.willAsk, value: <DraftAsked draft={favor} />, icon: <IconUsers size={20} /> }
      : undefined;
  const label = words.asked;
  if (favor.requestType === RequestType.PUBLIC)
    return { label, value: cardWords.allFriends, icon: <IconUsersGroup size={20} /> };
  if (favor.recipients.length === 0) return undefined;
  const row = { label, icon: <IconUsers size={20} /> };
  if (recipients === undefined) {
    return { ...row, value: words.friends(favor.recipients.length) };
  }
  const people = recipients.flatMap((r) => (r.person === undefined ? [] : [r.person]));
  return { ...row, value: namesOf(people.map((p) => p.displayName)), aside: <Faces people={people} /> };
}

/** In the order in which they move up. */
function backUpRow(people: readonly Person[]): FactRow {
  const value = (
    <ol className="backups" data-one={people.length === 1 || undefined}>
      {people.slice(0, NAMED_MAX).map(({ uid, displayName }) => (
        <li key={uid}>
          <Words>{displayName}</Words>
        </li>
      ))}
      {people.length > NAMED_MAX && <li className="dim">{offerWords.others(people.length - NAMED_MAX)}</li>}
    </ol>
  );
  return {
    label: offerWords.backUps(people.length),
    value,
    icon: <IconUserShield size={20} />,
    aside: <Faces people={people} />,
  };
}

const OPEN: ReadonlySet<FavorStatus> = new Set([
  FavorStatus.PENDING,
  FavorStatus.ACTIVE,
  FavorStatus.OPEN,
  FavorStatus.DRAFT,
]);

function timeRows(favor: Favor, now: Date): FactRow[] {
  const start = toDate(favor.startDate);
  const confirmBy = toDate(favor.confirmationDate);
  const open = OPEN.has(favor.status);
  // What is done or called off does not come up.
  const comes = open || favor.status === FavorStatus.ACCEPTED;
  const first = {
    label: cardWords.start,
    value: start === undefined ? cardWords.notSpecified : exactTime(start, now),
    icon: <IconCalendarEvent size={20} />,
    aside: start === undefined || !comes ? undefined : relativeTime(start, now),
  };
  if (!open || confirmBy === undefined) return [first];
  const left_ms = confirmBy.getTime() - now.getTime();
  const urgent = favor.status !== FavorStatus.DRAFT && left_ms < DAY_MS;
  const deadline = {
    label: cardWords.confirmBy,
    value: exactTime(confirmBy, now),
    icon: <IconClockHour4 size={20} />,
    aside: relativeTime(confirmBy, now),
    ...(urgent ? { urgent, tone: "wait" as const } : {}),
  };
  return [first, deadline];
}

/** Who helps, who stands by, and how many may: the creator's to know. */
function creatorRows(favor: Favor, recipients: readonly Recipient[] | undefined): FactRow[] {
  const people = peopleRow(favor, recipients);
  const rows = people === undefined ? [] : [people];
  if (favor.backUps.length > 0) rows.push(backUpRow(favor.backUps));
  if (favor.maxResponses > 1 && (favor.status === FavorStatus.ACTIVE || favor.status === FavorStatus.ACCEPTED))
    rows.push({
      label: words.mayHelp,
      value: words.accepted(favor.responses, favor.maxResponses),
      icon: <IconChecklist size={20} />,
    });
  return rows;
}

/** The two sides of an accepted favor can write to each other. */
function helperRows({ requester, helper }: Favor, me: string): FactRow[] {
  if (requester === undefined || requester.email === "" || helper?.uid !== me) return [];
  const { name, email, profilePictureUrl } = requester;
  return [
    {
      label: words.contact,
      value: <Contact name={name} email={email} />,
      face: <Face person={{ displayName: name, profilePictureUrl }} size={44} />,
    },
  ];
}

type Told = {
  favor: Favor;
  recipients: readonly Recipient[] | undefined;
  me: string;
  now: Date;
  /** The tip stands with how it is paid. */
  isPaid: boolean;
};

export function factRows({ favor, recipients, me, now, isPaid }: Told): FactRow[] {
  const rows = timeRows(favor, now);
  if (favor.location !== "")
    rows.push({ label: words.where, value: <Words>{favor.location}</Words>, icon: <IconMapPin size={20} /> });
  if (favor.tip > 0 && !isPaid) rows.push({ label: words.tip, value: tipOf(favor), icon: <IconCoins size={20} /> });
  return [...rows, ...(favor.createdBy === me ? creatorRows(favor, recipients) : helperRows(favor, me))];
}
