// Whether what a member does is told, turned off and on where they stand.
import { Button, Skeleton } from "@mantine/core";
import { IconBell, IconBellOff } from "@tabler/icons-react";
import { isUnreached, textOf } from "../../lib/errors";
import { Failed } from "../../ui/Failed";
import { Loaded } from "../../ui/Loaded";
import { useMute, useMuted } from "./away";
import { awayWords as words } from "./awayWords";

function Turn({ uid, isMuted }: { uid: string; isMuted: boolean }) {
  const [mute, unmute] = [useMute(true), useMute(false)];
  // What failed was put back, and is tried again by the same button.
  const next = isMuted ? unmute : mute;
  const Icon = isMuted ? IconBell : IconBellOff;
  const failed = textOf(
    next.error,
    { NOT_FOUND: words.gone, LIMIT_REACHED: words.limit },
    isMuted ? words.unmuteFailed : words.muteFailed,
  );
  const send = (): void => next.mutate(uid);
  return (
    <div className="stack s">
      {next.isError && <Failed text={failed} onRetry={isUnreached(next.error) ? send : undefined} />}
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

export function Mute({ uid }: { uid: string }) {
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
      {(muted) => <Turn uid={uid} isMuted={muted.some(({ user }) => user?.uid === uid)} />}
    </Loaded>
  );
}
