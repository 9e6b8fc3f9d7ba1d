// The code that was mailed, with a way to get another.
import { Button } from "@mantine/core";
import { IconAlertCircle, IconCircleCheck, IconMail } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { Note } from "../../ui/Pieces";
import { calls, failures } from "./ahead";
import { CodeField } from "./CodeField";
import { AUTO_SIGN_IN_MS } from "./rules";
import { words } from "./words";

/** `username` is the uid of the sign-up, or its address. */
type Props = { username: string; onVerified: () => void; onOther: () => void };
type Said =
  | { kind: "nothing" }
  | { kind: "wrong"; text: string }
  | { kind: "sent" }
  | { kind: "notSent"; text: string }
  | { kind: "verified" };

export function VerifyForm({ username, onVerified, onOther }: Props) {
  const [code, setCode] = useState("");
  const [said, setSaid] = useState<Said>({ kind: "nothing" });
  const [busy, setBusy] = useState(false);
  const verified = said.kind === "verified";

  async function verify(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || verified) return;
    if (code.trim() === "") return setSaid({ kind: "wrong", text: words.enterCode });
    setBusy(true);
    try {
      await (await calls()).confirmSignUp(username, code.trim());
      setSaid({ kind: "verified" });
      setTimeout(onVerified, AUTO_SIGN_IN_MS);
    } catch (error) {
      setSaid({ kind: "wrong", text: (await failures()).confirmFailureOf(error) });
    }
    setBusy(false);
  }

  async function resend(): Promise<void> {
    setCode("");
    try {
      await (await calls()).resendCode(username);
      setSaid({ kind: "sent" });
    } catch (error) {
      setSaid({ kind: "notSent", text: (await failures()).failureOf(error, { fallback: words.resendFailed }) });
    }
  }

  return (
    <form noValidate className="stack f" onSubmit={verify}>
      <CodeField code={code} wrong={said.kind === "wrong"} onCode={setCode}>
        {said.kind === "wrong" && (
          <div style={{ marginTop: "0.75rem" }}>
            <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />} title={words.confirmFailed.title}>
              {said.text}
            </Note>
          </div>
        )}
      </CodeField>
      <Button type="submit" size="lg" fullWidth loading={busy || verified}>
        {words.verify}
      </Button>
      <div className="row between">
        <span className="dim t14">{words.noCode}</span>
        <button type="button" className="link" onClick={resend}>
          {words.resend}
        </button>
      </div>
      {said.kind === "sent" && (
        <Note tone="ok" role="status" icon={<IconMail size={20} />}>
          {words.resent}
        </Note>
      )}
      {said.kind === "notSent" && (
        <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />}>
          {said.text}
        </Note>
      )}
      {verified && (
        <Note tone="ok" role="status" icon={<IconCircleCheck size={20} />}>
          {words.verified}
        </Note>
      )}
      <div className="center">
        <button type="button" className="link" onClick={onOther}>
          {words.otherAddress}
        </button>
      </div>
    </form>
  );
}
