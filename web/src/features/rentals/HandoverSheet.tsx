// What stands in the sheet in which a hand-over or a return is noted, or a return confirmed: some words, and pictures of how the item is. Loaded when it is opened.
import { Button, Loader } from "@mantine/core";
import { IconCamera, IconPhotoOff, IconRefresh, IconX } from "@tabler/icons-react";
import { useEffect, useId } from "react";
import type { Rental } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import type { RefusedFile } from "../../lib/pictureFile";
import { forget, keep, kept, useKept } from "../../lib/kept";
import { useOutcome } from "../../lib/outcome";
import { ALONG_LENGTH_MAX, readText } from "../../ui/along";
import { CountedText } from "../../ui/Fields";
import { useInSight } from "../../ui/inSight";
import { SheetOutcome } from "../../ui/SheetOutcome";
import { filled } from "../../ui/filled";
import { Note } from "../../ui/Pieces";
import { RefusedPictures } from "../../ui/RefusedPictures";
import { unsayDone } from "../../ui/said";
import "../../ui/styles/form.css";
import { words as frameWords } from "../../ui/shellWords";
import { usePicturePick } from "../../ui/usePicturePick";
import { Words } from "../../ui/Words";
import { useRentalsApi } from "./deeds";
import { nameOf } from "./look";
import { Overtaken } from "./Overtaken";
import {
  dropPictures,
  faultOf,
  keysOf,
  PICTURES_MAX,
  removePicture,
  sendPictureAgain,
  type Taken,
  takePictures,
  useTaken,
} from "./pictures";
import { lineOf, type Outcome as Sent, topicOf, useSending } from "./sending";
import { allows, type SheetAction, type Steps, wordsOf } from "./steps";
import { handoverWords } from "./words";

const readCount = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** While it is locked, what is still being sent can be stopped, since it may take long; all else stays. */
type ThumbProps = { one: Taken; index: number; isLocked: boolean; onRemove: () => void; onAgain: () => void };

