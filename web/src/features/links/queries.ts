// What a link of an invitation is about, asked without signing in, and what its page does.
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useMutation } from "@tanstack/react-query";
import { FriendsService } from "../../gen/later/goodturn/friends/v1/friends_service_pb";
import { type LinkPage, useLink } from "../../lib/links";

export function useInvitation(page: LinkPage, token: string) {
  const client = createClient(FriendsService, useTransport());
  return useLink(page, token, (of) => client.getInvitation({ token: of }));
}

export function useDecline() {
  const client = createClient(FriendsService, useTransport());
  return useMutation({ mutationFn: (token: string) => client.declineInvitations({ token }) });
}
