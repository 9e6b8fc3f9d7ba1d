// One's own data: a copy of it, and the end of the account.
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { session } from "../../lib/current";
import { forgetDevice } from "../../lib/device";
import { part } from "../../lib/parts";
import type { Member } from "../../lib/session";
import { useTitle } from "../../lib/title";
import { sayFailure } from "../../ui/failure";
import { Section } from "../../ui/Pieces";
import { ScreenHead } from "../../ui/ScreenHead";
import { say } from "../../ui/said";
import { Sheet } from "../../ui/Sheet";
import { FieldSkeleton } from "../../ui/FieldSkeleton";
import "../../ui/styles/rows.css";
import { downloadFailure, useDownload } from "./deeds";
import { words } from "./words";
import { words as frameWords } from "../../ui/shellWords";

const DeleteSheet = part(() => import("./DeleteSheet").then((m) => m.DeleteSheet));

function Copy() {
  const copy = useDownload();
  const send = (): void =>
    copy.mutate(undefined, {
      onSuccess: () => say(words.copy.done),
      onError: (error) => sayFailure(error, downloadFailure(error), send),
    });
  return (
    <Section title={words.copy.title}>
      <div className="card stack">
        <p>{words.copy.text}</p>
        <Button
          variant="default"
          fullWidth
          leftSection={<IconDownload size={20} />}
          loading={copy.isPending}
          onClick={send}
        >
          {words.copy.download}
        </Button>
      </div>
    </Section>
  );
}

/** `warning` is for whoever is about to delete the account. */
export function DataScreen({ member, warning }: { member: Member; warning: ReactNode }) {
  const [, navigate] = useLocation();
  const [opened, setOpened] = useState(false);
  const [times, setTimes] = useState(0);
  useTitle(words.title);

  function open(): void {
    setOpened(true);
    setTimes((before) => before + 1);
  }

  async function leave(): Promise<void> {
    forgetDevice(member.uid);
    navigate("/", { replace: true });
    // The server has nothing left that could be ended.
    await session.signOut().catch(() => undefined);
    say(words.remove.done);
  }

  return (
    <div className="narrow">
      <ScreenHead title={words.title} back={words.back} otherwise="/settings" />
      <div className="stack l">
        <Copy />
        <Section title={words.remove.title}>
          <div className="card stack">
            <p>{words.remove.text}</p>
            <Button variant="light" color="red" fullWidth aria-haspopup="dialog" onClick={open}>
              {words.remove.open}
            </Button>
          </div>
        </Section>
      </div>
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        title={words.remove.title}
        skeleton={<FieldSkeleton label={frameWords.loading} />}
      >
        <DeleteSheet key={times} warning={warning} onDeleted={() => void leave()} />
      </Sheet>
    </div>
  );
}
