// The invitations that the member sent, and what can be done with one. Sending: deeds.ts.
import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FriendsService } from "../../gen/later/goodturn/friends/v1/friends_service_pb";
import { freshen } from "../../lib/freshen";
import { isOfFriends } from "./queries";

/** Those that still count, the last sent first. */
export const useInvitations = () =>
  useQuery(FriendsService.method.listInvitations, {}, { select: ({ invitations }) => invitations });

export function useCancelInvitation() {
  const client = createClient(FriendsService, useTransport());
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (invitationId: string) => client.cancelInvitation({ invitationId }),
    onSettled: () => freshen(cache, isOfFriends),
  });
}
