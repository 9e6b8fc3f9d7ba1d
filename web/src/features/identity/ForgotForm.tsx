// A password that was forgotten: where the code shall go.
import { TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { textField, useFields } from "../../lib/fields";
import { useOutcome } from "../../lib/outcome";
import { Form, type FormFailure } from "../../ui/Form";
import { calls, failures } from "./ahead";
import { checkForgot } from "./rules";
import { stepWords } from "./stepWords";
import { words } from "./words";

type Props = { email: string; onSent: (email: string) => void; onBack: () => void };

export function ForgotForm({ email, onSent, onBack }: Props) {
  const fields = useFields({ email }, checkForgot);
  const [failure, setFailure] = useOutcome<FormFailure | null>(fields.values, null);
  const [busy, setBusy] = useState(false);
  const field = fields.idOf("email");
  useEffect(() => document.getElementById(field)?.focus(), [field]);

  async function send(): Promise<void> {
    if (busy || !fields.passes()) return;
    setBusy(true);
    setFailure(null);
    const address = fields.values.email.trim();
    try {
      await (await calls()).forgotPassword(address);
      onSent(address);
    } catch (error) {
      const { failureOf, isUnreached } = await failures();
      setFailure({ text: failureOf(error, stepWords.forgotFailed), again: isUnreached(error) });
      setBusy(false);
    }
  }

  return (
    <Form
      send={stepWords.sendCode}
      busy={busy}
      onSend={() => void send()}
      failed={stepWords.forgotFailed.title}
      failure={failure}
      isTyped
      below={
        <div className="center">
          <button type="button" className="link" onClick={onBack}>
            {words.backToSignIn}
          </button>
        </div>
      }
    >
      <TextInput
        label={words.email}
        type="email"
        autoComplete="username"
        inputMode="email"
        {...textField(fields, "email")}
      />
    </Form>
  );
}
