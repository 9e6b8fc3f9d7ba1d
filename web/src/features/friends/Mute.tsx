// Whether what a member does is told, turned off and on where they stand.
import { Button, Skeleton } from "@mantine/core";
import { IconBell, IconBellOff } from "@tabler/icons-react";
import { isUnreached, textOf } from "../../lib/errors";
import { useIsShown } from "../../lib/shown";
import { Failed } from "../../ui/Failed";
import { sayFailure } from "../../ui/failure";
import { Loaded } from "../../ui/Loaded";
import { useMute, useMuted, type Whom } from "./away";
import { awayWords as words } from "./awayWords";
import { nameOf } from "./names";

function Turn({ who, isMuted }: { who: Whom; isMuted: boolean }) {
  const [mute, unmute] = [useMute(true), useMute(false)];
  // What failed was put back, and is tried again by the same button.
  const next = isMuted ? unmute : mute;
  const Icon = isMuted ? IconBell : IconBellOff;
  const isShown = useIsShown();
  const textFor = (error: unknown): string =>
    textOf(
      error,
      { NOT_FOUND: words.gone, LIMIT_REACHED: words.muteLimit },
      isMuted ? words.unmuteFailed : words.muteFailed,
    );
  async function turn(): Promise<void> {
    try {
      await next.mutateAsync(who);
    } catch (error) {
      // It stands in the mutation's error, and is shown beside the button as long as that is there.
      if (!isShown()) sayFailure(error, textFor(error), send, { name: nameOf(who), path: "" });
    }
  }
  const send = (): void => void turn();
  return (
    <div className="stack s">
      {next.isError && <Failed text={textFor(next.error)} onRetry={isUnreached(next.error) ? send : undefined} />}
      <Button
        variant="default"
        fullWidth
        leftSection={<Icon size={20} />}
        loading={mute.isPending || unmute.isPending}
        onClick={send}
      >
        {isMuted ? words.unmute : words.mute}
      </Button>
      <p className="dim t14 center" role="status">
        {isMuted ? words.mutedSub : words.muteSub}
      </p>
    </div>
  );
}

export function Mute({ who }: { who: Whom }) {
  return (
    <Loaded
      query={useMuted()}
      skeleton={
        <div className="stack s" role="status" aria-label={words.loadingMute}>
          <Skeleton h={44} />
          <Skeleton h={20} w="70%" mx="auto" />
        </div>
      }
      failed={words.muteUnknown}
      small
    >
      {(muted) => <Turn who={who} isMuted={muted.some(({ user }) => user?.uid === who.uid)} />}
    </Loaded>
  );
}
