// What has changed is asked again, once: an own action and the hint about it come together, and one answer is enough for both.
import type { Query, QueryClient } from "@tanstack/react-query";

export type IsStale = (query: Query) => boolean;

/** So long hints and answers gather. */
const TOGETHER_MS = 250;

const batches = new WeakMap<QueryClient, IsStale[]>();

/**
 * Asks again what is shown of the queries that any of `stale` picks; the others are asked when they are shown. Nobody waits for it: what was
 * done is done, and what failed is told at once.
 */
export function freshen(cache: QueryClient, ...stale: readonly IsStale[]): void {
  const open = batches.get(cache);
  if (open !== undefined) return void open.push(...stale);
  const batch = [...stale];
  batches.set(cache, batch);
  setTimeout(() => {
    batches.delete(cache);
    void ask(cache, (query) => batch.some((isStale) => isStale(query)));
  }, TOGETHER_MS);
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
