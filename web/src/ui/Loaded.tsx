// The states of what is loaded, in one place: a skeleton first, an error only where there is nothing to show, else what was loaded
// last. A refetch that fails takes nothing away.
import type { ReactNode } from "react";
import { LoadError } from "./Pieces";

type Query<T> = { data: T | undefined; isError: boolean; isFetching: boolean; refetch: () => unknown };

type Props<T> = {
  query: Query<T>;
  skeleton: ReactNode;
  /** The title of the error. */
  failed: string;
  children: (data: T) => ReactNode;
};

export function Loaded<T>({ query, skeleton, failed, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <LoadError title={failed} onRetry={() => void query.refetch()} busy={query.isFetching} />;
  return skeleton;
}
