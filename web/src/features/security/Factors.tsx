// The second steps that an account has, and which of them is asked first.
import { Button, SegmentedControl } from "@mantine/core";
import { IconDeviceMobileMessage, IconShieldCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useConfig } from "../../lib/config";
import { say } from "../../ui/said";
import { sayFailure } from "../../ui/failure";
import { Section } from "../../ui/Pieces";
import { Row } from "../../ui/Row";
import { askFirst, failedDeed, turn } from "./deeds";
import type { Account, Factor } from "./queries";
import { words as all } from "./words";

const words = all.factors;

type Props = { account: Account; onAuthenticator: () => void; onChanged: () => void };

function State({ isOn }: { isOn: boolean }) {
  return (
    <span className="badge soft" data-tone={isOn ? "ok" : "idle"}>
      {isOn ? all.on : all.off}
    </span>
  );
}

type Said = { done: string; failed: string };
const SMS_ON: Said = { done: words.smsIsOn, failed: words.smsNotOn };
const SMS_OFF: Said = { done: words.smsIsOff, failed: words.smsNotOff };
const FIRST: Said = { done: words.firstSaved, failed: words.firstNotSaved };

/** Says how a change went, and that it can be tried again where it was not heard. */
function useChange(onChanged: () => void) {
  const [busy, setBusy] = useState(false);
  async function change(work: () => Promise<void>, said: Said, undo = () => {}): Promise<void> {
    setBusy(true);
    try {
      await work();
      onChanged();
      say(said.done);
    } catch (error) {
      undo();
      sayFailure(error, failedDeed(error, said.failed), () => void change(work, said));
    }
    setBusy(false);
  }
  return { busy, change };
}

function Sms({ account: { factors, phone, phoneVerified }, onChanged }: Pick<Props, "account" | "onChanged">) {
  const config = useConfig();
  const { busy, change } = useChange(onChanged);
  const isOn = factors.includes("sms");
  const why = config?.sms === false ? words.noSms : phone === "" || !phoneVerified ? words.noPhone : "";
  const mayTurn = config !== undefined && (isOn || why === "");
  return (
    <Row
      icon={<IconDeviceMobileMessage size={22} />}
      tone={isOn ? "ok" : "idle"}
      label={words.sms}
      value={isOn ? words.smsOn : why || words.smsOff}
      aside={
        mayTurn ? (
          <Button
            variant="default"
            loading={busy}
            aria-label={isOn ? words.turnOffSms : words.turnOnSms}
            onClick={() => void change(() => turn("sms", !isOn), isOn ? SMS_OFF : SMS_ON)}
          >
            {isOn ? all.turnOff : all.turnOn}
          </Button>
        ) : (
          <State isOn={isOn} />
        )
      }
    />
  );
}

const CHOICES: readonly { value: string; label: string; first: Factor | null }[] = [
  { value: "authenticator", label: words.firstChoices.authenticator, first: "authenticator" },
  { value: "sms", label: words.firstChoices.sms, first: "sms" },
  { value: "choice", label: words.firstChoices.choice, first: null },
];

function First({ account: { first }, onChanged }: Pick<Props, "account" | "onChanged">) {
  const { change } = useChange(onChanged);
  // Nobody else chooses it: shown at once.
  const [chosen, choose] = useState<string | null>(null);
  return (
    <div className="stack s ntf still">
      <span className="b6" aria-hidden="true">
        {words.first}
      </span>
      <SegmentedControl
        aria-label={words.first}
        value={chosen ?? first ?? "choice"}
        data={CHOICES.map(({ value, label }) => ({ value, label }))}
        onChange={(value) => {
          const choice = CHOICES.find((one) => one.value === value);
          if (choice === undefined) return;
          choose(value);
          void change(
            () => askFirst(choice.first),
            FIRST,
            () => choose(null),
          );
        }}
      />
    </div>
  );
}

export function Factors({ account, onAuthenticator, onChanged }: Props) {
  const isOn = account.factors.includes("authenticator");
  return (
    <Section title={words.title}>
      <p className="dim t14" style={{ marginBottom: "0.75rem" }}>
        {words.sub}
      </p>
      <div className="card flush rows">
        <Row
          icon={<IconShieldCheck size={22} />}
          tone={isOn ? "ok" : "idle"}
          label={words.authenticator}
          value={isOn ? words.authenticatorOn : words.authenticatorOff}
          aside={<State isOn={isOn} />}
          onOpen={onAuthenticator}
        />
        <Sms account={account} onChanged={onChanged} />
        {account.factors.length > 1 && <First account={account} onChanged={onChanged} />}
      </div>
    </Section>
  );
}
