// Who asks to be friends, and whom I have asked.
import { ActionIcon, Button } from "@mantine/core";
import { IconCheck, IconDots } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { FriendRequest } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { hasReason } from "../../lib/errors";
import { dayOf, toDate } from "../../lib/times";
import { Face } from "../../ui/Face";
import { CaughtUp } from "../../ui/illustrations";
import { Loaded } from "../../ui/Loaded";
import { EmptyState, Section } from "../../ui/Pieces";
import { RowSkeletons } from "../../ui/Skeletons";
import { sayFailure } from "../../ui/failure";
import { say } from "../../ui/said";
import { dismiss } from "../../ui/toast";
import { awayWords } from "./awayWords";
import { useRespond, useTakeBack } from "./deeds";
import { nameOf } from "./names";
import { usePersonSheet } from "./PersonSheet";
import { useFriendRequests } from "./queries";
import { words } from "./words";
import { Words } from "../../ui/Words";

type WhoProps = { request: FriendRequest; heading: "h2" | "h3"; noEmail?: string; aside?: ReactNode };

/** `noEmail`: what stands there where the address is not known; nothing where no line is wanted then. */
function Who({ request, heading: Heading, noEmail = "", aside }: WhoProps) {
  const { user, friendRequestDate } = request;
  const email = user?.email || noEmail;
  const on = toDate(friendRequestDate);
  return (
    <div className="row">
      <Face person={user ?? { displayName: "" }} size={56} />
      <div className="grow">
        <Heading className="one t16 b6">
          <Words>{nameOf(user)}</Words>
        </Heading>
        {email !== "" && (
          <p className="dim t14 one">
            <Words>{email}</Words>
          </p>
        )}
        {on !== undefined && <p className="dim t14">{words.requestedOn(dayOf(on))}</p>}
      </div>
      {aside}
    </div>
  );
}

function Received({ request, onMore }: { request: FriendRequest; onMore: () => void }) {
  const respond = useRespond();
  const name = nameOf(request.user);

  // Awaited, since the card is gone as soon as the list knows: callbacks of a gone card are not called.
  async function answer(accept: boolean): Promise<void> {
    try {
      await respond.mutateAsync({ requestId: request.friendRequest, accept });
      // What asked for this answer has it.
      dismiss("/friends/requests");
      say(accept ? words.accepted : words.declined);
    } catch (error) {
      const gone = hasReason(error, "NOT_FOUND", "WRONG_STATE");
      const text = gone ? words.requestGone : accept ? words.acceptFailed : words.declineFailed;
      sayFailure(error, text, () => void answer(accept));
    }
  }

  const busy = respond.isPending || respond.isSuccess;
  return (
    <li className="card arrives stack">
      <Who
        request={request}
        heading="h2"
        noEmail={words.noEmail}
        aside={
          <ActionIcon aria-label={awayWords.more(name)} aria-haspopup="dialog" onClick={onMore}>
            <IconDots />
          </ActionIcon>
        }
      />
      {request.message !== "" && (
        <p className="quote">
          <Words>{request.message}</Words>
        </p>
      )}
      <div className="row s">
        <Button
          fullWidth
          leftSection={<IconCheck size={20} />}
          aria-label={words.acceptWhom(name)}
          loading={busy && respond.variables?.accept === true}
          onClick={() => void answer(true)}
        >
          {words.accept}
        </Button>
        <Button
          fullWidth
          variant="default"
          aria-label={words.declineWhom(name)}
          loading={busy && respond.variables?.accept === false}
          onClick={() => void answer(false)}
        >
          {words.decline}
        </Button>
      </div>
    </li>
  );
}

function Sent({ request }: { request: FriendRequest }) {
  const takeBack = useTakeBack();
  const busy = takeBack.isPending || takeBack.isSuccess;
  async function undo(): Promise<void> {
    try {
      await takeBack.mutateAsync(request.friendRequest);
      say(words.takenBack);
    } catch (error) {
      // It was accepted in between.
      if (hasReason(error, "WRONG_STATE")) say(words.nowFriends(nameOf(request.user)));
      else if (hasReason(error, "NOT_FOUND")) say(words.requestGone, "idle");
      else sayFailure(error, words.takeBackFailed, () => void undo());
    }
  }
  return (
    <li className="card stack">
      <Who request={request} heading="h3" />
      <Button
        variant="default"
        aria-label={words.takeBackFrom(nameOf(request.user))}
        loading={busy}
        onClick={() => void undo()}
      >
        {words.takeBack}
      </Button>
    </li>
  );
}

function Nobody() {
  return (
    <EmptyState
      drawing={<CaughtUp size={200} />}
      title={words.caughtUp}
      action={
        <Button component={Link} href="/friends/find" variant="light">
          {words.tabs.find}
        </Button>
      }
    >
      {words.caughtUpText}
    </EmptyState>
  );
}

export function Requests({ me }: { me: string }) {
  const [show, sheet] = usePersonSheet(me);
  return (
    <>
      <Loaded
        query={useFriendRequests()}
        skeleton={<RowSkeletons label={words.loadingRequests} count={2} />}
        failed={words.requestsFailed}
      >
        {({ received, sent }) => (
          <div className="stack l">
            {received.length === 0 ? (
              <Nobody />
            ) : (
              <ul className="plainlist cards2" aria-label={words.received}>
                {received.map((request) => (
                  <Received
                    key={request.friendRequest}
                    request={request}
                    onMore={() => request.user && show({ ...request.user, isFriend: false })}
                  />
                ))}
              </ul>
            )}
            {sent.length > 0 && (
              <Section title={words.sentOnes} count={sent.length}>
                <ul className="plainlist cards2">
                  {sent.map((request) => (
                    <Sent key={request.friendRequest} request={request} />
                  ))}
                </ul>
              </Section>
            )}
          </div>
        )}
      </Loaded>
      {sheet}
    </>
  );
}
