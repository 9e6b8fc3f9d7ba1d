// A choice between second factors.
import { IconDeviceMobileMessage, IconShieldCheck } from "@tabler/icons-react";
import { useState } from "react";
import type { Factor } from "../../lib/asked";
import { Failed } from "../../ui/Failed";
import { Row } from "../../ui/Row";
import { words } from "./askWords";
import { type StepProps, StepHead } from "./StepHead";
import { words as doorWords } from "./words";

const SHOWN = {
  SOFTWARE_TOKEN_MFA: { name: words.authenticator, sub: words.authenticatorSub, icon: <IconShieldCheck size={22} /> },
  SMS_MFA: { name: words.sms, sub: words.smsSub, icon: <IconDeviceMobileMessage size={22} /> },
} as const;

type Props = StepProps & { factors: readonly Factor[]; onChosen: (factor: Factor) => void };

export function SelectForm({ factors, said, busy, onChosen }: Props) {
  const [last, setLast] = useState<Factor | null>(null);

  function choose(factor: Factor): void {
    setLast(factor);
    onChosen(factor);
  }

  return (
    <>
      <StepHead title={words.heads.select} sub={words.selectSub} takesFocus />
      {said.kind === "failed" && (
        <Failed
          title={doorWords.signInFailed.title}
          text={said.text}
          onRetry={said.again && last !== null ? () => choose(last) : undefined}
        />
      )}
      <ul className="plainlist card flush" aria-busy={busy}>
        {factors.map((factor) => (
          <li key={factor}>
            <Row
              icon={SHOWN[factor].icon}
              tone="ok"
              label={SHOWN[factor].name}
              value={SHOWN[factor].sub}
              onClick={() => choose(factor)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
