// The accounts at providers that let the member in too.
import { Button } from "@mantine/core";
import { IconLogin2 } from "@tabler/icons-react";
import { hasReason } from "../../lib/errors";
import { confirmed } from "../../ui/confirm";
import { sayFailure } from "../../ui/failure";
import { Section } from "../../ui/Pieces";
import { Row } from "../../ui/Row";
import { say } from "../../ui/said";
import { failedDeed, unlink } from "./deeds";
import type { Account, Link } from "./queries";
import { words as all } from "./words";

const words = all.links;

const textOf = (error: unknown, { provider }: Link): string =>
  failedDeed(error, words.notUnlinked(provider), { INVALID_PARAMETER: words.onlyWay });

/** Nothing where there are none: they are made at the sign-in. */
export function Links({ account: { links }, onChanged }: { account: Account; onChanged: () => void }) {
  async function send(link: Link): Promise<void> {
    try {
      await unlink(link);
    } catch (error) {
      // Gone is gone, whoever unlinked it.
      if (!hasReason(error, "RESOURCE_NOT_FOUND")) return sayFailure(error, textOf(error, link), () => void send(link));
    }
    onChanged();
    say(words.unlinked(link.provider));
  }

  async function ask(link: Link): Promise<void> {
    const question = { title: words.ask(link.provider), text: words.askText, yes: words.unlink, destructive: true };
    if (await confirmed(question)) await send(link);
  }

  if (links.length === 0) return null;
  return (
    <Section title={words.title}>
      <p className="dim t14" style={{ marginBottom: "0.75rem" }}>
        {words.sub}
      </p>
      <ul className="plainlist card flush" aria-label={words.title}>
        {links.map((link) => (
          <li key={`${link.provider} ${link.userId}`}>
            <Row
              icon={<IconLogin2 size={22} />}
              label={link.provider}
              value={words.value}
              aside={
                <Button variant="default" aria-label={words.unlinkOf(link.provider)} onClick={() => void ask(link)}>
                  {words.unlink}
                </Button>
              }
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
