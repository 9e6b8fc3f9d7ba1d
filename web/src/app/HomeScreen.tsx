// Home answers "what now": who waits for me, what is coming up, what was last.
import { ActionIcon, Button } from "@mantine/core";
import { IconChevronRight, IconDots, IconUserPlus } from "@tabler/icons-react";
import { Link, useLocation } from "wouter";
import { CategoryTile, codeOf } from "../features/favors/look";
import { FavorCard, factsOf } from "../features/favors/FavorCard";
import { favorPath, listPath } from "../features/favors/paths";
import { favorsOf, isWaiting, useActiveFavors, useReceivedFavors, useRecentFavors } from "../features/favors/queries";
import { useSteps } from "../features/favors/steps";
import { actionWords, words as favorWords } from "../features/favors/words";
import { useFriendRequests } from "../features/friends/queries";
import { type Favor, FavorAction, FavorStatus } from "../gen/goodturn/favors/v1/favors_service_pb";
import type { Member } from "../lib/session";
import { amountOf } from "../lib/money";
import { useTitle } from "../lib/title";
import { clockOf, daysUntil, toDate, useNow, weekdayOf } from "../lib/times";
import { Hero, HomeHead, HomeWaiting } from "./HomeTop";
import { useEarned } from "./stats";
import { Face } from "../ui/Face";
import { Facts } from "../ui/Facts";
import { NoFavors } from "../ui/illustrations";
import { Loaded } from "../ui/Loaded";
import { EmptyState, LoadError, Section } from "../ui/Pieces";
import { CardSkeletons } from "../ui/Skeletons";

const COMING_MAX = 5;

function waitingLine(favors: number): string {
  if (favors === 0) return "Nobody is waiting for your answer.";
  return favors === 1
    ? "One neighbour is waiting for your answer."
    : `${favors} neighbours are waiting for your answer.`;
}

function Asked({ favor, now }: { favor: Favor; now: Date }) {
  const steps = useSteps();
  const name = favor.requester?.name || favorWords.unknownRequester;
  const can = (action: FavorAction): boolean => favor.allowedActions.includes(action);
  return (
    <article className="card arrives stack">
      <div className="row start">
        <Face person={{ displayName: name, profilePictureUrl: favor.requester?.profilePictureUrl ?? "" }} />
        <div className="grow">
          <p className="t14">
            <b>{name}</b> <span className="dim">asks for a favor</span>
          </p>
          <h3 className="t16 b6 clamp2">
            <Link className="cover" href={favorPath(favor.id, { view: "asked" })}>
              {favor.title || favorWords.untitled}
            </Link>
          </h3>
        </div>
        {favor.tip > 0 && (
          <span className="badge soft num" data-tone="ok">
            {amountOf(favor.tip, codeOf(favor.currency))}
          </span>
        )}
      </div>
      <Facts facts={factsOf(favor, now)} />
      <div className="row s over">
        {can(FavorAction.ACCEPT) && (
          <Button
            className="grow"
            variant="light"
            loading={steps.busy === FavorAction.ACCEPT}
            onClick={() => void steps.asked(favor, FavorAction.ACCEPT)}
          >
            {actionWords[FavorAction.ACCEPT].label}
          </Button>
        )}
        {can(FavorAction.DECLINE) && (
          <Button
            variant="default"
            loading={steps.busy === FavorAction.DECLINE}
            onClick={() => void steps.asked(favor, FavorAction.DECLINE)}
          >
            {actionWords[FavorAction.DECLINE].label}
          </Button>
        )}
        <ActionIcon
          component={Link}
          variant="default"
          href={favorPath(favor.id, { view: "asked" })}
          aria-label={`More about ${favor.title}`}
        >
          <IconDots />
        </ActionIcon>
      </div>
    </article>
  );
}

function FriendRequestsRow({ count }: { count: number }) {
  return (
    <article className="card tap row">
      <span className="tile" data-tint="sky" aria-hidden="true">
        <IconUserPlus size={24} stroke={1.75} />
      </span>
      <h3 className="t16 b6 grow">
        <Link className="cover" href="/friends/requests">
          {count === 1 ? "1 friend request" : `${count} friend requests`}
        </Link>
      </h3>
      <IconChevronRight size={20} aria-hidden="true" />
    </article>
  );
}

