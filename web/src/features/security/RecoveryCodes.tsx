// The codes that stand in for a lost authenticator, which are shown once.
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useState } from "react";
import { download } from "../../lib/download";
import { Failed } from "../../ui/Failed";
import { useHold } from "../../ui/hold";
import { Copy } from "../../ui/Copy";
import { FieldSkeleton } from "../../ui/FieldSkeleton";
import { mayRetry } from "../../ui/codeFailures";
import { failureOf, makeRecoveryCodes } from "./deeds";
import { words as all } from "./words";

const words = all.recovery;
const LEAVING = { ...words.leave, destructive: true };

export function RecoveryCodes({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [failure, setFailure] = useState<{ text: string; isLost: boolean } | null>(null);

  const [isKept, setKept] = useState(false);
  const keep = (): void => setKept(true);
  // Those before do not work any more as soon as new ones are asked for.
  useHold(isKept || failure !== null ? null : LEAVING);

  function make(): void {
    makeRecoveryCodes().then(setCodes, (error: unknown) =>
      setFailure({ text: failureOf(error), isLost: mayRetry(error) }),
    );
  }
  const makeOnce = useEffectEvent(make);
  useEffect(() => makeOnce(), []);

  function again(): void {
    setFailure(null);
    make();
  }

  if (failure !== null)
    return <Failed title={words.failed} text={failure.text} isLost={failure.isLost} onRetry={again} />;
  if (codes === null) return <FieldSkeleton label={words.making} />;
  const text = [words.head, "", ...codes, ""].join("\n");
  return (
    <div className="stack f">
      <div>
        <p className="b6">{words.title}</p>
        <p className="dim">{words.sub}</p>
      </div>
      <ul className="codes" aria-label={words.label(codes.length)}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row wraps">
        <Copy text={codes.join("\n")} onCopied={keep} />
        <Button
          variant="default"
          leftSection={<IconDownload size={20} />}
          onClick={() => {
            download(words.file, "text/plain", text);
            keep();
          }}
        >
          {words.download}
        </Button>
      </div>
      <Button size="lg" fullWidth onClick={onDone}>
        {isKept ? all.done : words.acknowledge}
      </Button>
    </div>
  );
}
