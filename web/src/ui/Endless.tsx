// The end of a list that comes in pages: the next one is asked for before the end is reached, and says so where it could not be had.
import { type ReactNode, useEffect, useRef } from "react";
import { type Paged, QuietError } from "./Loaded";

/** So far ahead of what is seen, about two screens of a phone. */
const AHEAD = "1500px";

export type Pages<T> = Paged<T> & { isFetchNextPageError: boolean };

/** The list as it is known: a next page that failed says nothing of those before. */
export const withoutNext = <T,>(query: Pages<T>): Pages<T> => ({
  ...query,
  isError: query.isError && !query.isFetchNextPageError,
});

export function NextPage({
  query,
  failed,
  skeleton,
}: {
  query: Pages<unknown>;
  /** What is said when it could not be loaded. */
  failed: string;
  skeleton: ReactNode;
}) {
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  // What is asked for anew at this moment would be called off by it.
  const mayAsk = hasNextPage && !isFetching && !isFetchNextPageError;
  useEffect(() => {
    if (!mayAsk || end.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void fetchNextPage();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [mayAsk, fetchNextPage]);

  if (!hasNextPage) return null;
  if (isFetchNextPageError && !isFetchingNextPage)
    return <QuietError text={failed} query={{ isFetching, refetch: fetchNextPage }} />;
  return <div ref={end}>{skeleton}</div>;
}