type Coming = { favor: Favor; mine: boolean; at: Date; line: string };

function lineOf(favor: Favor, mine: boolean): string {
  if (favor.status !== FavorStatus.ACCEPTED) return "Waiting for an answer";
  return mine
    ? `${favor.helper?.displayName ?? "Somebody"} is helping you`
    : `You are helping ${favor.requester?.name ?? ""}`;
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
      return at === undefined || daysUntil(at, now) < 0 ? [] : [{ favor, mine, at, line: lineOf(favor, mine) }];
    })
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .slice(0, COMING_MAX);
}

function ComingUp({ coming, now }: { coming: readonly Coming[]; now: Date }) {
  const dayName = (at: Date): string => {
    const day = weekdayOf(at);
    const names: Record<number, string> = { 0: `Today, ${day}`, 1: `Tomorrow, ${day}` };
    return names[daysUntil(at, now)] ?? day;
  };
  return (
    <Section title="Coming up">
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
                  <span className="one b6" style={{ display: "block" }}>
                    {favor.title || favorWords.untitled}
                  </span>
                  <span className="one dim t14" style={{ display: "block" }}>
                    {line}
                  </span>
                </span>
              </Link>
            </div>
          );
        })}
      </div>
    </Section>
  );
}

function NoneYet() {
  const [, navigate] = useLocation();
  return (
    <EmptyState
      drawing={<NoFavors size={200} />}
      title={favorWords.noActive}
      action={
        <Button variant="light" onClick={() => navigate(listPath({ tab: "create" }))}>
          {favorWords.createFavor}
        </Button>
      }
    >
      {favorWords.noActiveText}
    </EmptyState>
  );
}

function Recent() {
  const query = useRecentFavors();
  return (
    <Loaded query={query} skeleton={<CardSkeletons label={favorWords.loading} />} failed={favorWords.activeFailed}>
      {(favors) =>
        favors.length === 0 ? (
          <NoneYet />
        ) : (
          <ul className="plainlist stack" aria-label="Recent Favors">
            {favors.map((favor) => (
              <li key={favor.id}>
                <FavorCard favor={favor} href={favorPath(favor.id)} heading="h3" />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

/** What has an answer is shown, and what failed says so; only what nobody has answered yet keeps Home waiting. */
function isLoading(...queries: readonly { isPending: boolean }[]): boolean {
  return queries.some((query) => query.isPending);
}

export function HomeScreen({ member }: { member: Member }) {
  const now = useNow();
  const receivedQuery = useReceivedFavors();
  const ownQuery = useActiveFavors();
  const requestsQuery = useFriendRequests();
  const earned = useEarned();
  useTitle("");
  if (isLoading(receivedQuery, ownQuery, requestsQuery, earned)) return <HomeWaiting member={member} />;
  const received = favorsOf(receivedQuery);
  const requests = requestsQuery.data?.received.length ?? 0;
  const asked = received.filter(isWaiting);
  const coming = comingUp(favorsOf(ownQuery), received, now);
  return (
    <>
      <HomeHead member={member}>{waitingLine(asked.length)}</HomeHead>
      <div className="two">
        <div className="stack l">
          <Hero earned={earned.data ?? []} />
          {receivedQuery.data === undefined && (
            <LoadError
              title={favorWords.receivedFailed}
              onRetry={() => void receivedQuery.refetch()}
              busy={receivedQuery.isFetching}
            />
          )}
          {asked.length + requests > 0 && (
            <Section title="Needs your answer" count={asked.length + requests} waits>
              <div className="stack">
                {asked.map((favor) => (
                  <Asked key={favor.id} favor={favor} now={now} />
                ))}
                {requests > 0 && <FriendRequestsRow count={requests} />}
              </div>
            </Section>
          )}
          <div className="only-narrow">{coming.length > 0 && <ComingUp coming={coming} now={now} />}</div>
          <Section
            title="Recent Favors"
            aside={
              <Link className="link end" href={listPath()}>
                See all
              </Link>
            }
          >
            <Recent />
          </Section>
        </div>
        <div className="only-wide">{coming.length > 0 && <ComingUp coming={coming} now={now} />}</div>
      </div>
    </>
  );
}
