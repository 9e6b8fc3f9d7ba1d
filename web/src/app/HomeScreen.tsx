// Home answers "what now": who waits for me, what is coming up, what was last.
import { Skeleton } from "@mantine/core";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { cardWords } from "../features/favors/cardWords";
import { CategoryTile } from "../features/favors/look";
import { favorPath, listPath } from "../features/favors/paths";
import { favorsOf, isWaiting, useActiveFavors, useReceivedFavors } from "../features/favors/queries";
import { useFriendRequests } from "../features/friends/queries";
import type { Planned } from "../features/rentals/planned";
import { type Favor, FavorStatus } from "../gen/goodturn/favors/v1/favors_service_pb";
import { part, quiet } from "../lib/parts";
import type { Member } from "../lib/session";
import { useTitle } from "../lib/title";
import { clockOf, daysUntil, toDate, useNow, weekdayOf } from "../lib/times";
import { HomeFrame, waitingParts } from "./HomeTop";
import { answerLine, isOffered, NeedsAnswer, offerLine } from "./NeedsAnswer";
import { words } from "./homeWords";
import { useHidden, useProgress } from "./progress";
import { useEarned } from "./stats";
import { words as frameWords } from "./words";
import { type Asked, both, Loaded } from "../ui/Loaded";
import { Piece } from "../ui/Piece";
import { Section } from "../ui/Pieces";
import { CardSkeletons, RowSkeletons } from "../ui/Skeletons";
import { Words } from "../ui/Words";

const COMING_MAX = 5;
const DUE_MAX_MS = 8000;

const DueList = quiet(
  () => import("../features/rentals/DueList").then((m) => m.DueList),
  () => "soon",
);
const FriendsAsk = quiet(
  () => import("../features/favors/FriendsAsk").then((m) => m.FriendsAsk),
  () => "soon",
);
const Recent = part(() => import("./Recent").then((m) => m.Recent));
const Beginnings = part(() => import("./FirstSteps").then((m) => m.Beginnings));
const FirstSteps = part(() => import("./FirstSteps").then((m) => m.FirstSteps));

type Coming = { favor: Favor; mine: boolean; at: Date; line: string };

function lineOf(favor: Favor, mine: boolean, isPast: boolean): string {
  if (isOffered(favor)) return offerLine(favor);
  // Nobody is asked any more once it should have begun.
  if (favor.status !== FavorStatus.ACCEPTED) {
    if (isPast) return words.startPassed;
    return favor.nobodyCan ? cardWords.everyoneDeclined : words.waitsForAnswer;
  }
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
  const [isHidden, hideSteps] = useHidden(member.uid);
  const progress = useProgress(isHidden);
  /** The rentals that wait for the member's word; null where they are not known for now. */
  const [lent, hearLent] = useState<readonly Planned[] | null>();
  const [isAsked, hearAsked] = useState(false);
  // Both come late, and at once with all that they would push down.
  const isHeld = lent === undefined || !isAsked;
  const known = isHeld ? undefined : lent;
  useTitle("");
  // What has an answer is shown, and what failed says so; only what nobody has answered yet keeps Home waiting.
  const isLate = [received, own, requests, earned].some((query) => query.isPending) || progress === undefined;
  // Once it is shown it stays: what has failed is asked again by the part that shows it.
  const [isShown, show] = useState(!isLate);
  if (!isLate && !isShown) show(true);
  // It does not wait for ever.
  useEffect(() => {
    const timer =
      isShown &&
      setTimeout(() => {
        hearLent((was) => was ?? null);
        hearAsked(true);
      }, DUE_MAX_MS);
    return () => clearTimeout(timer || undefined);
  }, [isShown]);
  if (!isShown) return <HomeFrame member={member} {...waitingParts()} />;
  const waiting = both(received, requests, (favors, open) => ({
    asked: favorsOf(favors).filter(isWaiting),
    requests: open.received,
  }));
  // Whoever has not asked for a favor yet is led to it instead.
  const hasFavors = own.data !== undefined && favorsOf(own.data).length > 0;
  const offered = own.data === undefined ? [] : favorsOf(own.data).filter(isOffered);
  const answers = both(waiting, own, (others) => ({ ...others, offered }));
  const plan = both(own, received, (mine, asked) => comingUp(favorsOf(mine), favorsOf(asked), now));
  return (
    <HomeFrame
      member={member}
      line={
        <Loaded query={answers} skeleton={null} failed={words.neighborsFailed} small>
          {(all) => answerLine(all, known)}
        </Loaded>
      }
      earned={earned.data}
      begins={
        <Piece skeleton={<Skeleton h={44} />}>
          <Beginnings />
        </Piece>
      }
      aside={<Plan query={plan} now={now} />}
    >
      {waiting.data && <NeedsAnswer answers={{ ...waiting.data, offered }} lent={known} now={now} />}
      {isHeld && <CardSkeletons label={frameWords.loadingHome} />}
      <div className={isHeld ? undefined : "stack l"} hidden={isHeld}>
        <DueList me={member.uid} onWait={hearLent} />
        <FriendsAsk me={member.uid} onKnown={hearAsked} />
        {progress && (
          <Piece skeleton={<RowSkeletons label={frameWords.loadingHome} count={2} />}>
            <FirstSteps progress={progress} onHide={hideSteps} />
          </Piece>
        )}
        <div className="only-narrow">{plan.data && plan.data.length > 0 && <Plan query={plan} now={now} />}</div>
        {(progress === null || progress?.hasPosted === true || hasFavors) && (
          <Section
            title={words.recent}
            aside={
              <Link className="link end" href={listPath()}>
                {words.seeAll}
              </Link>
            }
          >
            <Piece skeleton={<CardSkeletons label={cardWords.loading} />}>
              <Recent me={member.uid} />
            </Piece>
          </Section>
        )}
      </div>
    </HomeFrame>
  );
}
