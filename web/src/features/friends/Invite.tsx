// An invitation to somebody who is not a member, with some words.
import { Button } from "@mantine/core";
import { IconInfoCircle, IconMail, IconSend } from "@tabler/icons-react";
import { hasReason, isUnreached } from "../../lib/errors";
import { useTold } from "../../lib/outcome";
import { useIsShown } from "../../lib/shown";
import { Failed } from "../../ui/Failed";
import { CountedText } from "../../ui/Fields";
import { sayFailure } from "../../ui/failure";
import { Note } from "../../ui/Pieces";
import { say } from "../../ui/said";
import { Words } from "../../ui/Words";
import { useSendInvite } from "./deeds";
import { inviteFailureOf } from "./inviteFailures";
import { inviteWords as words } from "./inviteWords";
import { useInvited, useTyped } from "./typed";
import { MESSAGE_LENGTH_MAX, words as friendsWords } from "./words";

type Props = { me: string; contact: string; onDone: (() => void) | undefined };

export function Invite({ me, contact, onDone }: Props) {
  const { message, key, type, clear } = useTyped(me);
  const invited = useInvited(me);
  const send = useSendInvite();
  const isShown = useIsShown();
  const error = useTold(message, send.error, null);
  const refused = hasReason(send.error, "ALREADY_INVITED");

  async function submit(): Promise<void> {
    try {
      await send.mutateAsync({ contact, message: message.trim(), key });
      invited.add(contact);
      clear();
      onDone?.();
      say(words.sent);
    } catch (failed) {
      if (hasReason(failed, "ALREADY_INVITED")) invited.add(contact);
      if (isShown()) return;
      const { text } = hasReason(failed, "ALREADY_INVITED")
        ? { text: words.alreadyText(contact) }
        : inviteFailureOf(failed);
      sayFailure(failed, text, () => void submit(), { name: contact, path: "/friends/find" });
    }
  }

  const head = (
    <div className="row">
      <span className="tile" data-tint="sky" aria-hidden="true">
        <IconMail size={24} />
      </span>
      <div className="grow">
        <h2 className="t18">{words.notMember}</h2>
        <p className="dim t14 breakable">
          <Words>{contact}</Words>
        </p>
      </div>
    </div>
  );
  if (refused)
    return (
      <div className="card arrives stack">
        {head}
        <Note tone="wait" role="alert" title={words.already} icon={<IconInfoCircle size={20} />}>
          {words.alreadyText(contact)}
        </Note>
        <Button variant="default" onClick={clear}>
          {words.ok}
        </Button>
      </div>
    );
  if (invited.has(contact))
    return (
      <div className="card arrives stack">
        {head}
        <Note tone="idle" role="status" icon={<IconInfoCircle size={20} />}>
          {words.alreadySent}
        </Note>
      </div>
    );
  return (
    <div className="card arrives stack">
      {head}
      <CountedText
        label={friendsWords.messageLabel}
        placeholder={words.placeholder}
        value={message}
        max={MESSAGE_LENGTH_MAX}
        onChange={(typed) => type({ message: typed })}
      />
      {error !== null && (
        <Failed {...inviteFailureOf(error)} isTyped onRetry={isUnreached(error) ? () => void submit() : undefined} />
      )}
      <Button
        size="lg"
        fullWidth
        leftSection={<IconSend size={22} />}
        loading={send.isPending}
        onClick={() => void submit()}
      >
        {words.send}
      </Button>
    </div>
  );
}
