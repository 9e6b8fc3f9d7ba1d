// A new account: full name, e-mail, password twice.
import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { textField, useFields } from "../../lib/fields";
import { useOutcome } from "../../lib/outcome";
import { Failed } from "../../ui/Failed";
import { NewPassword } from "../../ui/NewPassword";
import { calls, failures } from "./ahead";
import { checkSignUp } from "./rules";
import { stepWords } from "./stepWords";
import { words } from "./words";

/** `uid` is that of the sign-up whose code is on its way. */
export type Joined = { email: string; password: string; uid: string | null };
type Props = {
  email: string;
  name: string;
  onTyped: (email: string, name: string) => void;
  onJoined: (joined: Joined) => void;
};

export function SignUpForm({ email, name, onTyped, onJoined }: Props) {
  const fields = useFields({ name, email, password: "", again: "" }, checkSignUp, "sign-up");
  const { email: typedEmail, name: typedName } = fields.values;
  useEffect(() => onTyped(typedEmail, typedName), [onTyped, typedEmail, typedName]);
  const [failure, setFailure] = useOutcome<{ text: string; again: boolean } | null>(fields.values, null);
  const [busy, setBusy] = useState(false);

  async function send(): Promise<void> {
    if (busy || !fields.passes()) return;
    setBusy(true);
    setFailure(null);
    const { password } = fields.values;
    const address = fields.values.email.trim();
    try {
      const { signUp } = await calls();
      const waiting = await signUp(address, password, fields.values.name);
      onJoined({ email: address, password, uid: waiting?.uid ?? null });
    } catch (error) {
      const { failureOf, hasReason, isUnreached } = await failures();
      const text = failureOf(error, stepWords.signUpFailed);
      // What is wrong with one field stands at that field.
      if (hasReason(error, "INVALID_PASSWORD")) fields.show({ password: text });
      else setFailure({ text, again: isUnreached(error) });
      setBusy(false);
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    void send();
  }

  return (
    <form noValidate className="stack f" onSubmit={submit}>
      {failure !== null && (
        <Failed
          title={stepWords.signUpFailed.title}
          text={failure.text}
          isTyped
          onRetry={failure.again ? () => void send() : undefined}
        />
      )}
      <TextInput label={stepWords.fullName} autoComplete="name" maxLength={200} {...textField(fields, "name")} />
      <TextInput
        label={words.email}
        type="email"
        autoComplete="username"
        inputMode="email"
        maxLength={254}
        {...textField(fields, "email")}
      />
      <NewPassword fields={fields} label={words.password} labelAgain={stepWords.passwordAgain} />
      <Button type="submit" size="lg" fullWidth loading={busy}>
        {stepWords.createAccount}
      </Button>
    </form>
  );
}
