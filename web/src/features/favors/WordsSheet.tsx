// What stands in the sheet that asks before something of which the others may be told in a few words. Loaded when it is opened.
import { Button } from "@mantine/core";
import { keep, useKept } from "../../lib/kept";
import { ALONG_LENGTH_MAX, readText } from "../../ui/along";
import { CountedText } from "../../ui/Fields";
import { SheetOutcome } from "../../ui/SheetOutcome";
import "../../ui/styles/form.css";
import { words as frameWords } from "../../ui/shellWords";
import { Words } from "../../ui/Words";
import { offerWords } from "./offerWords";
import { type Send, useSending } from "./useSending";
import type { ActionWords } from "./words";

type Props = {
  me: string;
  /** What the words are kept as. */
  form: string;
  /** The title of the favor. */
  about: string;
  said: Pick<ActionWords, "text" | "yes">;
  onCancel: () => void;
  /** When it was sent. */
  onSent: () => void;
  onSend: Send<string>;
};

export default function WordsSheet({ me, form, about, said, onCancel, onSent, onSend }: Props) {
  const message = useKept(me, form, readText) ?? "";
  const { busy, failed, send } = useSending({ me, form, typed: message, onSend, onSent });
  return (
    <div className="stack">
      <div className="stack s">
        <p className="b6 clamp2">
          <Words>{about}</Words>
        </p>
        <p className="dim">{said.text}</p>
      </div>
      <CountedText
        label={offerWords.message}
        value={message}
        max={ALONG_LENGTH_MAX}
        onChange={(text) => keep(me, form, text)}
      />
      {failed && <SheetOutcome />}
      <div className="foot">
        <Button variant="default" onClick={onCancel}>
          {frameWords.cancel}
        </Button>
        <Button className="grow" loading={busy} onClick={() => void send(message.trim())}>
          {said.yes}
        </Button>
      </div>
    </div>
  );
}
