// A password of one's own in place of one that an operator has set.
import { useEffect, useEffectEvent } from "react";
import { useFields } from "../../lib/fields";
import { useTold } from "../../lib/outcome";
import { Form } from "../../ui/Form";
import { checkNewPassword, NewPassword } from "../../ui/NewPassword";
import { words } from "./askWords";
import { NOTHING_SAID } from "./standing";
import { type StepProps, StepHead } from "./StepHead";
import { stepWords } from "./stepWords";

export function NewPasswordForm({ said: told, busy, onAnswer }: StepProps & { onAnswer: (password: string) => void }) {
  const fields = useFields({ password: "", again: "" }, checkNewPassword);
  const said = useTold(fields.values, told, NOTHING_SAID);
  const field = fields.idOf("password");
  useEffect(() => document.getElementById(field)?.focus(), [field]);
  // What is wrong with the password is said at the password.
  const show = useEffectEvent((text: string) => fields.show({ password: text }));
  useEffect(() => {
    if (told.kind === "wrong") show(told.text);
  }, [told]);

  function send(): void {
    if (fields.passes()) onAnswer(fields.values.password);
  }

  return (
    <>
      <StepHead title={words.heads.newPassword} sub={words.newPasswordSub} />
      <Form
        send={stepWords.setPassword}
        busy={busy}
        onSend={send}
        failed={stepWords.resetFailed.title}
        failure={said.kind === "failed" ? said : null}
      >
        <NewPassword fields={fields} />
      </Form>
    </>
  );
}
