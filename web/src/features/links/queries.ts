// What a link is about, asked without signing in, and what its page does.
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useMutation, useQuery } from "@tanstack/react-query";
import { FriendsService } from "../../gen/later/goodturn/friends/v1/friends_service_pb";
import { hasReason } from "../../lib/errors";

/** It is none of ours, or has expired: it will not get better. */
export const isOver = (error: unknown): boolean => hasReason(error, "INVALID_ARGUMENT", "NOT_FOUND");

/** What a link is about; `null` for one that is over. */
function useLink<T>(page: string, token: string, ask: (token: string) => Promise<T>) {
  return useQuery({
    queryKey: [page, token],
    queryFn: () =>
      ask(token).catch((error: unknown) => {
        if (isOver(error)) return null;
        throw error;
      }),
    refetchOnWindowFocus: false,
  });
}

export function useInvitation(page: string, token: string) {
  const client = createClient(FriendsService, useTransport());
  return useLink(page, token, async (of) => (of === "" ? null : client.getInvitation({ token: of })));
}

export function useDecline() {
  const client = createClient(FriendsService, useTransport());
  return useMutation({ mutationFn: (token: string) => client.declineInvitations({ token }) });
}
