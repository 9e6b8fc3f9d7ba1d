// The code that was mailed, with a way to get another.
import { IconCircleCheck, IconMail } from "@tabler/icons-react";
import { useState } from "react";
import { useOutcome } from "../../lib/outcome";
import { useRemembered } from "../../lib/remembered";
import { CodeField } from "../../ui/CodeField";
import { Failed } from "../../ui/Failed";
import { Form } from "../../ui/Form";
import { Note } from "../../ui/Pieces";
import { calls, failures } from "./ahead";
import { HaveAccount } from "./HaveAccount";
import { AUTO_SIGN_IN_MS } from "./rules";
import { stepWords } from "./stepWords";

/** `username` is the uid of the sign-up, or its address. */
type Props = {
  username: string;
  onVerified: () => void;
  onOther: () => void;
  onSignIn: () => void;
  onReset: () => void;
};
/** `wrong` is the code; `failed` is the checking of it. */
type Said =
  | { kind: "nothing" | "sent" | "verified" }
  | { kind: "wrong"; text: string }
  | { kind: "failed" | "notSent"; text: string; again: boolean };

export function VerifyForm({ username, onVerified, onOther, onSignIn, onReset }: Props) {
  const [code, setCode] = useRemembered(`verify ${username}`, (left: string | undefined) => left ?? "");
  const [said, setSaid] = useOutcome<Said>(code, { kind: "nothing" });
  const [busy, setBusy] = useState(false);
  const verified = said.kind === "verified";

  async function verify(): Promise<void> {
    if (busy || verified) return;
    if (code.trim() === "" || said.kind === "wrong") return setSaid({ kind: "wrong", text: stepWords.enterCode });
    setBusy(true);
    try {
      await (await calls()).confirmSignUp(username, code.trim());
      setSaid({ kind: "verified" });
      setTimeout(onVerified, AUTO_SIGN_IN_MS);
    } catch (error) {
      const { confirmFailureOf, isCodeWrong, isUnreached } = await failures();
      const text = confirmFailureOf(error);
      setSaid(isCodeWrong(error) ? { kind: "wrong", text } : { kind: "failed", text, again: isUnreached(error) });
    }
    setBusy(false);
  }

  async function resend(): Promise<void> {
    try {
      await (await calls()).resendCode(username);
      setCode("");
      setSaid({ kind: "sent" });
    } catch (error) {
      const { failureOf, isUnreached } = await failures();
      const again = isUnreached(error);
      // No heading says what failed.
      const text = again ? stepWords.resendFailed : failureOf(error, { fallback: stepWords.resendFailed });
      setSaid({ kind: "notSent", text, again });
    }
  }

  const ways = (
    <>
      <div className="row between">
        <span className="dim t14">{stepWords.noCode}</span>
        <button type="button" className="link" onClick={resend}>
          {stepWords.resend}
        </button>
      </div>
      {said.kind === "sent" && (
        <Note tone="ok" role="status" icon={<IconMail size={20} />}>
          {stepWords.resent}
        </Note>
      )}
      {said.kind === "notSent" && <Failed text={said.text} onRetry={said.again ? () => void resend() : undefined} />}
      {verified && (
        <Note tone="ok" role="status" icon={<IconCircleCheck size={20} />}>
          {stepWords.verified}
        </Note>
      )}
      <div className="center">
        <button type="button" className="link" onClick={onOther}>
          {stepWords.otherAddress}
        </button>
      </div>
      <HaveAccount onSignIn={onSignIn} onReset={onReset} />
    </>
  );

  return (
    <Form send={stepWords.verify} busy={busy || verified} onSend={() => void verify()} below={ways}>
      <CodeField
        code={code}
        wrong={said.kind === "wrong"}
        busy={busy}
        onCode={setCode}
        onComplete={() => void verify()}
      >
        {(said.kind === "wrong" || said.kind === "failed") && (
          <div style={{ marginTop: "0.75rem" }}>
            <Failed
              title={stepWords.confirmFailed.title}
              text={said.text}
              onRetry={said.kind === "failed" && said.again ? () => void verify() : undefined}
            />
          </div>
        )}
      </CodeField>
    </Form>
  );
}
