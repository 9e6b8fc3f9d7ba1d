// How long one's profile is kept in memory: for whoever comes back to Edit Profile it is there at once.
import { createRouterTransport } from "@connectrpc/connect";
import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { ProfileService } from "../../gen/goodturn/profile/v1/profile_service_pb";
import { createCache } from "../../lib/cache";
import { useProfile } from "./own";

const MINUTE_MS = 60_000;

afterEach(() => {
  vi.useRealTimers();
});

it("it_is_kept_for_ten_minutes_after_it_was_shown_last", async () => {
  vi.useFakeTimers();
  const cache = createCache();
  const transport = createRouterTransport(({ service }) =>
    service(ProfileService, { getProfile: () => ({ profile: { details: { firstName: "Ana" } } }) }),
  );
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={cache}>
      <TransportProvider transport={transport}>{children}</TransportProvider>
    </QueryClientProvider>
  );
  const { result, unmount } = renderHook(() => useProfile("ana"), { wrapper });
  await vi.waitFor(() => expect(result.current.data?.details?.firstName).toBe("Ana"));
  unmount();
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS - 1000);
  expect(cache.getQueryCache().getAll()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(cache.getQueryCache().getAll()).toEqual([]);
});
