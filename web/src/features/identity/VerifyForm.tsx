// The code that was mailed, with a way to get another.
import { Button, PinInput } from "@mantine/core";
import { IconAlertCircle, IconCircleCheck, IconMail } from "@tabler/icons-react";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { Note } from "../../ui/Pieces";
import { calls, failures } from "./ahead";
import { AUTO_SIGN_IN_MS } from "./rules";
import { words } from "./words";

const CODE_LENGTH = 6;

type Props = { email: string; onVerified: () => void; onOther: () => void };
type Said =
  | { kind: "nothing" }
  | { kind: "wrong"; text: string }
  | { kind: "sent" }
  | { kind: "notSent"; text: string }
  | { kind: "verified" };

export function VerifyForm({ email, onVerified, onOther }: Props) {
  const [code, setCode] = useState("");
  const [said, setSaid] = useState<Said>({ kind: "nothing" });
  const [busy, setBusy] = useState(false);
  const label = useId();
  const digits = useRef<HTMLDivElement>(null);
  useEffect(() => digits.current?.querySelector("input")?.focus(), []);
  const verified = said.kind === "verified";

  async function verify(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || verified) return;
    if (code.trim() === "") return setSaid({ kind: "wrong", text: words.enterCode });
    setBusy(true);
    try {
      await (await calls()).confirmSignUp(email, code.trim());
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
      await (await calls()).resendCode(email);
      setSaid({ kind: "sent" });
    } catch (error) {
      setSaid({ kind: "notSent", text: (await failures()).failureOf(error, { fallback: words.resendFailed }) });
    }
  }

  return (
    <form noValidate className="stack f" onSubmit={verify}>
      <div role="group" aria-labelledby={label} ref={digits}>
        <span className="lbl" id={label}>
          {words.code}
        </span>
        <PinInput
          // Without an id of its own it draws its fields twice, and the first ones take the focus with them.
          id={`${label}-code`}
          length={CODE_LENGTH}
          type="number"
          oneTimeCode
          placeholder=""
          getInputProps={(index) => ({ "aria-label": words.digit(index + 1, CODE_LENGTH) })}
          value={code}
          error={said.kind === "wrong"}
          onChange={setCode}
        />
        {said.kind === "wrong" && (
          <div style={{ marginTop: "0.75rem" }}>
            <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />} title={words.confirmFailed.title}>
              {said.text}
            </Note>
          </div>
        )}
      </div>
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
