// Another password, by the present one.
import { useState } from "react";
import { hasReason } from "../../lib/errors";
import { type Errors, textField, useFields } from "../../lib/fields";
import { useOutcome } from "../../lib/outcome";
import { useIsShown } from "../../lib/shown";
import { Form, type FormFailure } from "../../ui/Form";
import { checkNewPassword, NewPassword, PresentPassword } from "../../ui/NewPassword";
import { words as passwordWords } from "../../ui/passwordWords";
import { say } from "../../ui/said";
import { mayRetry } from "../../ui/codeFailures";
import { changePassword, failureOf } from "./deeds";
import { words as all } from "./words";

const words = all.changePassword;

type Values = { present: string; password: string; again: string };

function check(values: Values): Errors<Values> {
  return { ...(values.present === "" ? { present: passwordWords.fillAll } : {}), ...checkNewPassword(values) };
}

export function PasswordSheet({ onSaved }: { onSaved: () => void }) {
  const fields = useFields({ present: "", password: "", again: "" }, check);
  const [failure, setFailure] = useOutcome<FormFailure | null>(fields.values, null);
  const [busy, setBusy] = useState(false);
  const isShown = useIsShown();

  async function save(): Promise<void> {
    if (busy || !fields.passes()) return;
    setBusy(true);
    setFailure(null);
    try {
      await changePassword(fields.values.present, fields.values.password);
      onSaved();
    } catch (error) {
      const text = failureOf(error, { NOT_AUTHORIZED: words.wrong });
      // Where the sheet was closed meanwhile. It has to be typed anew: no password is kept.
      if (!isShown()) return say(mayRetry(error) ? words.unsure : words.notChanged, "no");
      // What is wrong with one field stands at that field.
      if (hasReason(error, "INVALID_PASSWORD")) fields.show({ password: text });
      else if (hasReason(error, "NOT_AUTHORIZED")) fields.show({ present: text });
      else setFailure({ text, again: mayRetry(error) });
      setBusy(false);
    }
  }

  return (
    <Form
      send={words.save}
      busy={busy}
      onSend={() => void save()}
      above={<p className="dim">{words.sub}</p>}
      failed={words.failed}
      failure={failure}
    >
      <PresentPassword {...textField(fields, "present")} label={words.present} />
      <NewPassword fields={fields} />
    </Form>
  );
}
