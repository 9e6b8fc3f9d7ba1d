// Deletes the account: shows what goes and what stays, and asks for a typed word and the password.
import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { isUnreached } from "../../lib/errors";
import { type Errors, textField, useFields } from "../../lib/fields";
import { useTold } from "../../lib/outcome";
import { Form } from "../../ui/Form";
import { PresentPassword } from "../../ui/NewPassword";
import { deletionFailure, passwordFailure, useDeletion } from "./deeds";
import { words as all } from "./words";

const words = all.remove;

type Values = { word: string; password: string };

function check({ word }: Values): Errors<Values> {
  return word.trim().toLowerCase() === words.word.toLowerCase() ? {} : { word: words.wrong(words.word) };
}

function List({ title, of }: { title: string; of: readonly string[] }) {
  return (
    <div>
      <p className="b6">{title}</p>
      <ul className="bullets dim">
        {of.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

/** `warning` stands above the fields. */
type Props = { warning: ReactNode; onDeleted: () => void };

export function DeleteSheet({ warning, onDeleted }: Props) {
  const fields = useFields({ word: "", password: "" }, check);
  const deletion = useDeletion(onDeleted);
  const { isPending } = deletion;
  const error = useTold(fields.values, deletion.error, null);
  const isAtField = error !== null && passwordFailure(error, fields.values.password) !== "";

  function send(): void {
    if (isPending || !fields.passes()) return;
    const { password } = fields.values;
    deletion.mutate(password, {
      onError(refused) {
        const text = passwordFailure(refused, password);
        if (text !== "") fields.show({ password: text });
      },
    });
  }

  return (
    <Form
      send={words.yes}
      busy={isPending}
      destructive
      onSend={send}
      above={
        <>
          <p>{words.text}</p>
          <List title={words.goes} of={words.goesList} />
          <List title={words.stays} of={words.staysList} />
          {warning}
        </>
      }
      failed={words.failed}
      failure={error === null || isAtField ? null : { text: deletionFailure(error), again: isUnreached(error) }}
    >
      <TextInput
        label={words.label(words.word)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...textField(fields, "word")}
      />
      <PresentPassword {...textField(fields, "password")} label={words.password} description={words.passwordHint} />
    </Form>
  );
}
