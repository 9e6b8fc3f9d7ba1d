// A new password, with the code that was mailed.
import { IconMail } from "@tabler/icons-react";
import { useState } from "react";
import { useFields } from "../../lib/fields";
import { useOutcome } from "../../lib/outcome";
import { useRemembered } from "../../lib/remembered";
import { CodeField } from "../../ui/CodeField";
import { Failed } from "../../ui/Failed";
import { Form } from "../../ui/Form";
import { checkNewPassword, NewPassword } from "../../ui/NewPassword";
import { Note } from "../../ui/Pieces";
import { calls, failures } from "./ahead";
import { resetCodeOf } from "./rules";
import { stepWords } from "./stepWords";
import { words } from "./words";

type Props = { email: string; onSet: (password: string) => void; onBack: () => void };
/** `wrong` is the code; `failed` is the setting of the password. */
type Said =
  | { kind: "nothing" | "sent" }
  | { kind: "wrong"; text: string }
  | { kind: "failed" | "notSent"; text: string; again: boolean };

export function ResetForm({ email, onSet, onBack }: Props) {
  const fields = useFields({ password: "", again: "" }, checkNewPassword, "reset");
  const [code, setCode] = useRemembered(resetCodeOf(email), (left: string | undefined) => left ?? "");
  const [said, setSaid] = useOutcome<Said>([code, fields.values], { kind: "nothing" });
  const [busy, setBusy] = useState(false);

  async function set(): Promise<void> {
    if (busy) return;
    if (code.trim() === "" || said.kind === "wrong") return setSaid({ kind: "wrong", text: stepWords.enterCode });
    if (!fields.passes()) return;
    setBusy(true);
    try {
      await (await calls()).resetPassword(email, code.trim(), fields.values.password);
      onSet(fields.values.password);
    } catch (error) {
      const { resetFailureOf, hasReason, isCodeWrong, isUnreached } = await failures();
      const text = resetFailureOf(error);
      // What is wrong with one field stands at that field.
      if (hasReason(error, "INVALID_PASSWORD")) fields.show({ password: text });
      else if (isCodeWrong(error)) setSaid({ kind: "wrong", text });
      else setSaid({ kind: "failed", text, again: isUnreached(error) });
      setBusy(false);
    }
  }

  /** Without a new password there is nothing to send yet. */
  function complete(): void {
    if (Object.keys(checkNewPassword(fields.values)).length === 0) void set();
  }

  async function resend(): Promise<void> {
    try {
      await (await calls()).forgotPassword(email);
      setCode("");
      setSaid({ kind: "sent" });
    } catch (error) {
      const { failureOf, isUnreached } = await failures();
      const again = isUnreached(error);
      // No heading says what failed.
      const text = again ? stepWords.forgotFailed.fallback : failureOf(error, stepWords.forgotFailed);
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
      <div className="center">
        <button type="button" className="link" onClick={onBack}>
          {words.backToSignIn}
        </button>
      </div>
    </>
  );

  return (
    <Form send={stepWords.setPassword} busy={busy} onSend={() => void set()} below={ways}>
      <CodeField code={code} wrong={said.kind === "wrong"} busy={busy} onCode={setCode} onComplete={complete}>
        {(said.kind === "wrong" || said.kind === "failed") && (
          <div style={{ marginTop: "0.75rem" }}>
            <Failed
              title={stepWords.resetFailed.title}
              text={said.text}
              onRetry={said.kind === "failed" && said.again ? () => void set() : undefined}
            />
          </div>
        )}
      </CodeField>
      <NewPassword fields={fields} />
    </Form>
  );
}
