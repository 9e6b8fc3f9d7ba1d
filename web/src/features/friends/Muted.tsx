// Whom a member has muted: a section of the settings of notifications.
import { Section } from "../../ui/Pieces";
import { AwayList } from "./AwayList";
import { useMute, useMuted } from "./away";
import { awayWords as words } from "./awayWords";

export function Muted() {
  const [mute, unmute] = [useMute(true), useMute(false)];
  return (
    <Section title={words.mutedTitle}>
      <p className="dim t14" style={{ marginBottom: "0.75rem" }}>
        {words.mutedListSub}
      </p>
      <AwayList
        label={words.mutedTitle}
        query={useMuted()}
        loading={words.loadingMuted}
        failed={words.mutedUnknown}
        empty={<p className="card dim t14">{words.nobodyMuted}</p>}
        since={words.mutedSince}
        into={{
          act: words.mute,
          name: words.whom.mute,
          done: words.muted,
          failed: words.muteFailed,
          limit: words.muteLimit,
          deed: mute,
        }}
        out={{
          act: words.unmute,
          name: words.whom.unmute,
          done: words.unmuted,
          failed: words.unmuteFailed,
          limit: words.muteLimit,
          deed: unmute,
        }}
      />
    </Section>
  );
}
