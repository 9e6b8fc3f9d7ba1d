// The lists of favors: one's own, those one was asked for, those one helps with, and the history.
import { Button, SegmentedControl } from "@mantine/core";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import type { Favor } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { NoFavors, NoHistory, NoRequests } from "../../ui/illustrations";
import { Loaded, ShowMore } from "../../ui/Loaded";
import { EmptyState } from "../../ui/Pieces";
import { CardSkeletons } from "../../ui/Skeletons";
import { FavorCard } from "./FavorCard";
import { favorPath, listPath, type Place, type View, VIEWS } from "./paths";
import { useCancelledFavors, useCompletedFavors, useHelpedFavors } from "./laterQueries";
import { type FavorList, favorsOf, isWaiting, useActiveFavors, useFriendsToAsk, useReceivedFavors } from "./queries";
import { cardWords } from "./cardWords";
import { words } from "./words";

type ListProps = {
  place: Place;
  /** The one that is shown beside the list: empty means the first, null that none is. */
  selected: string | null;
  me: string;
  onClone: (favor: Favor) => void;
  /** Told which favor stands first, for the pane beside. */
  children: (first: Favor | undefined) => ReactNode;
};

type Shape = {
  query: FavorList;
  /** Which of the loaded ones belong here; absent means all. */
  pick?: (favor: Favor) => boolean;
  failed: string;
  empty: ReactNode;
  clonable: boolean;
};

function Empty({
  drawing,
  title,
  text,
  to,
  label,
}: {
  drawing: ReactNode;
  title: string;
  text: string;
  to: string;
  label: string;
}) {
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

type CardsProps = ListProps & { shape: Shape };

const all = (): boolean => true;

function Column({ shape, place, selected, me, onClone }: CardsProps) {
  const { query, pick = all, failed, empty, clonable } = shape;
  return (
    // One thing beside the pane, also when it is said to be out of date.
    <div>
      <Loaded
        query={query}
        skeleton={<CardSkeletons label={cardWords.loading} />}
        failed={failed}
        // What belongs here may all stand on a later page.
        isEmpty={(data) => !query.hasNextPage && !favorsOf(data).some(pick)}
        empty={empty}
      >
        {(data) => {
          const favors = favorsOf(data).filter(pick);
          return (
            <div className="stack">
              <ul className="plainlist stack" aria-label={words.views[place.view]}>
                {favors.map((favor) => (
                  <li key={favor.id}>
                    <FavorCard
                      favor={favor}
                      me={me}
                      href={favorPath(favor.id, place)}
                      selected={selected !== null && favor.id === (selected || favors[0]?.id)}
                      onClone={clonable ? onClone : undefined}
                    />
                  </li>
                ))}
              </ul>
              <ShowMore query={query} />
            </div>
          );
        }}
      </Loaded>
    </div>
  );
}

function Cards(props: CardsProps) {
  const { selected, children, shape } = props;
  const { query, pick = all } = shape;
  const first = query.data === undefined ? undefined : favorsOf(query.data).find(pick);
  const column = <Column {...props} />;
  // One that is not in this list may stand beside it: a notification leads to a favor, not to a list.
  const beside = selected !== null && (selected !== "" || first !== undefined);
  return beside ? (
    <div className="split">
      {column}
      {children(first)}
    </div>
  ) : (
    column
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

function Asked(props: ListProps) {
  const query = useReceivedFavors();
  const empty = <NobodyAsks />;
  return <Cards {...props} shape={{ query, pick: isWaiting, failed: words.receivedFailed, empty, clonable: false }} />;
}

const isAgreed = (favor: Favor): boolean => !isWaiting(favor);

function Helping(props: ListProps) {
  const query = useReceivedFavors();
  const empty = (
    <Empty
      drawing={<NoHistory size={200} />}
      title={words.noHelping}
      text={words.noHelpingText}
      to={listPath({ view: "asked" })}
      label={words.seeAsked}
    />
  );
  return <Cards {...props} shape={{ query, pick: isAgreed, failed: words.receivedFailed, empty, clonable: false }} />;
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

function listOf(view: View, props: ListProps): ReactNode {
  switch (view) {
    case "yours":
      return <Yours {...props} />;
    case "asked":
      return <Asked {...props} />;
    case "helping":
      return <Helping {...props} />;
    case "completed":
      return <Completed {...props} />;
    case "helped":
      return <Helped {...props} />;
    case "cancelled":
      return <Cancelled {...props} />;
    default:
      return view satisfies never;
  }
}

/** Unknown while nothing is loaded. */
function useWaiting(): number | undefined {
  const { data } = useReceivedFavors();
  return data === undefined ? undefined : favorsOf(data).filter(isWaiting).length;
}

export function FavorLists(props: ListProps) {
  const { place } = props;
  const [, navigate] = useLocation();
  const waiting = useWaiting();
  const views: readonly View[] = place.tab === "completed" ? VIEWS.completed : VIEWS.active;
  return (
    <div className="stack" style={{ gap: "1rem" }}>
      <div className="seg">
        <SegmentedControl
          aria-label={words.whichFavors}
          value={place.view}
          data={views.map((view) => ({
            value: view,
            label: view === "asked" && waiting ? words.askedCount(waiting) : words.views[view],
          }))}
          onChange={(value) =>
            navigate(listPath({ tab: place.tab, view: views.find((v) => v === value) ?? place.view }), {
              replace: true,
            })
          }
        />
      </div>
      {listOf(place.view, props)}
    </div>
  );
}
