// Home answers "what now": who waits for me, what is coming up, what was last.
import { ActionIcon, Button } from "@mantine/core";
import { IconChevronRight, IconUserPlus } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import { useAnswers } from "../features/favors/answers";
import { answerWords, cardWords } from "../features/favors/cardWords";
import { CategoryTile, tipOf } from "../features/favors/look";
import { FavorCard, factsOf } from "../features/favors/FavorCard";
import { favorPath, listPath } from "../features/favors/paths";
import { favorsOf, isWaiting, useActiveFavors, useReceivedFavors, useRecentFavors } from "../features/favors/queries";
import { useFriendRequests } from "../features/friends/queries";
import { type Favor, FavorAction, FavorStatus } from "../gen/goodturn/favors/v1/favors_service_pb";
import type { FriendRequest } from "../gen/goodturn/friends/v1/friends_service_pb";
import { part, quiet } from "../lib/parts";
import type { Member } from "../lib/session";
import { useTitle } from "../lib/title";
import { clockOf, daysUntil, toDate, useNow, weekdayOf } from "../lib/times";
import { HomeFrame, waitingParts } from "./HomeTop";
import { words } from "./homeWords";
import { useProgress } from "./progress";
import { useEarned } from "./stats";
import { words as frameWords } from "./words";
import { Face } from "../ui/Face";
import { Facts } from "../ui/Facts";
import { filled } from "../ui/filled";
import { type Asked, both, Loaded } from "../ui/Loaded";
import { Piece } from "../ui/Piece";
import { Section } from "../ui/Pieces";
import { CardSkeletons, RowSkeletons } from "../ui/Skeletons";
import { Words } from "../ui/Words";

const COMING_MAX = 5;
/** The others stand in their list. */
const ASKED_MAX = 5;
const DUE_MAX_MS = 8000;

// With drawings, and for few.
const NoRecent = part(() => import("./NoRecent").then((m) => m.NoRecent));
const DueList = quiet(
  () => import("../features/rentals/DueList").then((m) => m.DueList),
  () => "soon",
);
const FirstSteps = part(() => import("./FirstSteps").then((m) => m.FirstSteps));

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

/** One's own favor, for which somebody offers help or another time. */
function OfferedRow({ favor }: { favor: Favor }) {
  const { applicants } = favor;
  return (
    <Row
      tile={<CategoryTile category={favor.category} />}
      href={favorPath(favor.id)}
      line={applicants.length > 0 ? words.offers(applicants.length) : words.timeProposed}
    >
      <Words>{favor.title}</Words>
    </Row>
  );
}

type Coming = { favor: Favor; mine: boolean; at: Date; line: string };

function lineOf(favor: Favor, mine: boolean, isPast: boolean): string {
  // Nobody is asked any more once it should have begun.
  if (favor.status !== FavorStatus.ACCEPTED) return isPast ? words.startPassed : words.waitsForAnswer;
  // Of those who stand by each is told of themself alone.
  if (!mine) return words[favor.backUps.length > 0 ? "youBackUp" : "youHelp"](favor.requester?.name ?? "");
  return favor.helper === undefined ? words.somebodyHelpsYou : words.helpsYou(favor.helper.displayName);
}

/** What is agreed or asked for, from today on, in the order of its time. */
function comingUp(own: readonly Favor[], received: readonly Favor[], now: Date): Coming[] {
  const asked = own
    .filter((f) => f.status === FavorStatus.ACTIVE || f.status === FavorStatus.ACCEPTED)
    .map((favor) => ({ favor, mine: true }));
  const helping = received.filter((f) => f.status === FavorStatus.ACCEPTED).map((favor) => ({ favor, mine: false }));
  return [...asked, ...helping]
    .flatMap(({ favor, mine }) => {
      const at = toDate(favor.startDate);
      return at === undefined || daysUntil(at, now) < 0
        ? []
        : [{ favor, mine, at, line: lineOf(favor, mine, at < now) }];
    })
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .slice(0, COMING_MAX);
}

function ComingUp({ coming, now }: { coming: readonly Coming[]; now: Date }) {
  const dayName = (at: Date): string => {
    const day = weekdayOf(at);
    return [words.todayIs(day), words.tomorrowIs(day)][daysUntil(at, now)] ?? day;
  };
  return (
    <div className="card flush">
      {coming.map(({ favor, mine, at, line }, i) => {
        const day = dayName(at);
        const before = coming[i - 1];
        return (
          <div key={favor.id}>
            {(before === undefined || dayName(before.at) !== day) && <h3 className="dayhead dim t14">{day}</h3>}
            <Link className="coming" href={favorPath(favor.id, mine ? {} : { view: "helping" })}>
              <span className="t14 b6 num at">{clockOf(at)}</span>
              <CategoryTile category={favor.category} />
              <span className="grow">
                <span className="clamp2 b6">
                  <Words>{favor.title || cardWords.untitled}</Words>
                </span>
                <span className="clamp2 dim t14">{line}</span>
              </span>
            </Link>
          </div>
        );
      })}
    </div>
  );
}

