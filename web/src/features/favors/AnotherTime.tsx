// What stands in the sheet in which a recipient offers another time. Loaded when it is opened.
import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { FavorAction } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { forget, keep, useKept } from "../../lib/kept";
import { useOutcome } from "../../lib/outcome";
import { Outcome } from "../../ui/Outcome";
import { words as frameWords } from "../../ui/words";
import { formWords, sheetWords } from "./formWords";
import { actionWords } from "./words";

const MESSAGE_LENGTH_MAX = 500;

type Props = { me: string; favor: string; onClose: () => void; onSend: (message: string) => Promise<boolean> };

const readText = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Offers another time in the recipient's own words. */
export default function AnotherTime({ me, favor, onClose, onSend }: Props) {
  // Kept until it is sent: Back closes the sheet, and a reload everything.
  const form = `another-time/${favor}`;
  const message = useKept(me, form, readText) ?? "";
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  // The bar, where outcomes stand, is behind the sheet.
  const [failed, setFailed] = useOutcome(message, false);

  async function send(): Promise<void> {
    if (message.trim() === "") return setWrong(formWords.needTime);
    setBusy(true);
    const sent = await onSend(message.trim());
    setBusy(false);
    setFailed(!sent);
    if (!sent) return;
    forget(me, form);
    onClose();
  }

  const { text } = actionWords[FavorAction.ANOTHER_TIME];
  return (
    <>
      <Textarea
        label={text}
        placeholder={sheetWords.timeExample}
        value={message}
        error={wrong}
        maxLength={MESSAGE_LENGTH_MAX}
        onChange={(e) => {
          keep(me, form, e.currentTarget.value);
          setWrong("");
        }}
      />
      {failed && <Outcome />}
      <div className="foot">
        <Button variant="default" onClick={onClose}>
          {frameWords.cancel}
        </Button>
        <Button className="grow" loading={busy} onClick={send}>
          {sheetWords.send}
        </Button>
      </div>
    </>
  );
}
