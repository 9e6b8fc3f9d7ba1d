// An authenticator that must be set up before anybody gets in.
import { useEffect, useEffectEvent, useState } from "react";
import type { Ask } from "../../lib/asked";
import { useOutcome, useTold } from "../../lib/outcome";
import { CodeField } from "../../ui/CodeField";
import { Failed } from "../../ui/Failed";
import { Form } from "../../ui/Form";
import { Secret, SecretSkeleton } from "../../ui/Secret";
import { beginSetUp, refusalOf } from "./askCalls";
import { words } from "./askWords";
import { NOTHING_SAID, type Outcome } from "./standing";
import { type StepProps, StepHead } from "./StepHead";
import { stepWords } from "./stepWords";

type Ready = { secret: string; ask: Ask };
type Props = StepProps & {
  ask: Ask;
  onCode: (ask: Ask, code: string) => void;
  /** The key was not made, and trying again is of no use. */
  onRefused: (outcome: Outcome) => void;
};

export function SetUpForm({ ask, said: told, busy, onCode, onRefused }: Props) {
  const [ready, setReady] = useState<Ready | null>(null);
  const [failure, setFailure] = useState("");
  const [code, setCode] = useState("");
  const [isEmpty, setEmpty] = useOutcome(code, false);
  const said = useTold(code, told, NOTHING_SAID);
  const wrong = isEmpty ? stepWords.enterCode : said.kind === "wrong" ? said.text : "";

  function failed(error: unknown): void {
    const refused = refusalOf(error);
    if (refused.what === "unreached") setFailure(refused.text);
    else onRefused(refused);
  }

  function begin(): void {
    beginSetUp(ask).then(setReady, failed);
  }

  const beginOnce = useEffectEvent(begin);
  useEffect(() => beginOnce(), []);

  function beginAgain(): void {
    setFailure("");
    begin();
  }

  function send(): void {
    const isMissing = code === "" || said.kind === "wrong";
    setEmpty(isMissing);
    if (!isMissing && ready !== null) onCode(ready.ask, code);
  }

  return (
    <>
      <StepHead title={words.heads.setUp} sub={words.setUpSub} takesFocus />
      {failure !== "" && <Failed title={words.setUpFailed} text={failure} onRetry={beginAgain} />}
      {ready === null && failure === "" && <SecretSkeleton label={words.preparing} />}
      {ready !== null && (
        <Form send={words.signIn} busy={busy} onSend={send}>
          <Secret secret={ready.secret} account={ask.username} />
          <CodeField code={code} wrong={wrong !== ""} busy={busy} onCode={setCode} onComplete={send} takesFocus={false}>
            {wrong !== "" && (
              <div style={{ marginTop: "0.75rem" }}>
                <Failed title={words.setUpFailed} text={wrong} />
              </div>
            )}
            {said.kind === "failed" && (
              <div style={{ marginTop: "0.75rem" }}>
                <Failed title={words.setUpFailed} text={said.text} onRetry={said.again ? send : undefined} />
              </div>
            )}
          </CodeField>
        </Form>
      )}
    </>
  );
}
