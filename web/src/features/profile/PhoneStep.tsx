// The phone number, after the first sign-in: given and verified by a code, or skipped for good.
import { useEffect, useRef, useState } from "react";
import { useConfig } from "../../lib/config";
import { hasReason, isUnreached, textOf } from "../../lib/errors";
import { violationsOf } from "../../lib/refusals";
import { type Errors, useFields } from "../../lib/fields";
import { forget, keep, kept } from "../../lib/kept";
import { useLayer } from "../../lib/layers";
import { useOutcome } from "../../lib/outcome";
import { confirmed } from "../../ui/confirm";
import { Form, type FormFailure } from "../../ui/Form";
import { sayFailure } from "../../ui/failure";
import { say } from "../../ui/said";
import { useProfileApi } from "./deeds";
import { PhoneFields } from "./PhoneFields";
import { isNumber, type Typed } from "./phone";
import { stepWords as words } from "./stepWords";
import { VerifyPhone } from "./VerifyPhone";
import { verifyWords, words as profileWords } from "./words";

const FORM = "phone-step";
const NOTHING: Typed = { country: "US", phone: "" };

function readTyped(value: unknown): Typed | null {
  if (typeof value !== "object" || value === null) return null;
  const { country, phone } = value as Partial<Record<keyof Typed, unknown>>;
  return typeof country === "string" && typeof phone === "string" ? { country, phone } : null;
}

const check = (number: Typed): Errors<Typed> => (isNumber(number) ? {} : { phone: profileWords.badPhone });

function failureOf(error: unknown): FormFailure {
  const again = isUnreached(error);
  const known = { NOT_AUTHORIZED: profileWords.signInAgain };
  return { text: again ? words.networkError : textOf(error, known, profileWords.saveFailed), again };
}

/** `onSaved`: the step is over on the server's side. `onDone` leads on. */
type Props = { me: string; onSaved: () => void; onDone: () => void };

function NumberForm({ me, onSaved }: { me: string; onSaved: () => void }) {
  const { saveNumber } = useProfileApi();
  const fields = useFields<Typed>(kept(me, FORM, readTyped) ?? NOTHING, check);
  const { values } = fields;
  const [failure, setFailure] = useOutcome<FormFailure | null>(values, null);
  const [busy, setBusy] = useState(false);
  useEffect(() => keep(me, FORM, values), [me, values]);

  async function send(): Promise<void> {
    if (busy || !fields.passes()) return;
    setBusy(true);
    setFailure(null);
    try {
      await saveNumber(me, values);
      forget(me, FORM);
      onSaved();
    } catch (error) {
      if (violationsOf(error).length > 0 || hasReason(error, "INVALID_ARGUMENT"))
        fields.show({ phone: profileWords.badPhone });
      else setFailure(failureOf(error));
      setBusy(false);
    }
  }

  return (
    <Form send={words.go} busy={busy} onSend={() => void send()} failed={words.failed} failure={failure} isTyped>
      <PhoneFields fields={fields} label={words.label} />
    </Form>
  );
}

export function PhoneStep({ me, onSaved, onDone }: Props) {
  const { skip } = useProfileApi();
  const hasSms = useConfig()?.sms === true;
  const [isCode, setCode] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [isCode]);
  // Back from the code is the number again.
  useLayer(isCode, () => setCode(false));

  async function tell(): Promise<void> {
    try {
      await skip(me);
      forget(me, FORM);
      onDone();
    } catch (error) {
      sayFailure(error, words.skipFailed, () => void tell());
    }
  }

  async function leave(): Promise<void> {
    if (await confirmed(words.ask)) await tell();
  }

  function saved(): void {
    onSaved();
    if (hasSms) return setCode(true);
    onDone();
    return say(words.saved);
  }

  function verified(): void {
    onDone();
    say(verifyWords.done);
  }

  return (
    <>
      <div>
        <h1 className="big" ref={heading} tabIndex={-1}>
          {isCode ? words.codeTitle : words.title}
        </h1>
        <p className="sub">{isCode ? words.codeSub : words.sub}</p>
      </div>
      {isCode ? (
        <VerifyPhone onVerified={verified}>
          <div className="center">
            <button type="button" className="link" onClick={onDone}>
              {words.later}
            </button>
          </div>
        </VerifyPhone>
      ) : (
        <>
          <NumberForm me={me} onSaved={saved} />
          <div className="center">
            <button type="button" className="link" onClick={() => void leave()}>
              {words.skip}
            </button>
          </div>
        </>
      )}
    </>
  );
}