function Recent({ me }: { me: string }) {
  return (
    <Loaded
      query={useRecentFavors()}
      skeleton={<CardSkeletons label={cardWords.loading} />}
      failed={cardWords.activeFailed}
      isEmpty={(favors) => favors.length === 0}
      empty={
        <Piece skeleton={<CardSkeletons label={cardWords.loading} />}>
          <NoRecent />
        </Piece>
      }
    >
      {(favors) => (
        <ul className="plainlist stack" aria-label={words.recent}>
          {favors.map((favor) => (
            <li key={favor.id}>
              <FavorCard favor={favor} me={me} href={favorPath(favor.id)} heading="h3" />
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}

type Answers = { asked: readonly Favor[]; offered: readonly Favor[]; requests: readonly FriendRequest[] };

const isOffered = ({ allowedActions }: Favor): boolean =>
  allowedActions.includes(FavorAction.CHOOSE) || allowedActions.includes(FavorAction.ACCEPT_TIME);

/**
 * One neighbor may ask twice. Who proposes another time is told with the favor alone. Before it is known who asks to borrow, it is not said that
 * nobody waits.
 */
function answerLine({ asked, offered, requests }: Answers, lent: readonly string[] | null | undefined): string {
  const offer = offered.flatMap((f) => (f.applicants.length > 0 ? f.applicants.map((a) => a.person?.uid) : f.id));
  const waiting = new Set([...asked.map((f) => f.createdBy), ...offer, ...requests.map((r) => r.user?.uid)]);
  lent?.forEach((uid) => waiting.add(uid));
  return !lent && waiting.size === 0 ? "" : words.neighborsWait(waiting.size);
}

function NeedsAnswer({ answers, now }: { answers: Answers; now: Date }) {
  const { asked, offered, requests } = answers;
  const count = asked.length + offered.length + requests.length;
  if (count === 0) return null;
  return (
    <Section
      title={words.needsAnswer}
      count={count}
      waits
      aside={
        asked.length > ASKED_MAX && (
          <Link className="link end" href={listPath({ view: "asked" })}>
            {words.seeAll}
          </Link>
        )
      }
    >
      <div className="stack">
        {asked.slice(0, ASKED_MAX).map((favor) => (
          <AskedCard key={favor.id} favor={favor} now={now} />
        ))}
        {offered.slice(0, ASKED_MAX).map((favor) => (
          <OfferedRow key={favor.id} favor={favor} />
        ))}
        {requests.length > 0 && <FriendRequestsRow count={requests.length} />}
      </div>
    </Section>
  );
}

/** What is planned, beside the rest: an empty plan says so, and how to fill it. */
function Plan({ query, now }: { query: Asked<readonly Coming[]>; now: Date }) {
  return (
    <Section title={words.comingUp}>
      <Loaded
        query={query}
        skeleton={<RowSkeletons label={cardWords.loading} count={2} />}
        failed={cardWords.activeFailed}
        small
        isEmpty={(coming) => coming.length === 0}
        empty={
          <div className="card stack s">
            <p className="b6">{words.nothingPlanned}</p>
            <p className="dim t14">{words.nothingPlannedText}</p>
            <Link className="link" href={listPath({ tab: "create" })}>
              {frameWords.requestFavor}
            </Link>
          </div>
        }
      >
        {(coming) => <ComingUp coming={coming} now={now} />}
      </Loaded>
    </Section>
  );
}

export function HomeScreen({ member }: { member: Member }) {
  const now = useNow();
  const received = useReceivedFavors();
  const own = useActiveFavors();
  const requests = useFriendRequests();
  const earned = useEarned();
  const progress = useProgress();
  /** Who asks to borrow; null where that is not known for now. */
  const [lent, hearLent] = useState<readonly string[] | null>();
  const isHeld = lent === undefined;
  useTitle("");
  // What has an answer is shown, and what failed says so; only what nobody has answered yet keeps Home waiting.
  const isLate = [received, own, requests, earned].some((query) => query.isPending) || progress === undefined;
  // Once it is shown it stays: what has failed is asked again by the part that shows it.
  const [isShown, show] = useState(!isLate);
  if (!isLate && !isShown) show(true);
  // What stands under what is due would be pushed down by it, and waits for it, but not for ever.
  useEffect(() => {
    const timer = isShown && setTimeout(() => hearLent((known) => known ?? null), DUE_MAX_MS);
    return () => clearTimeout(timer || undefined);
  }, [isShown]);
  if (!isShown) return <HomeFrame member={member} {...waitingParts()} />;
  const waiting = both(received, requests, (favors, open) => ({
    asked: favorsOf(favors).filter(isWaiting),
    requests: open.received,
  }));
  const offered = own.data === undefined ? [] : favorsOf(own.data).filter(isOffered);
  const answers = both(waiting, own, (others) => ({ ...others, offered }));
  const plan = both(own, received, (mine, asked) => comingUp(favorsOf(mine), favorsOf(asked), now));
  return (
    <HomeFrame
      member={member}
      line={
        <Loaded query={answers} skeleton={null} failed={words.neighborsFailed} small>
          {(all) => answerLine(all, lent)}
        </Loaded>
      }
      earned={earned.data}
      aside={<Plan query={plan} now={now} />}
    >
      {waiting.data && <NeedsAnswer answers={{ ...waiting.data, offered }} now={now} />}
      <DueList me={member.uid} onWait={hearLent} />
      {isHeld && <CardSkeletons label={frameWords.loadingHome} />}
      <div className={isHeld ? undefined : "stack l"} hidden={isHeld}>
        {progress && (
          <Piece skeleton={<RowSkeletons label={frameWords.loadingHome} count={2} />}>
            <FirstSteps progress={progress} />
          </Piece>
        )}
        <div className="only-narrow">{plan.data && plan.data.length > 0 && <Plan query={plan} now={now} />}</div>
        {progress === null && (
          <Section
            title={words.recent}
            aside={
              <Link className="link end" href={listPath()}>
                {words.seeAll}
              </Link>
            }
          >
            <Recent me={member.uid} />
          </Section>
        )}
      </div>
    </HomeFrame>
  );
}
