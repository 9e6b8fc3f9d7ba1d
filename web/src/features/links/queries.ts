// What a link of an invitation is about, asked without signing in, and what its page does.
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useMutation } from "@tanstack/react-query";
import { FriendsService, InvitationLink } from "../../gen/later/goodturn/friends/v1/friends_service_pb";
import { useLink } from "../../lib/links";

const LINKS = { "/join": InvitationLink.JOIN, "/no-invitations": InvitationLink.DECLINE } as const;

/** `null` also for one that was used or called off, and for a link of another page. */
export function useInvitation(page: keyof typeof LINKS, token: string) {
  const client = createClient(FriendsService, useTransport());
  return useLink(page, token, async (of) => {
    const invitation = await client.getInvitation({ token: of });
    return invitation.counts && invitation.link === LINKS[page] ? invitation : null;
  });
}

export function useDecline() {
  const client = createClient(FriendsService, useTransport());
  return useMutation({ mutationFn: (token: string) => client.declineInvitations({ token }) });
}

export function useAllow() {
  const client = createClient(FriendsService, useTransport());
  return useMutation({ mutationFn: (token: string) => client.allowInvitations({ token }) });
}
