// Finds one member by an exact contact and asks them to be friends.
import { Button, Input } from "@mantine/core";
import { IconInfoCircle, IconUserPlus } from "@tabler/icons-react";
import { type FormEvent, useId, useRef, useState } from "react";
import {
  FriendRequestStatus,
  type FindFriendResponse,
  type FoundMember,
  Relation,
} from "../../gen/goodturn/friends/v1/friends_service_pb";
import { hasReason, isUnreached, textOf } from "../../lib/errors";
import { useIsShown } from "../../lib/shown";
import { Face } from "../../ui/Face";
import { useTold } from "../../lib/outcome";
import { Failed } from "../../ui/Failed";
import { CountedText } from "../../ui/Fields";
import { NotFound } from "../../ui/illustrations";
import { EmptyState, Note } from "../../ui/Pieces";
import { sayFailure } from "../../ui/failure";
import { say } from "../../ui/said";
import { useFound, useSendRequest } from "./deeds";
import { Invite } from "./Invite";
import { nameOf } from "./names";
import { checkContact, contactOf } from "./rules";
import { useTyped } from "./typed";
import { MESSAGE_LENGTH_MAX, words } from "./words";
import { Words } from "../../ui/Words";

/** Why no request can be sent to the found member; empty when one can. */
function hindranceOf(relation: Relation): string {
  switch (relation) {
    case Relation.SELF:
      return words.thatIsYou;
    case Relation.FRIEND:
      return words.alreadyFriends;
    case Relation.REQUESTED:
      return words.alreadySent;
    case Relation.UNSPECIFIED:
    case Relation.NONE:
    case Relation.RECEIVED:
      return "";
    default:
      return relation satisfies never;
  }
}

const FAILURES = {
  ALREADY_SENT: words.alreadySent,
  ALREADY_FRIENDS: words.alreadyFriends,
  SELF_REQUEST: words.thatIsYou,
  RATE_LIMITED: words.askedTooOften,
  LIMIT_REACHED: words.limitReached,
};
const failureOf = (error: unknown): string => textOf(error, FAILURES, words.requestFailed.text);

type FoundProps = {
  user: FoundMember;
  relation: Relation;
  message: string;
  /** All tries to send these words have it. */
  tryKey: string;
  onMessage: (message: string) => void;
  onSent: () => void;
};

function Found({ user, relation, message, tryKey, onMessage, onSent }: FoundProps) {
  const send = useSendRequest();
  const isShown = useIsShown();
  const name = nameOf(user);
  const error = useTold(message, send.error, null);
  const sentBefore = hasReason(send.error, "ALREADY_SENT");
  const hindrance = sentBefore ? hindranceOf(Relation.REQUESTED) : hindranceOf(relation);

  async function submit(): Promise<void> {
    try {
      const { status } = await send.mutateAsync({ receiverUid: user.uid, message: message.trim(), key: tryKey });
      onSent();
      say(status === FriendRequestStatus.ACCEPTED ? words.nowFriends(name) : words.sent);
    } catch (failed) {
      // It stands in the mutation's error, and is shown beside the button as long as that is there.
      if (!isShown()) sayFailure(failed, failureOf(failed), () => void submit(), { name, path: "/friends/find" });
    }
  }

  return (
    <div className="card arrives stack">
      <div className="row">
        <Face person={{ ...user, displayName: name }} size={56} />
        <div className="grow">
          <h2 className="t18 one">
            <Words>{name}</Words>
          </h2>
          {user.email !== "" && (
            <p className="dim t14 one">
              <Words>{user.email}</Words>
            </p>
          )}
        </div>
      </div>
      {hindrance === "" ? (
        <>
          {relation === Relation.RECEIVED && (
            <Note tone="ok" icon={<IconInfoCircle size={20} />}>
              {words.theyAsked(name)}
            </Note>
          )}
          <CountedText label={words.messageLabel} value={message} max={MESSAGE_LENGTH_MAX} onChange={onMessage} />
          {error !== null && (
            <Failed
              title={words.requestFailed.title}
              text={failureOf(error)}
              isTyped
              onRetry={isUnreached(error) ? () => void submit() : undefined}
            />
          )}
          <Button
            size="lg"
            fullWidth
            leftSection={<IconUserPlus size={22} />}
            loading={send.isPending}
            onClick={() => void submit()}
          >
            {words.send}
          </Button>
        </>
      ) : (
        <Note tone="idle" role={sentBefore ? "alert" : "status"} icon={<IconInfoCircle size={20} />}>
          {hindrance}
        </Note>
      )}
    </div>
  );
}

/** `onDone`: a request or an invitation was sent. */
export function FindFriends({ me, onDone }: { me: string; onDone?: () => void }) {
  const id = useId();
  const { contact, searched, message, key, type, clear } = useTyped(me);
  const [wrong, setWrong] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const search = useFound(searched);
  // What came of another contact than the one that stands there is not said of this one.
  const isOfIt = contactOf(contact) === searched;
  const result: FindFriendResponse | undefined = isOfIt ? search.data : undefined;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const found = checkContact(contact);
    setWrong(found);
    if (found !== "") field.current?.focus();
    else if (isOfIt) void search.refetch();
    else type({ searched: contactOf(contact), message: "" });
  }

  function done(): void {
    clear();
    onDone?.();
  }

  function again(): void {
    clear();
    field.current?.focus();
  }

  return (
    <div className="stack f form">
      <form noValidate onSubmit={submit} role="search" aria-label={words.tabs.find}>
        <Input.Wrapper id={id} label={words.searchLabel} description={words.searchDescription} error={wrong}>
          <div className="row s">
            <Input
              id={id}
              ref={field}
              className="grow"
              value={contact}
              error={wrong !== ""}
              maxLength={254}
              autoComplete="off"
              autoCapitalize="none"
              inputMode="email"
              onChange={(e) => {
                type({ contact: e.currentTarget.value });
                setWrong("");
              }}
              onBlur={() => contact.trim() !== "" && setWrong(checkContact(contact))}
            />
            <Button
              type="submit"
              style={{ minHeight: "3rem" }}
              disabled={contact.trim() === ""}
              loading={search.isFetching}
            >
              {words.search}
            </Button>
          </div>
        </Input.Wrapper>
      </form>
      {result === undefined && !(isOfIt && search.isError) && <p className="dim t14">{words.inviteHint}</p>}
      <div aria-live="polite">
        {isOfIt && search.isError && (
          <Failed
            title={words.searchFailed.title}
            text={textOf(
              search.error,
              { RATE_LIMITED: words.tooMany, INVALID_ARGUMENT: words.searchBad },
              words.searchFailed.text,
            )}
            isTyped
            onRetry={isUnreached(search.error) ? () => void search.refetch() : undefined}
          />
        )}
        {result?.user !== undefined && (
          <Found
            key={result.user.uid}
            user={result.user}
            relation={result.relation}
            message={message}
            tryKey={key}
            onMessage={(typed) => type({ message: typed })}
            onSent={done}
          />
        )}
        {result?.invitable === true && <Invite key={searched} me={me} contact={searched} onDone={onDone} />}
        {result !== undefined && result.user === undefined && !result.invitable && (
          <EmptyState
            drawing={<NotFound size={200} />}
            title={words.notFound}
            action={
              <Button variant="default" onClick={again}>
                {words.tryAnother}
              </Button>
            }
          >
            {words.notFoundText}
          </EmptyState>
        )}
      </div>
    </div>
  );
}
