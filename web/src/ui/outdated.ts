// What is shown and could not be brought up to date: said once for all of a screen, where outcomes stand, so that nothing moves.
import { createContext, useEffect, useId, useSyncExternalStore } from "react";

export type Outdated = { isFetching: boolean; refetch: () => unknown };

/** In a sheet, which the bar of outcomes is behind, it is said in its place. */
export const InSheet = createContext(false);

const known = new Map<string, Outdated>();
const listeners = new Set<() => void>();
let isHidden = false;
let shown: readonly Outdated[] = [];

function tell(): void {
  // Hidden is what was said, and not what fails another time.
  if (known.size === 0) isHidden = false;
  shown = isHidden ? [] : [...known.values()];
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells of it as long as it is shown. */
export function useOutdated(query: Outdated): void {
  const id = useId();
  const { isFetching, refetch } = query;
  useEffect(() => {
    known.set(id, { isFetching, refetch });
    tell();
  }, [id, isFetching, refetch]);
  useEffect(
    () => () => {
      known.delete(id);
      tell();
    },
    [id],
  );
}

export function hideOutdated(): void {
  isHidden = true;
  tell();
}

/** All that is out of date on this screen, until the member hides it. */
export const useAllOutdated = (): readonly Outdated[] => useSyncExternalStore(subscribe, () => shown);
