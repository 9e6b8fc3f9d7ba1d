// A report of a problem, to those who run the server. What is typed is kept until it is sent.
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { Button, Textarea } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { ProfileService } from "../../gen/goodturn/profile/v1/profile_service_pb";
import { isUnreached, textOf } from "../../lib/errors";
import { type Errors, textField, useFields } from "../../lib/fields";
import { forget, keep, kept } from "../../lib/kept";
import { useOutcome } from "../../lib/outcome";
import { useIsShown } from "../../lib/shown";
import { Failed } from "../../ui/Failed";
import { sayFailure } from "../../ui/failure";
import { say } from "../../ui/said";
import { REPORT_LENGTH_MAX, reportWords as words } from "./reportWords";

const FORM = "report";

/** `key`: all tries to send the same words have one, so that one of them counts at most. */
type Values = { message: string };
type Kept = Values & { key: string };

const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-");

function readKept(value: unknown): Kept | null {
  if (typeof value !== "object" || value === null) return null;
  const { message, key } = value as Partial<Record<keyof Kept, unknown>>;
  return typeof message === "string" && typeof key === "string" ? { message, key } : null;
}

const check = ({ message }: Values): Errors<Values> => (message.trim() === "" ? { message: words.empty } : {});

type Failure = { text: string; again: boolean };

function failureOf(error: unknown): Failure {
  const again = isUnreached(error);
  return { text: again ? words.networkError : textOf(error, { RATE_LIMITED: words.tooOften }, words.tryAgain), again };
}

export function ReportSheet({ me, onSent }: { me: string; onSent: () => void }) {
  const client = createClient(ProfileService, useTransport());
  const fields = useFields<Values>({ message: kept(me, FORM, readKept)?.message ?? "" }, check);
  const { message } = fields.values;
  const [failure, setFailure] = useOutcome<Failure | null>(message, null);
  const [busy, setBusy] = useState(false);
  const isShown = useIsShown();

  useEffect(() => {
    const before = kept(me, FORM, readKept);
    if (message === "") forget(me, FORM);
    // Other words are another report.
    else if (before?.message !== message) keep(me, FORM, { message, key: newKey() });
  }, [me, message]);

  async function send(): Promise<void> {
    if (busy || !fields.passes()) return;
    setBusy(true);
    setFailure(null);
    const key = kept(me, FORM, readKept)?.key ?? newKey();
    try {
      await client.reportProblem({ message: message.trim() }, { headers: { "idempotency-key": key } });
      // What was typed meanwhile, in a sheet that was opened anew, stays.
      if (kept(me, FORM, readKept)?.key === key) forget(me, FORM);
      if (isShown()) onSent();
      say(words.sent);
    } catch (error) {
      const failed = failureOf(error);
      if (!isShown()) return sayFailure(error, words.tryAgain, () => void send());
      setFailure(failed);
      setBusy(false);
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    void send();
  }

  return (
    <form noValidate className="stack f" onSubmit={submit}>
      <p className="dim">{words.text}</p>
      {failure !== null && (
        <Failed
          title={words.failed}
          text={failure.text}
          isTyped
          onRetry={failure.again ? () => void send() : undefined}
        />
      )}
      <Textarea
        label={words.label}
        maxLength={REPORT_LENGTH_MAX}
        minRows={4}
        readOnly={busy}
        {...textField(fields, "message")}
      />
      <Button type="submit" size="lg" fullWidth loading={busy}>
        {words.send}
      </Button>
    </form>
  );
}
