// What stands in the sheet in which a recipient offers another time: words, and a start if they know one. Loaded when it is opened.
import { Button, Textarea } from "@mantine/core";
import { IconCalendarPlus } from "@tabler/icons-react";
import { useState } from "react";
import { FavorAction } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { keep, useKept } from "../../lib/kept";
import { present } from "../../lib/now";
import { exactTime, relativeTime, useNow } from "../../lib/times";
import { Opener } from "../../ui/Fields";
import { SheetOutcome } from "../../ui/SheetOutcome";
import "../../ui/styles/form.css";
import { words as frameWords } from "../../ui/shellWords";
import { formWords, sheetWords } from "./formWords";
import { offerWords } from "./offerWords";
import { formOf, NOTHING, type OtherTime, readTime } from "./otherTime";
import { type Send, useSending } from "./useSending";
import { actionWords } from "./words";

const MESSAGE_LENGTH_MAX = 500;

type Props = { me: string; favor: string; onChoose: () => void; onClose: () => void; onSend: Send<OtherTime> };

/** Offers another time in the recipient's own words. `onChoose` opens the calendar. */
export default function AnotherTime({ me, favor, onChoose, onClose, onSend }: Props) {
  const now = useNow();
  const form = formOf(favor);
  const typed = useKept(me, form, readTime) ?? NOTHING;
  const { message, start } = typed;
  const [wrong, setWrong] = useState<Partial<OtherTime>>({});
  const { busy, failed, send } = useSending({ me, form, typed, onSend, onSent: onClose });
  const at = start === "" ? undefined : new Date(start);

  function type(part: Partial<OtherTime>): void {
    keep(me, form, { ...typed, ...part });
    setWrong({});
  }

  function check(): void {
    if (at !== undefined && at < present()) return setWrong({ start: offerWords.hasPassed });
    // A start says when by itself.
    if (at === undefined && message.trim() === "") return setWrong({ message: formWords.needTime });
    void send({ message: message.trim(), start });
  }

  return (
    <div className="stack">
      <Textarea
        label={actionWords[FavorAction.ANOTHER_TIME].text}
        placeholder={sheetWords.timeExample}
        value={message}
        error={wrong.message}
        maxLength={MESSAGE_LENGTH_MAX}
        onChange={(e) => type({ message: e.currentTarget.value })}
      />
      <Opener
        label={offerWords.start}
        icon={<IconCalendarPlus size={20} />}
        value={at === undefined ? <span className="dim">{formWords.chooseTime}</span> : exactTime(at, now)}
        aside={at === undefined ? undefined : relativeTime(at, now)}
        error={wrong.start}
        onOpen={onChoose}
      />
      {at !== undefined && (
        <div>
          <Button variant="subtle" px={8} onClick={() => type({ start: "" })}>
            {offerWords.noStart}
          </Button>
        </div>
      )}
      {failed && <SheetOutcome />}
      <div className="foot">
        <Button variant="default" onClick={onClose}>
          {frameWords.cancel}
        </Button>
        <Button className="grow" loading={busy} onClick={check}>
          {sheetWords.send}
        </Button>
      </div>
    </div>
  );
}
