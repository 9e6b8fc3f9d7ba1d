// The invitations that the member sent: each can be resent after a while, and withdrawn.
import { Button } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { useState } from "react";
import type { SentInvitation } from "../../gen/later/goodturn/friends/v1/friends_service_pb";
import { hasReason } from "../../lib/errors";
import { newKey } from "../../lib/keys";
import { clockOf, dayOf, daysUntil, toDate, useNow, weekdayOf } from "../../lib/times";
import { confirmed } from "../../ui/confirm";
import { sayFailure } from "../../ui/failure";
import { Loaded } from "../../ui/Loaded";
import { Section } from "../../ui/Pieces";
import { say } from "../../ui/said";
import { Words } from "../../ui/Words";
import { useSendInvite } from "./deeds";
import { useCancelInvitation, useInvitations } from "./invitations";
import { inviteFailureOf } from "./inviteFailures";
import { inviteWords } from "./inviteWords";
import { sentWords as words } from "./sentWords";
import { useInvited } from "./typed";

const PATH = "/friends/find";

/** When it can be resent, while that is ahead. */
function waitOf(resendAt: Date | undefined, now: Date): string {
  if (resendAt === undefined || resendAt <= now) return "";
  const isToday = daysUntil(resendAt, now) === 0;
  return isToday ? words.resendToday(clockOf(resendAt)) : words.resendOn(weekdayOf(resendAt));
}

type RowProps = { me: string; invitation: SentInvitation; now: Date };

function Row({ me, invitation, now }: RowProps) {
  const { id, email, message, sentAt, resendAt } = invitation;
  const send = useSendInvite();
  const cancel = useCancelInvitation();
  const invited = useInvited(me);
  // All tries to resend this one have it, so that it is resent once.
  const [key] = useState(newKey);
  const on = toDate(sentAt);
  const wait = waitOf(toDate(resendAt), now);
  const about = { name: email, path: PATH };

  async function resend(): Promise<void> {
    try {
      await send.mutateAsync({ contact: email, message, key });
      invited.add(email);
      say(inviteWords.sent);
    } catch (error) {
      const isSent = hasReason(error, "ALREADY_INVITED");
      const text = isSent ? inviteWords.alreadySent : inviteFailureOf(error).text;
      sayFailure(error, text, () => void resend(), about);
    }
  }

  async function withdraw(): Promise<void> {
    try {
      await cancel.mutateAsync(id);
      invited.remove(email);
      say(words.withdrawn, "idle");
    } catch (error) {
      sayFailure(error, words.withdrawFailed, () => void withdraw(), about);
    }
  }

  async function ask(): Promise<void> {
    if (await confirmed({ ...words.withdrawal, about: email, destructive: true })) await withdraw();
  }

  // It stays under way until the list knows.
  const isSending = send.isPending || send.isSuccess;
  const isLeaving = cancel.isPending || cancel.isSuccess;
  return (
    <li className="card stack">
      <div className="row">
        <span className="tile" data-tint="sky" aria-hidden="true">
          <IconMail size={24} />
        </span>
        <div className="grow">
          <h3 className="t16 b6 breakable">
            <Words>{email}</Words>
          </h3>
          {on !== undefined && <p className="dim t14">{words.sentOn(dayOf(on))}</p>}
          {wait !== "" && <p className="dim t14">{wait}</p>}
        </div>
      </div>
      {message !== "" && (
        <p className="quote">
          <Words>{message}</Words>
        </p>
      )}
      <div className="row s">
        {wait === "" && (
          <Button
            fullWidth
            variant="light"
            aria-label={words.resendTo(email)}
            loading={isSending}
            disabled={isLeaving}
            onClick={() => void resend()}
          >
            {words.resend}
          </Button>
        )}
        <Button
          fullWidth
          variant="default"
          aria-label={words.withdrawFrom(email)}
          loading={isLeaving}
          disabled={isSending}
          onClick={() => void ask()}
        >
          {words.withdraw}
        </Button>
      </div>
    </li>
  );
}

/** One that was resent is another one: its buttons begin anew. */
const keyOf = ({ id, sentAt }: SentInvitation): string => `${id} ${sentAt?.seconds}.${sentAt?.nanos}`;

export function SentInvitations({ me }: { me: string }) {
  const now = useNow();
  return (
    <Loaded query={useInvitations()} skeleton={null} failed={words.failed} small>
      {(invitations) =>
        invitations.length > 0 && (
          <Section title={words.title} count={invitations.length}>
            <ul className="plainlist cards2" aria-label={words.title}>
              {invitations.map((invitation) => (
                <Row key={keyOf(invitation)} me={me} invitation={invitation} now={now} />
              ))}
            </ul>
          </Section>
        )
      }
    </Loaded>
  );
}
