// The cache of what the server said. Fresh for 30 s, since the live stream tells of changes; kept 5 minutes, so that back is instant.
import { Code, ConnectError } from "@connectrpc/connect";
import { QueryClient } from "@tanstack/react-query";
import { hasReason } from "./errors";
import { isLost } from "./reach";

const FRESH_MS = 30_000;
const KEPT_MS = 5 * 60_000;
const TRIES_MAX = 2;

/** Only what may go better the next time is tried again; without a connection nothing does, and who waits is told at once. */
function mayRetry(failures: number, error: unknown): boolean {
  if (isLost()) return false;
  const { code } = ConnectError.from(error);
  const passing = code === Code.Unavailable || code === Code.Unknown || code === Code.Aborted;
  return (passing || hasReason(error, "OVERLOADED")) && failures < TRIES_MAX;
}

export const createCache = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: FRESH_MS, gcTime: KEPT_MS, retry: mayRetry, networkMode: "always" },
      mutations: { retry: false, networkMode: "always" },
    },
  });
