// Ends mails of a kind: asks for a press, since mail programs open links by themselves, and says that it is done. Works without signing in.
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { isUnreached } from "../../lib/errors";
import { Form } from "../../ui/Form";
import { Head } from "./Head";
import { LinkOver } from "./LinkOver";
import { isOver } from "./queries";
import { words } from "./words";

type Words = { ask: string; yes: string; done: string; doneText: string; failed: string; tryAgain: string };
type Stop = {
  mutate: (token: string) => void;
  isPending: boolean;
  isSuccess: boolean;
  error: Error | null;
};
type Props = { token: string; words: Words; text: ReactNode; stop: Stop };

export function StopPage({ token, words: its, text, stop }: Props) {
  const { error } = stop;
  if (isOver(error)) return <LinkOver />;
  if (stop.isSuccess)
    return (
      <>
        <Head title={its.done} text={its.doneText} />
        <Button component={Link} href="/" variant="default" size="lg" fullWidth>
          {words.toStart}
        </Button>
      </>
    );
  const again = isUnreached(error);
  return (
    <Form
      send={its.yes}
      busy={stop.isPending}
      onSend={() => stop.mutate(token)}
      above={<Head title={its.ask} text={text} />}
      failed={its.failed}
      failure={error === null ? null : { text: again ? words.networkError : its.tryAgain, again }}
    />
  );
}
