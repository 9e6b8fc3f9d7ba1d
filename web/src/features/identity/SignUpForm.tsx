// A new account: full name, e-mail, password twice.
import { TextInput } from "@mantine/core";
import { IconMailHeart } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { textField, useFields } from "../../lib/fields";
import { useOutcome } from "../../lib/outcome";
import { Failed } from "../../ui/Failed";
import { Form, type FormFailure } from "../../ui/Form";
import { NewPassword } from "../../ui/NewPassword";
import { Note } from "../../ui/Pieces";
import { calls, failures } from "./ahead";
import { HaveAccount } from "./HaveAccount";
import { invited } from "./invited";
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
  onSignIn: () => void;
  onReset: () => void;
};
/** `isMember`: the address has an account, as only who came by its mailed link is told. */
type Failure = FormFailure & { isMember: boolean };

export function SignUpForm({ email, name, onTyped, onJoined, onSignIn, onReset }: Props) {
  const fields = useFields({ name, email, password: "", again: "" }, checkSignUp, "sign-up");
  const { email: typedEmail, name: typedName } = fields.values;
  useEffect(() => onTyped(typedEmail, typedName), [onTyped, typedEmail, typedName]);
  const [failure, setFailure] = useOutcome<Failure | null>(fields.values, null);
  const [busy, setBusy] = useState(false);
  const [invitation] = useState(invited);

  async function send(): Promise<void> {
    if (busy || !fields.passes()) return;
    setBusy(true);
    setFailure(null);
    const { password } = fields.values;
    const address = fields.values.email.trim();
    try {
      const { signUp } = await calls();
      const waiting = await signUp(address, password, fields.values.name, invitation?.token);
      onJoined({ email: address, password, uid: waiting?.uid ?? null });
    } catch (error) {
      const { failureOf, hasReason, isUnreached } = await failures();
      const text = failureOf(error, stepWords.signUpFailed);
      // What is wrong with one field stands at that field.
      if (hasReason(error, "INVALID_PASSWORD")) fields.show({ password: text });
      else setFailure({ text, again: isUnreached(error), isMember: hasReason(error, "USERNAME_EXISTS") });
      setBusy(false);
    }
  }

  return (
    <Form
      send={stepWords.createAccount}
      busy={busy}
      onSend={() => void send()}
      failed={stepWords.signUpFailed.title}
      failure={failure?.isMember === true ? null : failure}
      isTyped
      above={
        <>
          {invitation !== null && (
            <Note tone="ok" icon={<IconMailHeart size={20} />}>
              {stepWords.invitedBy(invitation.inviter)}
            </Note>
          )}
          {failure?.isMember === true && (
            <div className="stack s">
              <Failed title={stepWords.signUpFailed.title} text={failure.text} />
              <HaveAccount onSignIn={onSignIn} onReset={onReset} />
            </div>
          )}
        </>
      }
    >
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
    </Form>
  );
}
