// The end of an account: what goes, what stays, and a word that nobody types by accident.
import { Button, TextInput } from "@mantine/core";
import { type FormEvent } from "react";
import { isUnreached } from "../../lib/errors";
import { type Errors, textField, useFields } from "../../lib/fields";
import { useTold } from "../../lib/outcome";
import { Failed } from "../../ui/Failed";
import { deletionFailure, useDeletion } from "./deeds";
import { words as all } from "./words";

const words = all.remove;

type Values = { word: string };

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

export function DeleteSheet({ onDeleted }: { onDeleted: () => void }) {
  const fields = useFields({ word: "" }, check);
  const deletion = useDeletion();
  const { isPending } = deletion;
  const error = useTold(fields.values, deletion.error, null);

  function send(): void {
    if (!isPending && fields.passes()) deletion.mutate(undefined, { onSuccess: onDeleted });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    send();
  }

  return (
    <form noValidate className="stack f" onSubmit={submit}>
      <p>{words.text}</p>
      <List title={words.goes} of={words.goesList} />
      <List title={words.stays} of={words.staysList} />
      {error !== null && (
        <Failed title={words.failed} text={deletionFailure(error)} onRetry={isUnreached(error) ? send : undefined} />
      )}
      <TextInput
        label={words.label(words.word)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...textField(fields, "word")}
      />
      <Button type="submit" size="lg" color="red" fullWidth loading={isPending}>
        {words.yes}
      </Button>
    </form>
  );
}
