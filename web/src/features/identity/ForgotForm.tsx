// A password that was forgotten: where the code shall go.
import { Button, TextInput } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { type FormEvent, useEffect, useState } from "react";
import { textField, useFields } from "../../lib/fields";
import { Note } from "../../ui/Pieces";
import { calls, failures } from "./ahead";
import { checkForgot } from "./rules";
import { words } from "./words";

type Props = { email: string; onSent: (email: string) => void; onBack: () => void };

export function ForgotForm({ email, onSent, onBack }: Props) {
  const fields = useFields({ email }, checkForgot);
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const field = fields.idOf("email");
  useEffect(() => document.getElementById(field)?.focus(), [field]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || !fields.passes()) return;
    setBusy(true);
    setFailure("");
    const address = fields.values.email.trim();
    try {
      await (await calls()).forgotPassword(address);
      onSent(address);
    } catch (error) {
      setFailure((await failures()).failureOf(error, words.forgotFailed));
      setBusy(false);
    }
  }

  return (
    <form noValidate className="stack f" onSubmit={submit}>
      {failure !== "" && (
        <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />} title={words.forgotFailed.title}>
          {failure}
        </Note>
      )}
      <TextInput
        label={words.email}
        type="email"
        autoComplete="username"
        inputMode="email"
        {...textField(fields, "email")}
      />
      <Button type="submit" size="lg" fullWidth loading={busy}>
        {words.sendCode}
      </Button>
      <div className="center">
        <button type="button" className="link" onClick={onBack}>
          {words.backToSignIn}
        </button>
      </div>
    </form>
  );
}
