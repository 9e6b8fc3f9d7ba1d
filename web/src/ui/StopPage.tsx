// Ends mails of a kind: asks for a press, since mail programs open links by themselves, and says that it is done. Works without signing in.
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { isUnreached } from "../lib/errors";
import { isOver as isLinkOver } from "../lib/links";
import { Form, type FormFailure } from "./Form";
import { LinkHead } from "./LinkHead";
import { LinkOver } from "./LinkOver";
import { linkWords } from "./linkWords";
import "./styles/rows.css";

type Words = { ask: string; yes: string; done: string; doneText: string };
type Stop = { mutate: (token: string) => void; isPending: boolean; isSuccess: boolean; error: Error | null };
type Props = {
  token: string;
  words: Words;
  text: ReactNode;
  /** What ends, one by one. */
  what?: readonly string[];
  /** It has ended before. */
  isOver?: boolean;
  /** What can be done about it once it has ended. */
  after?: ReactNode;
  stop: Stop;
};

export function failureOf(error: Error | null): FormFailure | null {
  const again = isUnreached(error);
  return error && { text: again ? linkWords.networkError : linkWords.tryAgain, again };
}

export function StopPage({ token, words, text, what, isOver = false, after, stop }: Props) {
  const { error } = stop;
  if (isLinkOver(error)) return <LinkOver />;
  if (stop.isSuccess || isOver)
    return (
      <>
        <LinkHead title={words.done} text={words.doneText} />
        {after}
        <Button component={Link} href="/" variant="default" size="lg" fullWidth>
          {linkWords.toStart}
        </Button>
      </>
    );
  return (
    <Form
      send={words.yes}
      busy={stop.isPending}
      onSend={() => stop.mutate(token)}
      above={
        <>
          <LinkHead title={words.ask} text={text} />
          {what !== undefined && (
            <ul className="bullets">
              {what.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          )}
        </>
      }
      failed={linkWords.notSaved}
      failure={failureOf(error)}
    />
  );
}
