// Signing in by e-mail and password, or by a code out of a mail.
import { PasswordInput, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Ask } from "../../lib/asked";
import { session } from "../../lib/current";
import { textField, useFields } from "../../lib/fields";
import { useOutcome } from "../../lib/outcome";
import { Form, type FormFailure } from "../../ui/Form";
import { failures } from "./ahead";
import { checkForgot, checkSignIn } from "./rules";
import { words } from "./words";

type Props = {
  email: string;
  onEmail: (email: string) => void;
  /** The address waits for its code. */
  onUnconfirmed: (email: string, password: string) => void;
  onForgot: (email: string) => void;
  /** What was said before is over. */
  onBegin: () => void;
  /** More is asked; `begin` begins anew. */
  onAsked: (ask: Ask, begin: () => Promise<Ask | null>) => void;
};

/** `retry` tries again what was begun: by the password, or by a code. */
type Failure = FormFailure & { retry: () => void };

export function SignInForm({ email, onEmail, onUnconfirmed, onForgot, onBegin, onAsked }: Props) {
  const fields = useFields({ email, password: "" }, checkSignIn, "sign-in");
  const [failure, setFailure] = useOutcome<Failure | null>(fields.values, null);
  const [busy, setBusy] = useState(false);

  async function enter(begin: () => Promise<Ask | null>): Promise<void> {
    onBegin();
    setBusy(true);
    setFailure(null);
    try {
      const ask = await begin();
      if (ask !== null) onAsked(ask, begin);
    } catch (error) {
      const { signInFailureOf, hasReason, isUnreached } = await failures();
      setBusy(false);
      if (hasReason(error, "USER_NOT_CONFIRMED"))
        return onUnconfirmed(fields.values.email.trim(), fields.values.password);
      const retry = (): void => void enter(begin);
      setFailure({ text: signInFailureOf(error), again: isUnreached(error), retry });
    }
    return undefined;
  }

  function send(): void {
    if (busy || !fields.passes()) return;
    const address = fields.values.email.trim();
    const { password } = fields.values;
    onEmail(address);
    void enter(() => session.signIn(address, password));
  }

  function byCode(): void {
    if (busy) return;
    const address = fields.values.email.trim();
    const wrong = checkForgot({ email: address });
    if (wrong.email !== undefined) return fields.show(wrong);
    onEmail(address);
    return void enter(() => session.enter((calls) => calls.mailCode(address)));
  }

  return (
    <Form
      send={words.signIn}
      busy={busy}
      onSend={send}
      failed={words.signInFailed.title}
      failure={failure}
      isTyped
      onRetry={failure?.retry}
    >
      <TextInput
        label={words.email}
        type="email"
        autoComplete="username"
        inputMode="email"
        {...textField(fields, "email")}
      />
      <div>
        <PasswordInput label={words.password} autoComplete="current-password" {...textField(fields, "password")} />
        <div className="row between wraps" style={{ rowGap: 0 }}>
          <button type="button" className="link" onClick={() => onForgot(fields.values.email.trim())}>
            {words.forgot}
          </button>
          <button type="button" className="link" onClick={byCode}>
            {words.byCode}
          </button>
        </div>
      </div>
    </Form>
  );
}
