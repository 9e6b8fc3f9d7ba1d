// Words to those who run the server: what is typed is kept until it is sent, and counts once however often it is tried.
import { Textarea } from "@mantine/core";
import { useEffect, useState } from "react";
import { isUnreached, type Reason, textOf } from "../lib/errors";
import { type Errors, textField, useFields } from "../lib/fields";
import { forget, keep, kept } from "../lib/kept";
import { newKey } from "../lib/keys";
import { useOutcome } from "../lib/outcome";
import { useIsShown } from "../lib/shown";
import { sayFailure } from "./failure";
import { Form, type FormFailure } from "./Form";
import { reportFormWords } from "./reportFormWords";
import { say } from "./said";

/** `key`: all tries to send the same words have one, so that one of them counts at most. */
type Values = { message: string };
type Kept = Values & { key: string };

function readKept(value: unknown): Kept | null {
  if (typeof value !== "object" || value === null) return null;
  const { message, key } = value as Partial<Record<keyof Kept, unknown>>;
  return typeof message === "string" && typeof key === "string" ? { message, key } : null;
}

type Words = { text: string; label: string; empty: string; failed: string; tryAgain: string; sent: string };
type Props = {
  me: string;
  /** What it is kept as until it is sent. */
  form: string;
  words: Words;
  /** Words for reasons that only this report has. */
  texts: Partial<Record<Reason, string>>;
  lengthMax: number;
  send: (message: string, key: string) => Promise<unknown>;
  onSent: () => void;
};

export function ReportForm({ me, form, words, texts, lengthMax, send: sendIt, onSent }: Props) {
  const check = ({ message }: Values): Errors<Values> => (message.trim() === "" ? { message: words.empty } : {});
  const fields = useFields<Values>({ message: kept(me, form, readKept)?.message ?? "" }, check);
  const { message } = fields.values;
  const [failure, setFailure] = useOutcome<FormFailure | null>(message, null);
  const [busy, setBusy] = useState(false);
  const isShown = useIsShown();

  useEffect(() => {
    const before = kept(me, form, readKept);
    if (message === "") forget(me, form);
    // Other words are another report.
    else if (before?.message !== message) keep(me, form, { message, key: newKey() });
  }, [me, form, message]);

  async function send(): Promise<void> {
    if (busy || !fields.passes()) return;
    setBusy(true);
    setFailure(null);
    const key = kept(me, form, readKept)?.key ?? newKey();
    try {
      await sendIt(message.trim(), key);
      // What was typed meanwhile, in a sheet that was opened anew, stays.
      if (kept(me, form, readKept)?.key === key) forget(me, form);
      if (isShown()) onSent();
      say(words.sent);
    } catch (error) {
      const text = textOf(error, texts, words.tryAgain);
      if (!isShown()) return sayFailure(error, text, () => void send());
      const again = isUnreached(error);
      setFailure({ text: again ? reportFormWords.networkError : text, again });
      setBusy(false);
    }
  }

  return (
    <Form
      send={reportFormWords.send}
      busy={busy}
      onSend={() => void send()}
      above={<p className="dim">{words.text}</p>}
      failed={words.failed}
      failure={failure}
      isTyped
    >
      <Textarea
        label={words.label}
        maxLength={lengthMax}
        minRows={4}
        readOnly={busy}
        {...textField(fields, "message")}
      />
    </Form>
  );
}
