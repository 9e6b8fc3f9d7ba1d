// A code: of an authenticator or one that stands in for it, out of a message, or out of a mail.
import { TextInput } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import type { Step } from "../../lib/asked";
import { plainDigits } from "../../lib/digits";
import { useOutcome, useTold } from "../../lib/outcome";
import { useRemembered } from "../../lib/remembered";
import { Checkbox } from "../../ui/Checkbox";
import { CodeField } from "../../ui/CodeField";
import { Failed } from "../../ui/Failed";
import { Form } from "../../ui/Form";
import { Note } from "../../ui/Pieces";
import { words } from "./askWords";
import { type StepProps, StepHead } from "./StepHead";
import { NOTHING_SAID } from "./standing";
import { stepWords } from "./stepWords";
import { words as doorWords } from "./words";

type Coded = Step & { kind: "totp" | "sms" | "mail" };
type Props = StepProps & {
  step: Coded;
  /** What the code that is typed is remembered as. */
  name: string;
  username: string;
  onAnswer: (code: string, remembers: boolean) => void;
  onResend: () => void;
};

function Head({ step, username, recovers }: Pick<Props, "step" | "username"> & { recovers: boolean }) {
  if (step.kind === "mail") return <StepHead title={words.heads.mail} sub={words.mailedTo} to={username} />;
  if (step.kind === "sms") return <StepHead title={words.heads.sms} sub={words.sentTo} to={step.to} />;
  return recovers ? (
    <StepHead title={words.heads.recovery} sub={words.recoverySub} />
  ) : (
    <StepHead title={words.heads.totp} sub={words.totpSub} />
  );
}

type RecoveryProps = {
  code: string;
  wrong: boolean;
  busy: boolean;
  onCode: (code: string) => void;
  children: ReactNode;
};

function RecoveryField({ code, wrong, busy, onCode, children }: RecoveryProps) {
  const id = useId();
  useEffect(() => document.getElementById(id)?.focus(), [id]);
  useEffect(() => {
    if (wrong && !busy) document.getElementById(id)?.focus();
  }, [id, wrong, busy]);
  return (
    <div>
      <TextInput
        id={id}
        label={words.recoveryCode}
        description={words.recoveryRule}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={code}
        error={wrong}
        onChange={(event) => onCode(event.currentTarget.value)}
      />
      {children}
    </div>
  );
}

export function FactorForm({ step, name, username, said: told, busy, onAnswer, onResend }: Props) {
  const [code, setCode] = useRemembered(`ask ${name}`, (left: string | undefined) => left ?? "");
  const said = useTold(code, told, NOTHING_SAID);
  const [recovers, setRecovers] = useRemembered(`recovers ${name}`, (left: boolean | undefined) => left ?? false);
  const [remembers, setRemembers] = useState(false);
  const [isEmpty, setEmpty] = useOutcome(code, false);
  const asksForEmpty = recovers ? words.enterRecovery : stepWords.enterCode;
  const wrong = isEmpty ? asksForEmpty : said.kind === "wrong" ? said.text : "";

  function send(): void {
    // The digits of a wrong code are shown no more; a recovery code is.
    const given = !recovers && said.kind === "wrong" ? "" : plainDigits(code).replaceAll(/[ \p{Pd}]/gu, "");
    setEmpty(given === "");
    if (given !== "") onAnswer(given, remembers);
  }

  function become(recovering: boolean): void {
    setRecovers(recovering);
    setCode("");
    setEmpty(false);
  }

  const trouble = (
    <>
      {wrong !== "" && (
        <div style={{ marginTop: "0.75rem" }}>
          <Failed title={stepWords.confirmFailed.title} text={wrong} />
        </div>
      )}
      {!isEmpty && said.kind === "failed" && (
        <div style={{ marginTop: "0.75rem" }}>
          <Failed title={doorWords.signInFailed.title} text={said.text} onRetry={said.again ? send : undefined} />
        </div>
      )}
    </>
  );

  const ways = (
    <>
      {step.kind === "totp" ? (
        <div className="center">
          <button type="button" className="link" onClick={() => become(!recovers)}>
            {recovers ? words.withAuthenticator : words.withRecovery}
          </button>
        </div>
      ) : (
        <div className="row between">
          {step.kind === "mail" && <span className="dim t14">{stepWords.noCode}</span>}
          <button type="button" className="link" onClick={onResend}>
            {stepWords.resend}
          </button>
        </div>
      )}
      {said.kind === "sent" && (
        <Note tone="ok" role="status" icon={<IconMail size={20} />}>
          {step.kind === "mail" ? stepWords.resent : words.sentAgain}
        </Note>
      )}
    </>
  );

  return (
    <>
      <Head step={step} username={username} recovers={recovers} />
      <Form send={words.signIn} busy={busy} onSend={send} below={ways}>
        {/* Above the code, which is sent with its last digit. */}
        {step.kind !== "mail" && (
          <Checkbox
            label={words.remember}
            description={words.rememberSub}
            checked={remembers}
            onChange={(event) => setRemembers(event.currentTarget.checked)}
          />
        )}
        {recovers ? (
          <RecoveryField code={code} wrong={wrong !== ""} busy={busy} onCode={setCode}>
            {trouble}
          </RecoveryField>
        ) : (
          <CodeField code={code} wrong={wrong !== ""} busy={busy} onCode={setCode} onComplete={send}>
            {trouble}
          </CodeField>
        )}
      </Form>
    </>
  );
}
