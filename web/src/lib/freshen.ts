// What has changed is asked again, once: an own action and the hint about it come together, and one answer is enough for both.
import type { Query, QueryClient } from "@tanstack/react-query";

export type IsStale = (query: Query) => boolean;

/** So long the next hint or answer is waited for: of an own action the one comes soon after the other. */
const TOGETHER_MS = 250;
/** Where they come one after another, no longer than this. */
const TOGETHER_MAX_MS = 1000;

type Batch = { stale: IsStale[]; until_ms: number; timer?: ReturnType<typeof setTimeout> };
const batches = new WeakMap<QueryClient, Batch>();

/**
 * Asks again what is shown of the queries that any of `stale` picks; the others are asked when they are shown. Nobody waits for it: what was
 * done is done, and what failed is told at once.
 */
export function freshen(cache: QueryClient, ...stale: readonly IsStale[]): void {
  const now_ms = performance.now();
  const batch: Batch = batches.get(cache) ?? { stale: [], until_ms: now_ms + TOGETHER_MAX_MS };
  batches.set(cache, batch);
  batch.stale.push(...stale);
  clearTimeout(batch.timer);
  const end = (): void => {
    batches.delete(cache);
    void ask(cache, (query) => batch.stale.some((isStale) => isStale(query)));
  };
  batch.timer = setTimeout(end, Math.min(TOGETHER_MS, batch.until_ms - now_ms));
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
