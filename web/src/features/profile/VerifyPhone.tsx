// Shows by a code that the number in the profile is one's own. A code is sent as soon as it is asked for.
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import type { Reason } from "../../lib/errors";
import { useIsShown } from "../../lib/shown";
import { CodeForm } from "../../ui/CodeForm";
import { codeFailureOf, mayRetry } from "../../ui/codeFailures";
import { Failed } from "../../ui/Failed";
import { filled } from "../../ui/filled";
import { Resend } from "../../ui/Resend";
import { FieldSkeleton } from "../../ui/FieldSkeleton";
import { useProfileApi } from "./deeds";
import { verifyWords as words, words as formWords } from "./words";

const TEXTS: Partial<Record<Reason, string>> = {
  WRONG_STATE: words.isDone,
  ALIAS_EXISTS: words.taken,
  UNSUPPORTED_OPERATION: words.noSms,
  NOT_AUTHORIZED: formWords.signInAgain,
};

type Sent = { kind: "sending" } | { kind: "sent"; to: string } | { kind: "failed"; text: string; again: boolean };

export function VerifyPhone({ onVerified, children }: { onVerified: () => void; children?: ReactNode }) {
  const { sendCode, verify } = useProfileApi();
  const [sent, setSent] = useState<Sent>({ kind: "sending" });
  const isShown = useIsShown();

  function failed(error: unknown): void {
    if (isShown()) setSent({ kind: "failed", text: codeFailureOf(error, TEXTS), again: mayRetry(error) });
  }
  function begin(): void {
    sendCode().then((to) => setSent({ kind: "sent", to }), failed);
  }
  const beginOnce = useEffectEvent(begin);
  useEffect(() => beginOnce(), []);

  function again(): void {
    setSent({ kind: "sending" });
    begin();
  }

  if (sent.kind === "sending") return <FieldSkeleton label={words.sending} />;
  if (sent.kind === "failed")
    return (
      <div className="stack f">
        <Failed title={words.notSent} text={sent.text} onRetry={sent.again ? again : undefined} />
        {children}
      </div>
    );
  return (
    <CodeForm
      failed={words.failed}
      send={words.verify}
      texts={TEXTS}
      above={<p className="dim">{filled(words.codeSent, <b className="ink num">{sent.to}</b>)}</p>}
      onCode={async (code) => {
        await verify(code);
        onVerified();
      }}
    >
      <Resend texts={TEXTS} onSend={sendCode} />
      {children}
    </CodeForm>
  );
}
