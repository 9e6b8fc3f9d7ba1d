// Actions on a member: request a favor, see their things, mute, report, end the friendship, block.
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconBan, IconFlag, IconPackage, IconPlus, IconUserMinus } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import { askFriendPath } from "../../lib/askFriend";
import { isUnreached, textOf } from "../../lib/errors";
import { useIsShown } from "../../lib/shown";
import { theirThingsPath } from "../../lib/theirThings";
import { confirmed } from "../../ui/confirm";
import { Failed } from "../../ui/Failed";
import { sayFailure } from "../../ui/failure";
import { Note } from "../../ui/Pieces";
import { say } from "../../ui/said";
import { useBlock, useRemove } from "./away";
import { awayWords as words } from "./awayWords";
import { Mute } from "./Mute";
import { nameOf } from "./names";
import { useIsOver } from "./over";
import { Person } from "./Person";
import type { Somebody } from "./PersonSheet";
import { words as friendsWords } from "./words";

type Deed = "remove" | "block";

const TEXTS = {
  remove: { ask: words.askRemove, done: words.removed, failed: words.removeFailed },
  block: { ask: words.askBlock, done: words.blocked, failed: words.blockFailed },
};

const reasonOf = (error: unknown, deed: Deed): string =>
  textOf(error, { NOT_FOUND: words.gone, LIMIT_REACHED: words.blockLimit }, TEXTS[deed].failed);

/** What came of the last deed, and the one that is under way. */
function useDeeds(who: Somebody, onDone: () => void) {
  const calls = { remove: useRemove(), block: useBlock() };
  const [failure, setFailure] = useState<{ text: string; retry: (() => void) | undefined } | null>(null);
  const [busy, setBusy] = useState<Deed | null>(null);
  const isShown = useIsShown();
  const name = nameOf(who);

  async function send(deed: Deed): Promise<void> {
    if (busy !== null) return;
    setFailure(null);
    setBusy(deed);
    try {
      await calls[deed].mutateAsync(who);
      // It stays under way: what is closing does not become another thing before it is gone.
      if (isShown()) onDone();
      // It went well, and is nothing to be glad of.
      say(TEXTS[deed].done(name), "idle");
    } catch (error) {
      const retry = (): void => void send(deed);
      const text = reasonOf(error, deed);
      if (!isShown()) return sayFailure(error, text, retry, { name, path: "" });
      setFailure({ text, retry: isUnreached(error) ? retry : undefined });
      setBusy(null);
    }
  }
  return { send, failure, busy };
}

/** What somebody was who is it no more, by whatever happened elsewhere: nothing is known of them now, and nothing can be done here. */
function Over({ who }: { who: Somebody }) {
  return (
    <div className="stack">
      <Person who={{ ...who, email: "", isFriend: false }} />
      <Note tone="wait" role="status" icon={<IconAlertTriangle size={20} />}>
        {who.isFriend ? words.removed(nameOf(who)) : friendsWords.requestGone}
      </Note>
    </div>
  );
}

type Props = { who: Somebody; onReport: () => void; onDone: () => void };

export function PersonActions({ who, onReport, onDone }: Props) {
  const { send, failure, busy } = useDeeds(who, onDone);
  const about = nameOf(who);
  const isOver = useIsOver(who);

  const ask = async (deed: Deed): Promise<void> => {
    if (busy !== null) return;
    const { title, yes, text } = TEXTS[deed].ask;
    const told = who.isFriend ? text : words.askBlockOther;
    if (await confirmed({ title, yes, text: told, about, destructive: true })) await send(deed);
  };

  if (isOver && busy === null) return <Over who={who} />;
  return (
    <div className="stack">
      <Person who={who} />
      {failure !== null && <Failed text={failure.text} onRetry={failure.retry} />}
      {who.isFriend && (
        <>
          <Button component={Link} href={askFriendPath(who.uid)} fullWidth leftSection={<IconPlus size={20} />}>
            {words.askFavor}
          </Button>
          <Button
            component={Link}
            href={theirThingsPath(who.uid)}
            variant="default"
            fullWidth
            leftSection={<IconPackage size={20} />}
          >
            {words.theirThings}
          </Button>
        </>
      )}
      <Mute who={who} />
      <Button variant="default" fullWidth leftSection={<IconFlag size={20} />} onClick={onReport}>
        {words.report}
      </Button>
      {who.isFriend && (
        <Button
          variant="light"
          color="red"
          fullWidth
          leftSection={<IconUserMinus size={20} />}
          loading={busy === "remove"}
          onClick={() => void ask("remove")}
        >
          {words.remove}
        </Button>
      )}
      <Button
        variant="light"
        color="red"
        fullWidth
        leftSection={<IconBan size={20} />}
        loading={busy === "block"}
        onClick={() => void ask("block")}
      >
        {words.block}
      </Button>
    </div>
  );
}