function Thumb({ one, index, isLocked, onRemove, onAgain }: ThumbProps) {
  const isSending = one.part !== null;
  const isRefused = faultOf(one) !== undefined;
  return (
    <li className={isRefused ? "thumb none" : "thumb"}>
      {isRefused ? <IconPhotoOff size={24} aria-hidden="true" /> : <img src={one.address} alt="" />}
      {isSending && (
        <progress className="sent" aria-label={handoverWords.sending(index)} max={1} value={one.part ?? 0} />
      )}
      {one.failed === "lost" && (
        <button
          type="button"
          className="again"
          aria-label={handoverWords.again(index)}
          disabled={isLocked}
          onClick={onAgain}
        >
          <IconRefresh size={22} aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        className="remove"
        aria-label={handoverWords.remove(index)}
        disabled={isLocked && !isSending}
        onClick={onRemove}
      >
        <IconX size={18} aria-hidden="true" />
      </button>
    </li>
  );
}

/** How many there were is kept as `form`, so that a page that is loaded anew can say that they are gone. @returns whether they are. */
function useGone(me: string, form: string, count: number): boolean {
  const before = useKept(me, form, readCount) ?? 0;
  useEffect(() => {
    if (count > 0) keep(me, form, count);
  }, [me, form, count]);
  return count === 0 && before > 0;
}

const NONE_REFUSED: readonly RefusedFile[] = [];

/** Those that were taken and can only be removed. */
const refusedIn = (taken: readonly Taken[]): RefusedFile[] =>
  taken.flatMap((one) => {
    const why = faultOf(one);
    return why === undefined ? [] : [{ name: one.file.name, why }];
  });

type PicturesProps = { rental: Rental; line: string; isWrong: boolean; isLocked: boolean; onRemove: () => void };

function Pictures({ rental, line, isWrong, isLocked, onRemove }: PicturesProps) {
  const { client } = useRentalsApi();
  const taken = useTaken(line);
  const [refused, setRefused] = useOutcome(isLocked, NONE_REFUSED);
  const [isTooLate, setTooLate] = useOutcome(isLocked, false);
  const label = useId();
  const pick = usePicturePick({
    camera: "environment",
    several: true,
    disabled: isLocked,
    onFiles(files) {
      // The choice of a file may have been open when it was sent.
      setTooLate(isLocked);
      if (!isLocked) setRefused(takePictures(client, rental, line, files));
    },
  });
  const unfit = refusedIn(taken);
  const isUnsent = taken.some(({ failed }) => failed === "lost") || (isWrong && unfit.length === 0);
  const message = isTooLate ? handoverWords.tooLate : isUnsent ? handoverWords.unsent : "";
  const said = useInSight((refused.length > 0 && refused) || isTooLate || isWrong);
  return (
    <div className="stack s">
      <span className="lbl" id={label}>
        {handoverWords.pictures}
      </span>
      {taken.length > 0 && (
        <ul className="thumbs" aria-labelledby={label}>
          {taken.map((one, i) => (
            <Thumb
              key={one.id}
              one={one}
              index={i + 1}
              isLocked={isLocked}
              onRemove={() => {
                setRefused(NONE_REFUSED);
                onRemove();
                removePicture(line, one.id);
              }}
              onAgain={() => sendPictureAgain(client, rental, line, one.id)}
            />
          ))}
        </ul>
      )}
      {pick.field}
      {taken.length < PICTURES_MAX && (
        <Button variant="default" leftSection={<IconCamera size={20} />} disabled={isLocked} onClick={pick.open}>
          {taken.length === 0 ? handoverWords.addPicture : handoverWords.morePictures}
        </Button>
      )}
      <div ref={said} className="stack s">
        <RefusedPictures refused={[...refused, ...unfit]} max={PICTURES_MAX} />
        <p className={message === "" ? "dim t14" : "msg"} role="status">
          {message || handoverWords.atMost(PICTURES_MAX)}
        </p>
      </div>
    </div>
  );
}

/** What was to be noted as a return is confirmed now, since the other side has noted that. */
function Moved({ rental }: { rental: Rental }) {
  const said = useInSight(true);
  return (
    <div ref={said}>
      <Note tone="wait" role="status">
        {filled(handoverWords.returnedBy, <Words>{nameOf(rental.borrower)}</Words>)}
      </Note>
    </div>
  );
}

type Props = {
  rental: Rental;
  action: SheetAction;
  /** It was opened for a return. */
  isMoved: boolean;
  me: string;
  steps: Steps;
  onClose: () => void;
};

export default function HandoverSheet({ rental, action, isMoved, me, steps, onClose }: Props) {
  const said = wordsOf(rental, action, me);
  const form = `handover-${topicOf(action)}/${rental.requestId}`;
  const note = useKept(me, form, readText) ?? "";
  const line = lineOf(me, rental, action);
  const taken = useTaken(line);
  const { client } = useRentalsApi();
  const typed = [action, note, taken.map(({ id, key, failed }) => [id, key, failed])];
  const counted = `${form}/pictures`;
  const areGone = useGone(me, counted, taken.length);
  const [outcome, setOutcome] = useOutcome<"" | "failed" | "unsent">(typed, "");

  function attend(sent: Sent): void {
    if (sent === "ended") return onClose();
    // Said by what the sheet has become.
    if (sent === "returned" && isMoved) return undefined;
    return setOutcome(sent === "lost" || sent === "refused" ? "unsent" : "failed");
  }
  const sending = useSending({ rental, action, me, steps }, attend);
  const { busy } = sending;
  const told = useInSight(outcome === "failed" && !busy);

  function send(): void {
    // What fails once more is said once more.
    setOutcome("");
    sending.send({
      async goes() {
        const pictureKeys = await keysOf(client, rental, line);
        if (typeof pictureKeys === "string") return pictureKeys;
        return { note: kept(me, form, readText)?.trim() ?? "", pictureKeys };
      },
      onEnd() {
        forget(me, form);
        forget(me, counted);
        dropPictures(line);
      },
    });
  }

  function type(text: string): void {
    // Its Retry would send other words than those that stand here.
    unsayDone();
    keep(me, form, text);
  }

  const isWaiting = busy && taken.some(({ part }) => part !== null);
  const waits = useInSight(isWaiting);
  if (!busy && !allows(rental, action))
    return <Overtaken rental={rental} action={action} note={note} taken={taken} onClose={onClose} />;
  return (
    <div className="stack">
      <p className="dim">{said.text}</p>
      <CountedText
        label={handoverWords.note}
        value={note}
        max={ALONG_LENGTH_MAX}
        placeholder={handoverWords.noteExample}
        disabled={busy}
        onChange={type}
      />
      {areGone && (
        <Note tone="wait" role="status" icon={<IconPhotoOff size={20} />}>
          {handoverWords.gone}
        </Note>
      )}
      <Pictures
        rental={rental}
        line={line}
        isWrong={outcome === "unsent"}
        isLocked={busy}
        onRemove={() => taken.length === 1 && forget(me, counted)}
      />
      {isMoved && <Moved rental={rental} />}
      <div ref={told} hidden={outcome !== "failed"}>
        {outcome === "failed" && <SheetOutcome />}
      </div>
      {isWaiting && (
        <div ref={waits} className="row s dim t14" role="status">
          <Loader size={16} aria-hidden="true" />
          {handoverWords.waitingFor}
        </div>
      )}
      <div className="foot">
        <Button variant="default" onClick={onClose}>
          {frameWords.cancel}
        </Button>
        <Button className="grow" loading={busy} onClick={send}>
          {said.yes}
        </Button>
      </div>
    </div>
  );
}
