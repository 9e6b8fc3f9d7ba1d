// Another code in place of the one that did not come.
import { IconMail } from "@tabler/icons-react";
import { useState } from "react";
import type { Reason } from "../lib/errors";
import { failedDeedOf, mayRetry } from "./codeFailures";
import { codeFormWords as words } from "./codeFormWords";
import { Failed } from "./Failed";
import { Note } from "./Pieces";

type Props = {
  /** What to do first, beside it. */
  hint?: string;
  /** Words for reasons that only this thing has. */
  texts?: Partial<Record<Reason, string>>;
  onSend: () => Promise<unknown>;
};

export function Resend({ hint = "", texts, onSend }: Props) {
  const [said, setSaid] = useState<"nothing" | "sent" | { text: string; again: boolean }>("nothing");

  async function send(): Promise<void> {
    try {
      await onSend();
      setSaid("sent");
    } catch (error) {
      setSaid({ text: failedDeedOf(error, words.notSentAgain, texts), again: mayRetry(error) });
    }
  }

  return (
    <>
      <div className="row between">
        <span className="dim t14">{hint}</span>
        <button type="button" className="link" onClick={() => void send()}>
          {words.resend}
        </button>
      </div>
      {said === "sent" && (
        <Note tone="ok" role="status" icon={<IconMail size={20} />}>
          {words.sentAgain}
        </Note>
      )}
      {typeof said === "object" && <Failed text={said.text} onRetry={said.again ? () => void send() : undefined} />}
    </>
  );
}
