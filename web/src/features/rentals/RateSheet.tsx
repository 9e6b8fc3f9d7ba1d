// What stands in the sheet in which the other side is rated. Loaded when it is opened.
import { Button } from "@mantine/core";
import { IconStar, IconStarFilled } from "@tabler/icons-react";
import { useId, useState } from "react";
import { type Rental, RentalAction } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { forget, keep, kept, useKept } from "../../lib/kept";
import { useOutcome } from "../../lib/outcome";
import { ALONG_LENGTH_MAX, readText } from "../../ui/along";
import { CountedText } from "../../ui/Fields";
import { useInSight } from "../../ui/inSight";
import { SheetOutcome } from "../../ui/SheetOutcome";
import { unsayDone } from "../../ui/said";
import { words as frameWords } from "../../ui/shellWords";
import { Words } from "../../ui/Words";
import { nameOf, PartyFace, partnerOf } from "./look";
import { chosenFor, dropChosen, lineOf, type Outcome as Sent, useSending } from "./sending";
import type { Steps } from "./steps";
import { actionWords, rateWords } from "./words";

const STARS = [1, 2, 3, 4, 5] as const;

type StarsProps = { value: number; error: string; busy: boolean; onChoose: (stars: number) => void };

function Stars({ value, error, busy, onChoose }: StarsProps) {
  const message = useId();
  return (
    <fieldset className="stars" disabled={busy} aria-describedby={message}>
      <legend className="sronly">{rateWords.stars}</legend>
      <div className="row s">
        {STARS.map((stars) => (
          <label key={stars} className="star">
            <input
              type="radio"
              name="stars"
              className="sronly"
              aria-label={rateWords.star(stars)}
              checked={stars === value}
              onChange={() => onChoose(stars)}
            />
            {stars <= value ? <IconStarFilled size={24} /> : <IconStar size={24} stroke={1.5} />}
          </label>
        ))}
      </div>
      <p id={message} className={error === "" ? "dim" : "msg"} role="status">
        {error || rateWords.meanings[value - 1]}
      </p>
    </fieldset>
  );
}

type Props = { rental: Rental; me: string; steps: Steps; onClose: () => void };

export default function RateSheet({ rental, me, steps, onClose }: Props) {
  const said = actionWords[RentalAction.RATE];
  const party = partnerOf(rental, me);
  const line = lineOf(me, rental, RentalAction.RATE);
  const form = `rate-note/${rental.requestId}`;
  const note = useKept(me, form, readText) ?? "";
  const [rating, setRating] = useState(chosenFor(line)?.rating ?? 0);
  const [error, setError] = useOutcome(rating, "");
  const [failed, setFailed] = useOutcome([rating, note], false);
  const attend = (sent: Sent): void => (sent === "ended" ? onClose() : setFailed(true));
  const { busy, send } = useSending({ rental, action: RentalAction.RATE, me, steps }, attend);
  const told = useInSight(failed && !busy);

  function choose(stars: number): void {
    dropChosen(line);
    setRating(stars);
  }

  function type(text: string): void {
    // A Retry on screen would send the old text.
    unsayDone();
    keep(me, form, text);
  }

  function rate(): void {
    if (rating === 0) return setError(rateWords.choose);
    setFailed(false);
    return send({
      chosen: { rating },
      goes: async () => ({ rating, note: kept(me, form, readText)?.trim() ?? "" }),
      onEnd: () => forget(me, form),
    });
  }

  return (
    <div className="stack">
      <div className="row">
        <PartyFace party={party} size={44} />
        <b className="b6 grow">
          <Words>{nameOf(party)}</Words>
        </b>
      </div>
      <Stars value={rating} error={error} busy={busy} onChoose={choose} />
      <CountedText label={rateWords.note} value={note} max={ALONG_LENGTH_MAX} disabled={busy} onChange={type} />
      <p className="dim t14">{said.text}</p>
      <div ref={told} hidden={!failed}>
        {failed && <SheetOutcome />}
      </div>
      <div className="foot">
        <Button variant="default" onClick={onClose}>
          {frameWords.cancel}
        </Button>
        <Button className="grow" loading={busy} onClick={rate}>
          {said.yes}
        </Button>
      </div>
    </div>
  );
}
