// A new password, with the code that was mailed.
import { Button, PasswordInput } from "@mantine/core";
import { IconAlertCircle, IconMail } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { textField, useFields } from "../../lib/fields";
import { Note } from "../../ui/Pieces";
import { calls, failures } from "./ahead";
import { CodeField } from "./CodeField";
import { checkReset } from "./rules";
import { words } from "./words";

type Props = { email: string; onSet: (password: string) => void; onBack: () => void };
type Said = { kind: "nothing" | "sent" } | { kind: "wrong" | "notSent"; text: string };

export function ResetForm({ email, onSet, onBack }: Props) {
  const fields = useFields({ password: "", again: "" }, checkReset);
  const [code, setCode] = useState("");
  const [said, setSaid] = useState<Said>({ kind: "nothing" });
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    if (code.trim() === "") return setSaid({ kind: "wrong", text: words.enterCode });
    if (!fields.passes()) return;
    setBusy(true);
    try {
      await (await calls()).resetPassword(email, code.trim(), fields.values.password);
      onSet(fields.values.password);
    } catch (error) {
      const { resetFailureOf, hasReason } = await failures();
      const text = resetFailureOf(error);
      // What is wrong with one field stands at that field.
      if (hasReason(error, "INVALID_PASSWORD")) fields.show({ password: text });
      else setSaid({ kind: "wrong", text });
      setBusy(false);
    }
  }

  async function resend(): Promise<void> {
    setCode("");
    try {
      await (await calls()).forgotPassword(email);
      setSaid({ kind: "sent" });
    } catch (error) {
      setSaid({ kind: "notSent", text: (await failures()).failureOf(error, words.forgotFailed) });
    }
  }

  return (
    <form noValidate className="stack f" onSubmit={submit}>
      <CodeField code={code} wrong={said.kind === "wrong"} onCode={setCode}>
        {said.kind === "wrong" && (
          <div style={{ marginTop: "0.75rem" }}>
            <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />} title={words.resetFailed.title}>
              {said.text}
            </Note>
          </div>
        )}
      </CodeField>
      <PasswordInput
        label={words.newPassword}
        description={words.passwordRule}
        autoComplete="new-password"
        maxLength={256}
        {...textField(fields, "password")}
      />
      <PasswordInput
        label={words.newPasswordAgain}
        autoComplete="new-password"
        maxLength={256}
        {...textField(fields, "again")}
      />
      <Button type="submit" size="lg" fullWidth loading={busy}>
        {words.setPassword}
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
      <div className="center">
        <button type="button" className="link" onClick={onBack}>
          {words.backToSignIn}
        </button>
      </div>
    </form>
  );
}
