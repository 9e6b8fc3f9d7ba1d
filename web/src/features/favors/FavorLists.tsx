// The lists of favors: one's own, those one was asked for, those one helps with, and the history.
import { Button, SegmentedControl } from "@mantine/core";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import type { Favor } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { NoFavors, NoHistory, NoRequests } from "../../ui/illustrations";
import { EmptyState, LoadError } from "../../ui/Pieces";
import { CardSkeletons } from "../../ui/Skeletons";
import { FavorCard } from "./FavorCard";
import { favorPath, listPath, type Place, type View, VIEWS } from "./paths";
import {
  type FavorList,
  favorsOf,
  isWaiting,
  useActiveFavors,
  useCancelledFavors,
  useCompletedFavors,
  useReceivedFavors,
} from "./queries";
import { words } from "./words";

type ListProps = {
  place: Place;
  /** The one that is shown beside the list: empty means the first, null that none is. */
  selected: string | null;
  onClone: (favor: Favor) => void;
  /** Told which favors stand there, so that the pane beside can show the first. */
  children: (favors: Favor[]) => ReactNode;
};

type Shape = {
  query: Pick<FavorList, "isPending" | "isError" | "isFetching" | "hasNextPage" | "isFetchingNextPage"> & {
    refetch: () => unknown;
    fetchNextPage: () => unknown;
  };
  favors: Favor[];
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
  to?: string;
  label?: string;
}) {
  const [, navigate] = useLocation();
  const action =
    to === undefined ? undefined : (
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

function Column({ shape, place, selected, onClone }: CardsProps) {
  const { query, favors, failed, empty, clonable } = shape;
  if (query.isPending) return <CardSkeletons label={words.loading} />;
  if (query.isError && favors.length === 0)
    return <LoadError title={failed} onRetry={() => void query.refetch()} busy={query.isFetching} />;
  if (favors.length === 0) return empty;
  return (
    <div className="stack">
      <ul className="plainlist stack" aria-label={words.views[place.view]}>
        {favors.map((favor) => (
          <li key={favor.id}>
            <FavorCard
              favor={favor}
              href={favorPath(favor.id, place)}
              selected={selected !== null && favor.id === (selected || favors[0]?.id)}
              onClone={clonable ? onClone : undefined}
            />
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}

function Cards(props: CardsProps) {
  const { selected, children, shape } = props;
  const column = <Column {...props} />;
  // One that is not in this list may stand beside it: a notification leads to a favor, not to a list.
  const beside = selected !== null && (selected !== "" || shape.favors.length > 0);
  return beside ? (
    <div className="split">
      {column}
      {children(shape.favors)}
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
  return (
    <Cards {...props} shape={{ query, favors: favorsOf(query), failed: words.activeFailed, empty, clonable: true }} />
  );
}

function Received({ waiting, ...props }: ListProps & { waiting: boolean }) {
  const query = useReceivedFavors();
  const favors = favorsOf(query).filter((favor) => isWaiting(favor) === waiting);
  const empty = waiting ? (
    <Empty drawing={<NoRequests size={200} />} title={words.noAsked} text={words.noAskedText} />
  ) : (
    <Empty drawing={<NoHistory size={200} />} title={words.noHelping} text={words.noHelpingText} />
  );
  return <Cards {...props} shape={{ query, favors, failed: words.receivedFailed, empty, clonable: false }} />;
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
  return (
    <Cards
      {...props}
      shape={{ query, favors: favorsOf(query), failed: words.completedFailed, empty, clonable: true }}
    />
  );
}

function Cancelled(props: ListProps) {
  const query = useCancelledFavors();
  const empty = <Empty drawing={<NoFavors size={200} />} title={words.noCancelled} text={words.noCancelledText} />;
  return (
    <Cards
      {...props}
      shape={{ query, favors: favorsOf(query), failed: words.cancelledFailed, empty, clonable: true }}
    />
  );
}

function listOf(view: View, props: ListProps): ReactNode {
  switch (view) {
    case "yours":
      return <Yours {...props} />;
    case "asked":
      return <Received {...props} waiting />;
    case "helping":
      return <Received {...props} waiting={false} />;
    case "completed":
      return <Completed {...props} />;
    case "cancelled":
      return <Cancelled {...props} />;
    default:
      return view satisfies never;
  }
}

export function FavorLists(props: ListProps) {
  const { place } = props;
  const [, navigate] = useLocation();
  const waiting = favorsOf(useReceivedFavors()).filter(isWaiting).length;
  const views: readonly View[] = place.tab === "completed" ? VIEWS.completed : VIEWS.active;
  return (
    <div className="stack" style={{ gap: 16 }}>
      <div className="seg">
        <SegmentedControl
          aria-label="Which favors"
          value={place.view}
          data={views.map((view) => ({
            value: view,
            label: view === "asked" && waiting > 0 ? `${words.views[view]} (${waiting})` : words.views[view],
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
