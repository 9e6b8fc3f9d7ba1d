// The lists of favors: one's own, those one was asked for, those one helps with, the history, and those that friends ask everybody.
import { Button, SegmentedControl } from "@mantine/core";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { type Favor, FavorAction, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { part } from "../../lib/parts";
import { NoFavors, NoHistory, NoRequests } from "../../ui/illustrations";
import { NextPage, withoutNext } from "../../ui/Endless";
import { Loaded } from "../../ui/Loaded";
import { EmptyState, Section } from "../../ui/Pieces";
import { Piece } from "../../ui/Piece";
import { CardSkeletons } from "../../ui/Skeletons";
import { Windowed } from "../../ui/Windowed";
import { cardWords } from "./cardWords";
import { FavorCard } from "./FavorCard";
import { Cards, type ListProps } from "./FavorColumn";
import {
  isHelping,
  useAppliedFavors,
  useAskedFavors,
  useCancelledFavors,
  useCompletedFavors,
  useDeclinedFavors,
  useFriendsToAsk,
  useHelpedFavors,
  useHelpingFavors,
} from "./laterQueries";
import { favorPath, listPath } from "./paths";
import { type View, VIEWS } from "./place";
import { favorsOf, isAsked, isWaiting, useActiveFavors, useReceivedFavors } from "./queries";
import { words } from "./words";

const Browse = part(() => import("./Browse").then((m) => m.Browse));

type EmptyProps = { drawing: ReactNode; title: string; text: string; to: string; label: string };

function Empty({ drawing, title, text, to, label }: EmptyProps) {
  const [, navigate] = useLocation();
  const action = (
    <Button variant={label === words.createFavor ? "filled" : "light"} onClick={() => navigate(to)}>
      {label}
    </Button>
  );
  return (
    <EmptyState drawing={drawing} title={title} action={action}>
      {text}
    </EmptyState>
  );
}

function Yours(props: ListProps) {
  const query = useActiveFavors();
  const empty = (
    <Empty
      drawing={<NoFavors size={200} />}
      title={words.noActive}
      text={words.noActiveText}
      to={listPath({ tab: "create" })}
      label={words.createFavor}
    />
  );
  return <Cards {...props} shape={{ query, failed: cardWords.activeFailed, empty, clonable: true }} />;
}

/** The next step of who has friends is another one than that of who has none yet. */
function NobodyAsks() {
  const hasFriends = (useFriendsToAsk().data?.length ?? 0) > 0;
  return (
    <Empty
      drawing={<NoRequests size={200} />}
      title={words.noAsked}
      text={words.noAskedText}
      to={hasFriends ? listPath({ tab: "create" }) : "/friends/find"}
      label={hasFriends ? words.createFavor : words.findFriends}
    />
  );
}

/** What is over was declined for good. */
const isOpenStill = ({ allowedActions }: Favor): boolean => allowedActions.includes(FavorAction.ACCEPT);

type BelowProps = ListProps & {
  query: ReturnType<typeof useDeclinedFavors>;
  pick: (favor: Favor) => boolean;
  /** Names the list for its windowed rows. */
  list: string;
  label: string;
  failed: string;
};

/** A second list under the first one. It shows nothing while it has no favors. */
function Below({ query, pick, list, label, failed, place, selected, me }: BelowProps) {
  const { data, isError, hasNextPage } = query;
  const open = data === undefined ? [] : favorsOf(data).filter(pick);
  // Under the list: what comes moves nothing, and few have any.
  if (data === undefined ? !isError : open.length === 0 && !hasNextPage) return null;
  return (
    <>
      <div className="gap" />
      <Section title={label}>
        <Loaded
          query={withoutNext(query)}
          skeleton={<CardSkeletons label={cardWords.loading} count={1} />}
          failed={failed}
          small
        >
          {() => (
            <>
              <Windowed name={list} label={label} things={open} idOf={({ id }) => id} isOpen={hasNextPage}>
                {(favor) => (
                  <FavorCard
                    favor={favor}
                    me={me}
                    href={favorPath(favor.id, place)}
                    selected={favor.id === selected}
                    heading="h3"
                  />
                )}
              </Windowed>
              <NextPage
                query={query}
                failed={failed}
                skeleton={<CardSkeletons label={cardWords.loading} count={1} />}
              />
            </>
          )}
        </Loaded>
      </Section>
    </>
  );
}

/** Favors that the member declined and that are still open: they may help after all. */
const Declined = (props: ListProps) => (
  <Below
    {...props}
    query={useDeclinedFavors()}
    pick={isOpenStill}
    list="favors.declined"
    label={words.youDeclined}
    failed={words.declinedFailed}
  />
);

/** Favors that the member offered to help with, until somebody is chosen. */
const Offered = (props: ListProps) => (
  <Below
    {...props}
    query={useAppliedFavors()}
    pick={() => true}
    list="favors.offered"
    label={words.yourOffers}
    failed={words.appliedFailed}
  />
);

function Asked(props: ListProps) {
  const query = useAskedFavors();
  const shape = {
    query,
    pick: isAsked,
    failed: words.receivedFailed,
    empty: <NobodyAsks />,
    clonable: false,
    foot: <Declined {...props} />,
  };
  return <Cards {...props} shape={shape} />;
}

function Helping(props: ListProps) {
  const query = useHelpingFavors();
  const empty = (
    <Empty
      drawing={<NoHistory size={200} />}
      title={words.noHelping}
      text={words.noHelpingText}
      to={listPath({ view: "asked" })}
      label={words.seeAsked}
    />
  );
  // Others who were asked see it accepted too.
  const pick = (favor: Favor): boolean => favor.status === FavorStatus.ACCEPTED && isHelping(favor, props.me);
  const foot = <Offered {...props} />;
  return <Cards {...props} shape={{ query, pick, failed: words.receivedFailed, empty, clonable: false, foot }} />;
}

function Completed(props: ListProps) {
  const query = useCompletedFavors();
  const empty = (
    <Empty
      drawing={<NoHistory size={200} />}
      title={words.noCompleted}
      text={words.noCompletedText}
      to={listPath()}
      label={words.seeActive}
    />
  );
  return <Cards {...props} shape={{ query, failed: words.completedFailed, empty, clonable: true }} />;
}

function Helped(props: ListProps) {
  const query = useHelpedFavors();
  const empty = (
    <Empty
      drawing={<NoHistory size={200} />}
      title={words.noHelped}
      text={words.noHelpedText}
      to={listPath({ view: "asked" })}
      label={words.seeAsked}
    />
  );
  // Others who were asked see it completed too.
  const pick = (favor: Favor): boolean => favor.helper?.uid === props.me;
  return <Cards {...props} shape={{ query, pick, failed: words.receivedFailed, empty, clonable: false }} />;
}

function Cancelled(props: ListProps) {
  const query = useCancelledFavors();
  const empty = (
    <Empty
      drawing={<NoFavors size={200} />}
      title={words.noCancelled}
      text={words.noCancelledText}
      to={listPath()}
      label={words.seeActive}
    />
  );
  return <Cards {...props} shape={{ query, failed: words.cancelledFailed, empty, clonable: true }} />;
}

function Open(props: ListProps) {
  return (
    <Piece skeleton={<CardSkeletons label={cardWords.loading} />}>
      <Browse {...props} />
    </Piece>
  );
}

function Applied(props: ListProps) {
  const query = useAppliedFavors();
  const empty = (
    <Empty
      drawing={<NoRequests size={200} />}
      title={words.noApplied}
      text={words.noAppliedText}
      to={listPath({ tab: "browse" })}
      label={words.seeOpen}
    />
  );
  return <Cards {...props} shape={{ query, failed: words.appliedFailed, empty, clonable: false }} />;
}

const LISTS: Record<View, (props: ListProps) => ReactNode> = {
  yours: Yours,
  asked: Asked,
  helping: Helping,
  completed: Completed,
  helped: Helped,
  cancelled: Cancelled,
  open: Open,
  applied: Applied,
};

/** How many wait for an answer, as far as is known: nothing while nothing is loaded. */
function askedWords({ data, hasNextPage }: ReturnType<typeof useReceivedFavors>): string {
  const waiting = data === undefined ? 0 : favorsOf(data).filter(isWaiting).length;
  if (waiting === 0) return words.views.asked;
  return hasNextPage ? words.askedOver(waiting) : words.askedCount(waiting);
}

export function FavorLists(props: ListProps) {
  const { tab, view: shown } = props.place;
  const [, navigate] = useLocation();
  const asked = askedWords(useReceivedFavors());
  const views: readonly View[] = VIEWS[tab];
  const List = LISTS[shown];
  return (
    <div className="stack" style={{ gap: "1rem" }}>
      <div className="seg">
        <SegmentedControl
          aria-label={words.whichFavors}
          value={shown}
          data={views.map((view) => ({ value: view, label: view === "asked" ? asked : words.views[view] }))}
          onChange={(value) =>
            navigate(listPath({ tab, view: views.find((view) => view === value) ?? shown }), { replace: true })
          }
        />
      </div>
      <List key={shown} {...props} />
    </div>
  );
}
