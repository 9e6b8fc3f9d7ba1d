// An authenticator: set up by its first code, with codes for the day that it is lost, and turned off again.
import { Button } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import { hasReason } from "../../lib/errors";
import { confirmed } from "../../ui/confirm";
import { Failed } from "../../ui/Failed";
import { Secret, SecretSkeleton } from "../../ui/Secret";
import { CodeForm } from "../../ui/CodeForm";
import { mayRetry } from "../../ui/codeFailures";
import { beginAuthenticator, endAuthenticator, failedDeed, failureOf, TEXTS, turn } from "./deeds";
import { RecoveryCodes } from "./RecoveryCodes";
import { words as all } from "./words";

const words = all.authenticator;

type Props = {
  isOn: boolean;
  email: string;
  /** It was turned on or off. */
  onChanged: () => void;
  onClose: (said?: string) => void;
};

function SetUp({ email, onOn }: { email: string; onOn: () => void }) {
  const [secret, setSecret] = useState("");
  const [failure, setFailure] = useState<{ text: string; isLost: boolean } | null>(null);

  function begin(): void {
    beginAuthenticator().then(setSecret, (error: unknown) => {
      const isLost = mayRetry(error);
      const isSaid = isLost || hasReason(error, "NOT_AUTHORIZED");
      setFailure({ text: isSaid ? failureOf(error) : words.notPrepared, isLost });
    });
  }
  const beginOnce = useEffectEvent(begin);
  useEffect(() => beginOnce(), []);

  function again(): void {
    setFailure(null);
    begin();
  }

  if (failure !== null)
    return <Failed title={words.failed} text={failure.text} isLost={failure.isLost} onRetry={again} />;
  if (secret === "") return <SecretSkeleton label={words.preparing} />;
  return (
    <CodeForm
      failed={words.failed}
      send={words.setUp}
      texts={TEXTS}
      takesFocus={false}
      above={<Secret secret={secret} account={email} />}
      onCode={async (code) => {
        await endAuthenticator(code);
        onOn();
      }}
    />
  );
}

export function AuthenticatorSheet({ isOn, email, onChanged, onClose }: Props) {
  const [shown, show] = useState<"state" | "setUp" | "codes">(isOn ? "state" : "setUp");
  const [failure, setFailure] = useState<{ text: string; again: boolean } | null>(null);
  const [busy, setBusy] = useState(false);

  async function turnOff(): Promise<void> {
    setFailure(null);
    setBusy(true);
    try {
      await turn("authenticator", false);
      onChanged();
      onClose(words.isOff);
    } catch (error) {
      setFailure({ text: failedDeed(error, words.notOff), again: mayRetry(error) });
      setBusy(false);
    }
  }

  const askTurnOff = async (): Promise<void> => {
    if (await confirmed({ ...words.ask, destructive: true })) await turnOff();
  };
  const askCodes = async (): Promise<void> => {
    if (await confirmed(words.askCodes)) show("codes");
  };

  if (shown === "codes") return <RecoveryCodes onDone={() => onClose()} />;
  if (shown === "setUp")
    return (
      <SetUp
        email={email}
        onOn={() => {
          onChanged();
          show("codes");
        }}
      />
    );
  return (
    <div className="stack">
      <p className="dim">{words.isOn}</p>
      {failure !== null && <Failed text={failure.text} onRetry={failure.again ? () => void turnOff() : undefined} />}
      <Button variant="default" fullWidth onClick={() => void askCodes()}>
        {words.newCodes}
      </Button>
      <Button variant="default" fullWidth onClick={() => show("setUp")}>
        {words.another}
      </Button>
      <Button variant="light" color="red" fullWidth loading={busy} onClick={() => void askTurnOff()}>
        {words.turnOff}
      </Button>
    </div>
  );
}
