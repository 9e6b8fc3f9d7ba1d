// The states of what a screen asks the server for: on its way, failed, empty, there. What is not known is never shown as nothing.
import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { type ReactNode, useContext } from "react";
import { InSheet, type Outdated, useOutdated } from "./outdated";
import { LoadError, Note } from "./Pieces";
import { Retry } from "./Retry";
import { words } from "./shellWords";

/** The part of a query that its states are read from. */
export type Asked<T> = {
  data: T | undefined;
  isError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
};

/** Two queries as one: known when both are. */
export function both<A, B, C>(a: Asked<A>, b: Asked<B>, join: (a: A, b: B) => C): Asked<C> {
  return {
    data: a.data === undefined || b.data === undefined ? undefined : join(a.data, b.data),
    isError: a.isError || b.isError,
    isFetching: a.isFetching || b.isFetching,
    refetch: () => [a, b].filter((query) => query.isError).map((query) => query.refetch()),
  };
}

type Props<T> = {
  query: Asked<T>;
  skeleton: ReactNode;
  /** What is said when it could not be loaded. */
  failed: string;
  /** For what can be empty; told only of what was loaded. */
  isEmpty?: (data: T) => boolean;
  empty?: ReactNode;
  /** Stands inside something that has a heading of its own: a failure is a line, not a picture. */
  small?: boolean;
  children: (data: T) => ReactNode;
};

/** A line that says what failed, with the way to try again. What was loaded before stands on. */
export function QuietError({ text, query }: { text: string; query: Outdated }) {
  return (
    <Note tone="idle" role="status" icon={<IconRefresh size={20} />}>
      <div className="said">
        <span>{text}</span>
        <Retry busy={query.isFetching} onRetry={() => void query.refetch()} />
      </div>
    </Note>
  );
}

/** Draws nothing: it is said where outcomes stand. */
function ToldBelow({ query }: { query: Outdated }): null {
  useOutdated(query);
  return null;
}

function NotUpToDate({ query }: { query: Outdated }) {
  if (!useContext(InSheet)) return <ToldBelow query={query} />;
  return (
    <div className="outdated">
      <QuietError text={words.notUpToDate} query={query} />
    </div>
  );
}

export function Loaded<T>({ query, skeleton, failed, isEmpty, empty, small = false, children }: Props<T>) {
  const { data, isError } = query;
  if (data === undefined) {
    if (!isError) return skeleton;
    if (small) return <QuietError text={failed} query={query} />;
    return <LoadError title={failed} onRetry={() => void query.refetch()} busy={query.isFetching} />;
  }
  // In the same place whether it is up to date or not: an open sheet and what is typed there go on.
  return (
    <>
      {isError && <NotUpToDate query={query} />}
      {isEmpty?.(data) === true ? empty : children(data)}
    </>
  );
}

export type Paged<T> = Asked<T> & {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
};

/** The way to the next page of a list. */
export function ShowMore({ query }: { query: Paged<unknown> }) {
  if (!query.hasNextPage) return null;
  return (
    <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {words.showMore}
    </Button>
  );
}
