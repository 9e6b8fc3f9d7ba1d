// Where a member is signed in: each sign-in that goes on, with the way to end it.
import { Button } from "@mantine/core";
import { IconDeviceDesktop, IconLogout } from "@tabler/icons-react";
import { useState } from "react";
import { dayOf, relativeTime, useNow } from "../../lib/times";
import { confirmed } from "../../ui/confirm";
import { sayFailure } from "../../ui/failure";
import { Loaded } from "../../ui/Loaded";
import { Section } from "../../ui/Pieces";
import { Row } from "../../ui/Row";
import { say } from "../../ui/said";
import { SectionRows } from "../../ui/SectionRows";
import { Words } from "../../ui/Words";
import { endSessions, failedDeed } from "./deeds";
import { type SignedIn, useSessions } from "./queries";
import { words as all } from "./words";

const words = all.sessions;

const nameOf = ({ agent }: SignedIn): string => agent || words.unknown;

type Ending = { ids: readonly string[]; title: string; text: string; yes: string; done: string; failed: string };

/** Asks, ends, and says how it went. */
function useEnding(onChanged: () => void) {
  const [busy, setBusy] = useState(false);

  async function send(ending: Ending): Promise<void> {
    setBusy(true);
    try {
      await endSessions(ending.ids);
      say(ending.done);
    } catch (error) {
      sayFailure(error, failedDeed(error, ending.failed), () => void send(ending));
    }
    // Of several some may have ended.
    onChanged();
    setBusy(false);
  }

  async function ask(ending: Ending): Promise<void> {
    const { title, text, yes } = ending;
    if (await confirmed({ title, text, yes, destructive: true })) await send(ending);
  }

  return { busy, ask };
}

function List({ sessions, onChanged }: { sessions: readonly SignedIn[]; onChanged: () => void }) {
  const now = useNow();
  const { busy, ask } = useEnding(onChanged);
  const others = sessions.filter((one) => !one.isHere);

  const endOne = (one: SignedIn): void => {
    const name = nameOf(one);
    const said = { done: words.signedOut(name), failed: words.notSignedOut(name) };
    void ask({ ids: [one.id], title: words.ask(name), text: words.askText, yes: words.signOut, ...said });
  };
  const endOthers = (): void => {
    const ids = others.map(({ id }) => id);
    const said = { done: words.othersOut, failed: words.othersNotOut };
    void ask({ ids, title: words.askOthers, text: words.askOthersText, yes: words.signOut, ...said });
  };

  return (
    <div className="stack">
      <ul className="plainlist card flush" aria-label={words.title}>
        {sessions.map((one) => (
          <li key={one.id}>
            <Row
              icon={<IconDeviceDesktop size={22} />}
              tone={one.isHere ? "ok" : "idle"}
              label={<Words>{nameOf(one)}</Words>}
              value={words.used(dayOf(one.beganAt), relativeTime(one.isHere ? now : one.usedAt, now))}
              aside={
                one.isHere ? (
                  <span className="badge soft" data-tone="ok">
                    {words.here}
                  </span>
                ) : (
                  <Button variant="default" aria-label={words.signOutOf(nameOf(one))} onClick={() => endOne(one)}>
                    {words.signOut}
                  </Button>
                )
              }
            />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <Button variant="default" leftSection={<IconLogout size={20} />} loading={busy} onClick={endOthers}>
          {words.others}
        </Button>
      )}
    </div>
  );
}

export function Sessions({ onChanged }: { onChanged: () => void }) {
  return (
    <Section title={words.title}>
      <Loaded query={useSessions()} skeleton={<SectionRows label={words.loading} />} failed={words.failed} small>
        {(sessions) => <List sessions={sessions} onChanged={onChanged} />}
      </Loaded>
    </Section>
  );
}
