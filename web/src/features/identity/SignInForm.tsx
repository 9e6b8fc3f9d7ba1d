// Signing in by e-mail and password.
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { session } from "../../lib/current";
import { textField, useFields } from "../../lib/fields";
import { Note } from "../../ui/Pieces";
import { failures } from "./ahead";
import { checkSignIn } from "./rules";
import { words } from "./words";

type Props = {
  email: string;
  onEmail: (email: string) => void;
  onUnconfirmed: (email: string, password: string) => void;
  onForgot: (email: string) => void;
};

export function SignInForm({ email, onEmail, onUnconfirmed, onForgot }: Props) {
  const fields = useFields({ email, password: "" }, checkSignIn);
  const [failure, setFailure] = useState("");
  const [unconfirmed, setUnconfirmed] = useState(false);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || !fields.passes()) return;
    setBusy(true);
    setFailure("");
    const address = fields.values.email.trim();
    onEmail(address);
    try {
      await session.signIn(address, fields.values.password);
    } catch (error) {
      const { failureOf, hasReason } = await failures();
      setUnconfirmed(hasReason(error, "USER_NOT_CONFIRMED"));
      setFailure(failureOf(error, words.signInFailed));
      setBusy(false);
    }
  }

  return (
    <form noValidate className="stack f" onSubmit={submit}>
      {failure !== "" && (
        <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />} title={words.signInFailed.title}>
          {failure}
          {unconfirmed && (
            <div>
              <button
                type="button"
                className="link"
                onClick={() => onUnconfirmed(fields.values.email.trim(), fields.values.password)}
              >
                {words.goVerify}
              </button>
            </div>
          )}
        </Note>
      )}
      <TextInput
        label={words.email}
        type="email"
        autoComplete="username"
        inputMode="email"
        {...textField(fields, "email")}
      />
      <div>
        <PasswordInput label={words.password} autoComplete="current-password" {...textField(fields, "password")} />
        <div>
          <button type="button" className="link" onClick={() => onForgot(fields.values.email.trim())}>
            {words.forgot}
          </button>
        </div>
      </div>
      <Button type="submit" size="lg" fullWidth loading={busy}>
        {words.signIn}
      </Button>
    </form>
  );
}
