// A new account: full name, e-mail, password twice.
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { type FormEvent, useEffect, useState } from "react";
import { textField, useFields } from "../../lib/fields";
import { Note } from "../../ui/Pieces";
import { calls, failures } from "./ahead";
import { checkSignUp } from "./rules";
import { words } from "./words";

/** `uid` is that of the sign-up whose code is on its way. */
export type Joined = { email: string; password: string; uid: string | null };
type Props = {
  email: string;
  name: string;
  /** The password, for who comes back from the code. */
  secret: string;
  onTyped: (email: string, name: string) => void;
  onJoined: (joined: Joined) => void;
};

export function SignUpForm({ email, name, secret, onTyped, onJoined }: Props) {
  const fields = useFields({ name, email, password: secret, again: secret }, checkSignUp);
  const { email: typedEmail, name: typedName } = fields.values;
  useEffect(() => onTyped(typedEmail, typedName), [onTyped, typedEmail, typedName]);
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || !fields.passes()) return;
    setBusy(true);
    setFailure("");
    const { password } = fields.values;
    const address = fields.values.email.trim();
    try {
      const { signUp } = await calls();
      const waiting = await signUp(address, password, fields.values.name);
      onJoined({ email: address, password, uid: waiting?.uid ?? null });
    } catch (error) {
      const { failureOf, hasReason } = await failures();
      const text = failureOf(error, words.signUpFailed);
      // What is wrong with one field stands at that field.
      if (hasReason(error, "INVALID_PASSWORD")) fields.show({ password: text });
      else setFailure(text);
      setBusy(false);
    }
  }

  return (
    <form noValidate className="stack f" onSubmit={submit}>
      {failure !== "" && (
        <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />} title={words.signUpFailed.title}>
          {failure}
        </Note>
      )}
      <TextInput label={words.fullName} autoComplete="name" maxLength={200} {...textField(fields, "name")} />
      <TextInput
        label={words.email}
        type="email"
        autoComplete="username"
        inputMode="email"
        maxLength={254}
        {...textField(fields, "email")}
      />
      <PasswordInput
        label={words.password}
        description={words.passwordRule}
        autoComplete="new-password"
        maxLength={256}
        {...textField(fields, "password")}
      />
      <PasswordInput
        label={words.passwordAgain}
        autoComplete="new-password"
        maxLength={256}
        {...textField(fields, "again")}
      />
      <Button type="submit" size="lg" fullWidth loading={busy}>
        {words.createAccount}
      </Button>
    </form>
  );
}
