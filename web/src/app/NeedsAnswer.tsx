// Everything that needs the member's answer, in one list with one number.
import { ActionIcon, Button } from "@mantine/core";
import { IconChevronRight, IconUserPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useAnswers } from "../features/favors/answers";
import { answerWords, cardWords } from "../features/favors/cardWords";
import { factsOf } from "../features/favors/cardFacts";
import { CategoryTile, tipOf } from "../features/favors/look";
import { favorPath, listPath } from "../features/favors/paths";
import type { Planned } from "../features/rentals/planned";
import { type Favor, FavorAction } from "../gen/goodturn/favors/v1/favors_service_pb";
import type { FriendRequest } from "../gen/goodturn/friends/v1/friends_service_pb";
import { part } from "../lib/parts";
import { sharePath } from "../lib/sharing";
import { Face } from "../ui/Face";
import { Facts } from "../ui/Facts";
import { filled } from "../ui/filled";
import { Piece } from "../ui/Piece";
import { Section } from "../ui/Pieces";
import { Words } from "../ui/Words";
import { words } from "./homeWords";

/** The others stand in their list. */
const ASKED_MAX = 5;

/** It comes with what is due. */
const WaitingRentals = part(() => import("../features/rentals/DueList").then((m) => m.WaitingRentals));

/** Null where it is not known for now, undefined before it is. */
type Lent = readonly Planned[] | null | undefined;

function AskedCard({ favor, now }: { favor: Favor; now: Date }) {
  const answers = useAnswers();
  const name = favor.requester?.name || cardWords.unknownRequester;
  const can = (action: FavorAction): boolean => favor.allowedActions.includes(action);
  return (
    <article className="card arrives stack">
      <div className="asked">
        <Face person={{ displayName: name, profilePictureUrl: favor.requester?.profilePictureUrl ?? "" }} />
        <p className="dim t14">
          {filled(
            words.asks,
            <b className="ink">
              <Words>{name}</Words>
            </b>,
          )}
        </p>
        <h3 className="t16 b6 clamp2">
          <Link className="cover" href={favorPath(favor.id, { view: "asked" })}>
            <Words>{favor.title || cardWords.untitled}</Words>
          </Link>
        </h3>
        {favor.tip > 0 && (
          <span className="badge soft num" data-tone="ok">
            {tipOf(favor)}
          </span>
        )}
      </div>
      <Facts facts={factsOf(favor, now)} />
      <div className="row s over">
        {can(FavorAction.ACCEPT) && (
          <Button
            className="grow"
            variant="light"
            loading={answers.busy === FavorAction.ACCEPT}
            onClick={() => void answers.asked(favor, FavorAction.ACCEPT)}
          >
            {answerWords.accept}
          </Button>
        )}
        {can(FavorAction.DECLINE) && (
          <Button
            variant="default"
            loading={answers.busy === FavorAction.DECLINE}
            onClick={() => void answers.asked(favor, FavorAction.DECLINE)}
          >
            {answerWords.decline}
          </Button>
        )}
        <ActionIcon
          component={Link}
          variant="default"
          href={favorPath(favor.id, { view: "asked" })}
          aria-label={words.moreAbout(favor.title)}
        >
          <IconChevronRight />
        </ActionIcon>
      </div>
    </article>
  );
}

/** What is answered on a screen of its own. */
function Row({ tile, href, line, children }: { tile: ReactNode; href: string; line?: string; children: ReactNode }) {
  return (
    <article className="card tap row">
      {tile}
      <div className="grow">
        <h3 className="t16 b6 clamp2">
          <Link className="cover" href={href}>
            {children}
          </Link>
        </h3>
        {line !== undefined && <p className="dim t14">{line}</p>}
      </div>
      <IconChevronRight size={20} aria-hidden="true" />
    </article>
  );
}

function FriendRequestsRow({ count }: { count: number }) {
  const tile = (
    <span className="tile" data-tint="sky" aria-hidden="true">
      <IconUserPlus size={24} stroke={1.75} />
    </span>
  );
  return (
    <Row tile={tile} href="/friends/requests">
      {words.friendRequests(count)}
    </Row>
  );
}

/** What came of asking for one's own favor, which waits for the member then. */
export const offerLine = ({ applicants }: Favor): string =>
  applicants.length > 0 ? words.offers(applicants.length) : cardWords.timeProposed;

/** One's own favor, for which somebody offers help or another time. */
function OfferedRow({ favor }: { favor: Favor }) {
  return (
    <Row tile={<CategoryTile category={favor.category} />} href={favorPath(favor.id)} line={offerLine(favor)}>
      <Words>{favor.title}</Words>
    </Row>
  );
}

export type Answers = { asked: readonly Favor[]; offered: readonly Favor[]; requests: readonly FriendRequest[] };

export const isOffered = ({ allowedActions }: Favor): boolean =>
  allowedActions.includes(FavorAction.CHOOSE) || allowedActions.includes(FavorAction.DECLINE_TIME);

/** As many as the section counts; undefined as long as it is not known who asks to borrow. */
function countOf({ asked, offered, requests }: Answers, lent: Lent): number | undefined {
  return lent === undefined ? undefined : asked.length + offered.length + requests.length + (lent?.length ?? 0);
}

/** Where it is not known who asks to borrow, it is not said that nobody waits. */
export function answerLine(answers: Answers, lent: Lent): string {
  const count = countOf(answers, lent);
  return count === undefined || (count === 0 && lent === null) ? "" : words.thingsWait(count);
}

/** Each in its own list, where there are more than Home shows. */
function More({ asked, lent }: { asked: readonly Favor[]; lent: Lent }) {
  const isLent = (lent?.length ?? 0) > ASKED_MAX;
  if (asked.length <= ASKED_MAX && !isLent) return null;
  return (
    <Link className="link end" href={asked.length > ASKED_MAX ? listPath({ view: "asked" }) : sharePath("requests")}>
      {words.seeAll}
    </Link>
  );
}

/** All that waits for the member's word, of favors, friends and rentals: the line under the greeting has the same number. */
export function NeedsAnswer({ answers, lent, now }: { answers: Answers; lent: Lent; now: Date }) {
  const { asked, offered, requests } = answers;
  const isLent = lent !== undefined && lent !== null && lent.length > 0;
  if (asked.length + offered.length + requests.length === 0 && !isLent) return null;
  return (
    <Section
      title={words.needsAnswer}
      count={countOf(answers, lent) ?? 0}
      waits
      aside={<More asked={asked} lent={lent} />}
    >
      <div className="stack">
        {asked.slice(0, ASKED_MAX).map((favor) => (
          <AskedCard key={favor.id} favor={favor} now={now} />
        ))}
        {offered.slice(0, ASKED_MAX).map((favor) => (
          <OfferedRow key={favor.id} favor={favor} />
        ))}
        {requests.length > 0 && <FriendRequestsRow count={requests.length} />}
        {isLent && (
          <Piece skeleton={null}>
            <WaitingRentals waiting={lent.slice(0, ASKED_MAX)} label={words.rentalsWait} />
          </Piece>
        )}
      </div>
    </Section>
  );
}
