// A password of one's own in place of one that an operator has set.
import { Button } from "@mantine/core";
import { type FormEvent, useEffect } from "react";
import { useFields } from "../../lib/fields";
import { Failed } from "../../ui/Failed";
import { checkNewPassword, NewPassword } from "../../ui/NewPassword";
import { words } from "./askWords";
import { type StepProps, StepHead } from "./StepHead";
import { words as doorWords } from "./words";

export function NewPasswordForm({ said, busy, onAnswer }: StepProps & { onAnswer: (password: string) => void }) {
  const fields = useFields({ password: "", again: "" }, checkNewPassword);
  const field = fields.idOf("password");
  useEffect(() => document.getElementById(field)?.focus(), [field]);
  const { show } = fields;
  // What is wrong with the password is said at the password.
  useEffect(() => {
    if (said.kind === "wrong") show({ password: said.text });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `show` is another one at each drawing
  }, [said]);

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
          <Failed title={doorWords.resetFailed.title} text={said.text} onRetry={said.again ? send : undefined} />
        )}
        <NewPassword fields={fields} />
        <Button type="submit" size="lg" fullWidth loading={busy}>
          {doorWords.setPassword}
        </Button>
      </form>
    </>
  );
}
