// What has changed is asked again, once: an own action and the hint about it come together, and one answer is enough for both.
import type { Query, QueryClient } from "@tanstack/react-query";

export type IsStale = (query: Query) => boolean;

/** So long hints and answers gather. */
const TOGETHER_MS = 250;

type Batch = { stale: IsStale[]; done: Promise<void> };
const batches = new WeakMap<QueryClient, Batch>();

/** Asks again what is shown of the queries that any of `stale` picks; the others are asked when they are shown. */
export function freshen(cache: QueryClient, ...stale: readonly IsStale[]): Promise<void> {
  const open = batches.get(cache);
  if (open !== undefined) {
    open.stale.push(...stale);
    return open.done;
  }
  const batch: Batch = { stale: [...stale], done: Promise.resolve() };
  batches.set(cache, batch);
  batch.done = new Promise((resolve) => setTimeout(resolve, TOGETHER_MS)).then(() => {
    batches.delete(cache);
    return ask(cache, (query) => batch.stale.some((isStale) => isStale(query)));
  });
  return batch.done;
}

async function ask(cache: QueryClient, isStale: IsStale): Promise<void> {
  // A first load that is under way began before the change, and would swallow the invalidation.
  await cache.cancelQueries({ predicate: (query) => query.state.data === undefined && isStale(query) });
  await cache.invalidateQueries({ predicate: isStale });
}

type Key = { serviceName?: string; methodName?: string; input?: Record<string, unknown> | "skipped" };

/** What a query asks: its service, its method, its input. */
export function askedBy({ queryKey: [, key] }: Query): Key {
  return typeof key === "object" && key !== null ? key : {};
}

/** The queries of a service. */
export const ofService =
  ({ typeName }: { typeName: string }): IsStale =>
  (query) =>
    askedBy(query).serviceName === typeName;
