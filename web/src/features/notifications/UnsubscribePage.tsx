// Ends the mails about what a mail was about, by the link in it.
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useMutation } from "@tanstack/react-query";
import { NotificationsService } from "../../gen/later/goodturn/notifications/v1/notifications_service_pb";
import { useLink } from "../../lib/links";
import { useTitle } from "../../lib/title";
import { LinkAsked } from "../../ui/LinkAsked";
import { StopPage } from "../../ui/StopPage";
import { namesOfTopics } from "./topics";
import { unsubscribeWords as words } from "./unsubscribeWords";

export function UnsubscribePage({ token }: { token: string }) {
  const client = createClient(NotificationsService, useTransport());
  const query = useLink("/unsubscribe", token, (of) => client.getMailSubscription({ token: of }));
  const stop = useMutation({ mutationFn: (of: string) => client.unsubscribe({ token: of }) });
  useTitle(words.title);
  return (
    <LinkAsked query={query}>
      {({ topics, address, active }) => (
        <StopPage
          token={token}
          words={words}
          text={words.text(address)}
          what={namesOfTopics(topics)}
          isOver={!active}
          stop={stop}
        />
      )}
    </LinkAsked>
  );
}
