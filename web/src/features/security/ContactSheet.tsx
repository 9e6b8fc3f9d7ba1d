// Another e-mail address, or a phone number: typed, and put in force by the code that is sent there.
import { TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { isEmail } from "../../lib/contact";
import { plainPhone } from "../../lib/digits";
import type { Reason } from "../../lib/errors";
import { type Errors, textField, useFields } from "../../lib/fields";
import { useLayer } from "../../lib/layers";
import { useOutcome } from "../../lib/outcome";
import { useIsShown } from "../../lib/shown";
import { CodeForm } from "../../ui/CodeForm";
import { mayRetry } from "../../ui/codeFailures";
import { codeFormWords } from "../../ui/codeFormWords";
import { Form, type FormFailure } from "../../ui/Form";
import { filled } from "../../ui/filled";
import { sayFailure } from "../../ui/failure";
import { Resend } from "../../ui/Resend";
import { Words } from "../../ui/Words";
import { beginContact, type Contact, endContact, failedDeed, failureOf, resendContact, TEXTS } from "./deeds";
import { words } from "./words";

const WORDS = { email: words.changeEmail, phone_number: words.changePhone };

/** As it is sent: a number without what people put between its digits. */
const plain = (name: Contact, value: string): string =>
  name === "email" ? value.trim() : plainPhone(value).replaceAll(/[ ()./-]/g, "");

const isRight = (name: Contact, value: string): boolean =>
  name === "email" ? isEmail(value) : /^\+[1-9]\d{6,14}$/.test(value);

const failureFrom = (error: unknown): FormFailure => ({ text: failureOf(error), again: mayRetry(error) });

type Props = { name: Contact; present: string; onSaved: () => void };

export function ContactSheet({ name, present, onSaved }: Props) {
  const texts = WORDS[name];
  const check = ({ value }: { value: string }): Errors<{ value: string }> => {
    const given = plain(name, value);
    if (!isRight(name, given)) return { value: texts.bad };
    return present !== "" && given.toLowerCase() === present.toLowerCase() ? { value: texts.same } : {};
  };
  const fields = useFields({ value: "" }, check);
  const field = fields.idOf("value");
  const [sentTo, setSentTo] = useState("");
  const [failure, setFailure] = useOutcome<FormFailure | null>(fields.values, null);
  const [busy, setBusy] = useState(false);
  const isShown = useIsShown();
  // Back from the code is the address again.
  useLayer(sentTo !== "", () => setSentTo(""));
  useEffect(() => document.getElementById(field)?.focus(), [field]);

  async function send(): Promise<void> {
    if (busy || !fields.passes()) return;
    const value = plain(name, fields.values.value);
    setBusy(true);
    setFailure(null);
    try {
      await beginContact(name, value);
      setSentTo(value);
    } catch (error) {
      if (!isShown()) return sayFailure(error, failedDeed(error, codeFormWords.codeNotSent), () => void send());
      setFailure(failureFrom(error));
    }
    setBusy(false);
  }

  if (sentTo !== "") {
    const taken: Partial<Record<Reason, string>> = { ALIAS_EXISTS: texts.taken };
    const address = (
      <b className="breakable ink">
        <Words>{sentTo}</Words>
      </b>
    );
    return (
      <CodeForm
        failed={texts.failed}
        send={codeFormWords.verify}
        texts={{ ...TEXTS, ...taken }}
        above={<p className="dim">{filled(texts.codeSent, address)}</p>}
        onCode={async (code) => {
          await endContact(name, code);
          onSaved();
        }}
      >
        <Resend hint={name === "email" ? words.noCode : ""} texts={TEXTS} onSend={() => resendContact(name)} />
      </CodeForm>
    );
  }
  const isAddress = name === "email";
  return (
    <Form send={texts.send} busy={busy} onSend={() => void send()} failed={texts.failed} failure={failure}>
      <TextInput
        label={texts.label}
        type={isAddress ? "email" : "tel"}
        autoComplete={isAddress ? "email" : "tel"}
        inputMode={isAddress ? "email" : "tel"}
        placeholder={isAddress ? undefined : words.changePhone.example}
        maxLength={isAddress ? 254 : undefined}
        {...textField(fields, "value")}
      />
    </Form>
  );
}
