// What stands in the sheet of a hand-over or a return when nothing can be sent from it any more: why, and what was typed and taken there, to be copied.
import { Button } from "@mantine/core";
import type { Rental } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { Note } from "../../ui/Pieces";
import { words as frameWords } from "../../ui/shellWords";
import { Words } from "../../ui/Words";
import type { Step } from "./deeds";
import { isNotedBefore, isNotedIn, saysMore } from "./noted";
import type { Taken } from "./pictures";
import type { SheetAction } from "./steps";
import { handoverWords, words } from "./words";

function reasonOf(step: Step, now: Rental): string {
  const isNoted = isNotedIn(step, now);
  // An answer may have been lost: what was sent stands there.
  if (!saysMore(step) || (isNoted && !isNotedBefore(step, now)))
    return isNoted ? handoverWords.noted : handoverWords.changed;
  return isNoted ? words.notedBefore : words.notAdded;
}

type Props = { rental: Rental; action: SheetAction; note: string; taken: readonly Taken[]; onClose: () => void };

export function Overtaken({ rental, action, note, taken, onClose }: Props) {
  const step = { rental, action, note: note.trim(), pictureKeys: taken.map(({ key }) => key) };
  return (
    <div className="stack">
      <Note tone="wait" role="status">
        {reasonOf(step, rental)}
      </Note>
      {step.note !== "" && (
        <p className="quote">
          <Words>{step.note}</Words>
        </p>
      )}
      {taken.length > 0 && (
        <ul className="thumbs" aria-label={words.pictures}>
          {taken.map(({ id, address }, i) => (
            <li key={id} className="thumb">
              <img src={address} alt={words.picture(i + 1, taken.length)} />
            </li>
          ))}
        </ul>
      )}
      <div className="foot">
        <Button className="grow" variant="default" onClick={onClose}>
          {frameWords.close}
        </Button>
      </div>
    </div>
  );
}
