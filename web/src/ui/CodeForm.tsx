// A code that ends something that was begun: typed, sent, and said what is wrong with it.
import { type ReactNode, useState } from "react";
import { hasReason, type Reason } from "../lib/errors";
import { useOutcome } from "../lib/outcome";
import { useIsShown } from "../lib/shown";
import { CodeField } from "./CodeField";
import { codeFailureOf, mayRetry } from "./codeFailures";
import { codeFormWords as words } from "./codeFormWords";
import { Failed } from "./Failed";
import { Form } from "./Form";
import { say } from "./said";

type Said = { kind: "nothing" } | { kind: "wrong"; text: string } | { kind: "failed"; text: string; again: boolean };
type Props = {
  failed: string;
  send: string;
  /** Words for reasons that only this thing has. */
  texts?: Partial<Record<Reason, string>>;
  takesFocus?: boolean;
  onCode: (code: string) => Promise<void>;
  /** What stands above the digits, and under the button. */
  above: ReactNode;
  children?: ReactNode;
};

export function CodeForm({ failed, send, texts, takesFocus = true, onCode, above, children }: Props) {
  const [code, setCode] = useState("");
  const [said, setSaid] = useOutcome<Said>(code, { kind: "nothing" });
  const [busy, setBusy] = useState(false);
  const isShown = useIsShown();

  async function give(): Promise<void> {
    if (busy) return;
    if (code === "" || said.kind === "wrong") return setSaid({ kind: "wrong", text: words.enterCode });
    setBusy(true);
    try {
      await onCode(code);
    } catch (error) {
      const text = codeFailureOf(error, texts);
      // Where the sheet was closed meanwhile.
      if (!isShown()) return say(mayRetry(error) ? words.codeUnsure : text, "no");
      const isCode = hasReason(error, "CODE_MISMATCH", "EXPIRED_CODE", "ENABLE_SOFTWARE_TOKEN_MFA");
      setSaid(isCode ? { kind: "wrong", text } : { kind: "failed", text, again: mayRetry(error) });
      setBusy(false);
    }
  }

  return (
    <Form send={send} busy={busy} onSend={() => void give()} above={above} below={children}>
      <CodeField
        code={code}
        wrong={said.kind === "wrong"}
        busy={busy}
        onCode={setCode}
        onComplete={() => void give()}
        takesFocus={takesFocus}
      >
        {said.kind !== "nothing" && (
          <div style={{ marginTop: "0.75rem" }}>
            <Failed
              title={failed}
              text={said.text}
              onRetry={said.kind === "failed" && said.again ? () => void give() : undefined}
            />
          </div>
        )}
      </CodeField>
    </Form>
  );
}
