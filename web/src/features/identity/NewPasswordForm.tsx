// A password of one's own in place of one that an operator has set.
import { Button } from "@mantine/core";
import { type FormEvent, useEffect, useEffectEvent } from "react";
import { useFields } from "../../lib/fields";
import { useTold } from "../../lib/outcome";
import { Failed } from "../../ui/Failed";
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

  function submit(event: FormEvent): void {
    event.preventDefault();
    send();
  }

  return (
    <>
      <StepHead title={words.heads.newPassword} sub={words.newPasswordSub} />
      <form noValidate className="stack f" onSubmit={submit}>
        {said.kind === "failed" && (
          <Failed title={stepWords.resetFailed.title} text={said.text} onRetry={said.again ? send : undefined} />
        )}
        <NewPassword fields={fields} />
        <Button type="submit" size="lg" fullWidth loading={busy}>
          {stepWords.setPassword}
        </Button>
      </form>
    </>
  );
}
