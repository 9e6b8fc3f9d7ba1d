// Those whom the creator can take: who offers to help, and who could at another time. Each with their words, and the button beside them.
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Person } from "../../gen/goodturn/common/v1/person_pb";
import { type Applicant, type Favor, FavorAction } from "../../gen/goodturn/favors/v1/favors_service_pb";
import type { Recipient } from "../../gen/later/goodturn/favors/v1/favors_service_pb";
import { exactTime, nearTime, relativeTime, toDate, useNow } from "../../lib/times";
import { Face } from "../../ui/Face";
import { Section } from "../../ui/Pieces";
import { words as frameWords } from "../../ui/shellWords";
import { Words } from "../../ui/Words";
import { offerWords } from "./offerWords";
import { allows, type Busy, useSteps } from "./steps";
import { isOtherTime } from "./story";

/** So many are shown at first. */
const SHOWN_AT_FIRST = 20;

type OfferProps = { person: Person; line: ReactNode; message: string; children: ReactNode };

/** `line` is what stands under the name. */
function Offer({ person, line, message, children }: OfferProps) {
  return (
    <li>
      <Face person={person} size={44} />
      <div className="grow">
        <p className="b6 one">
          <Words>{person.displayName}</Words>
        </p>
        <p className="t14">{line}</p>
      </div>
      {children}
      {message !== "" && (
        <p className="quote">
          <Words>{message}</Words>
        </p>
      )}
    </li>
  );
}

type ListProps<T> = { title: string; all: readonly T[]; children: (one: T) => ReactNode };

function OfferList<T>({ title, all, children }: ListProps<T>) {
  const [isWhole, setWhole] = useState(false);
  return (
    <Section title={title} count={all.length} waits>
      <ul className="card flush list people offers" aria-label={title}>
        {(isWhole ? all : all.slice(0, SHOWN_AT_FIRST)).map(children)}
      </ul>
      {!isWhole && all.length > SHOWN_AT_FIRST && (
        <Button variant="subtle" onClick={() => setWhole(true)}>
          {frameWords.showMore}
        </Button>
      )}
    </Section>
  );
}

type Props = { favor: Favor; onAct?: (() => void) | undefined };

const isWith = (busy: Busy | undefined, person: Person): boolean => busy?.uid === person.uid;

/** Who offers to help for a public favor, the first first. */
export function Applicants({ favor, onAct }: Props) {
  const now = useNow();
  const steps = useSteps();

  function choose({ uid, displayName }: Person): void {
    onAct?.();
    const said = { title: offerWords.chooseTitle(displayName), text: offerWords.chooseText, yes: offerWords.choose };
    void steps.asked({ favor, action: FavorAction.CHOOSE, uid }, said);
  }

  const line = ({ appliedAt }: Applicant): ReactNode => {
    const at = toDate(appliedAt);
    return at === undefined ? null : <span className="dim">{nearTime(at, now)}</span>;
  };
  return (
    <OfferList title={offerWords.applicants} all={favor.applicants}>
      {(applicant) =>
        applicant.person !== undefined && (
          <Offer
            key={applicant.person.uid}
            person={applicant.person}
            line={line(applicant)}
            message={applicant.message}
          >
            <Button
              variant="light"
              aria-label={offerWords.chooseName(applicant.person.displayName)}
              loading={isWith(steps.busy, applicant.person)}
              onClick={() => applicant.person !== undefined && choose(applicant.person)}
            >
              {offerWords.choose}
            </Button>
          </Offer>
        )
      }
    </OfferList>
  );
}

type Proposal = { person: Person; start: Recipient["proposedStart"]; at: Date | undefined; message: string };

const proposalOf = ({ person, proposedStart: start, message }: Recipient): Proposal[] =>
  person === undefined ? [] : [{ person, start, at: toDate(start), message }];

type TimesProps = Props & { me: string; recipients: readonly Recipient[] };

/** Who could at another time: the favor can be moved there in one step, or the time be declined. */
export function ProposedTimes({ favor, me, recipients, onAct }: TimesProps) {
  const now = useNow();
  const steps = useSteps();
  const all = recipients.filter(isOtherTime).flatMap(proposalOf);

  function take({ person, start }: Proposal, at: Date): void {
    onAct?.();
    const text = offerWords.takeText(person.displayName, exactTime(at, now));
    const said = { title: offerWords.takeTitle, text, yes: offerWords.take };
    void steps.asked({ favor, action: FavorAction.ACCEPT_TIME, uid: person.uid, start }, said);
  }

  function decline({ person: { uid, displayName }, start }: Proposal): void {
    onAct?.();
    const action = FavorAction.DECLINE_TIME;
    const originally = toDate(favor.startDate);
    const isLate = originally !== undefined && originally < now;
    const text = offerWords[isLate ? "declineLate" : "declineText"](displayName);
    const said = { title: offerWords.declineTitle, text, yes: offerWords.decline };
    const along = { me, form: `said-${action}/${favor.id}/${uid}`, label: offerWords.message };
    void steps.asked({ favor, action, uid, start }, said, along);
  }

  if (all.length === 0) return null;
  return (
    <OfferList title={offerWords.times} all={all}>
      {(one) => (
        <Offer
          key={one.person.uid}
          person={one.person}
          message={one.message}
          line={
            one.at !== undefined && (
              <>
                <span className="b5">{exactTime(one.at, now)}</span>
                <span className="dim">{relativeTime(one.at, now)}</span>
              </>
            )
          }
        >
          <TimeButtons
            favor={favor}
            one={one}
            now={now}
            busy={isWith(steps.busy, one.person) ? steps.busy?.action : undefined}
            onTake={take}
            onDecline={decline}
          />
        </Offer>
      )}
    </OfferList>
  );
}

type ButtonsProps = {
  favor: Favor;
  one: Proposal;
  now: Date;
  busy: FavorAction | undefined;
  onTake: (one: Proposal, at: Date) => void;
  onDecline: (one: Proposal) => void;
};

function TimeButtons({ favor, one, now, busy, onTake, onDecline }: ButtonsProps) {
  const { at, person } = one;
  return (
    <div className="row s wraps">
      {at !== undefined && at >= now && allows(favor, FavorAction.ACCEPT_TIME) && (
        <Button
          variant="light"
          aria-label={offerWords.takeTime(person.displayName, exactTime(at, now))}
          loading={busy === FavorAction.ACCEPT_TIME}
          onClick={() => onTake(one, at)}
        >
          {offerWords.take}
        </Button>
      )}
      <Button
        variant="default"
        aria-label={offerWords.declineTime(person.displayName)}
        loading={busy === FavorAction.DECLINE_TIME}
        onClick={() => onDecline(one)}
      >
        {offerWords.decline}
      </Button>
    </div>
  );
}
