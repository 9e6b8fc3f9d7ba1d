// Field pieces of our own: the row that opens a sheet, the counted text, the choice of a picture with a word.
import { Textarea } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { fieldWords } from "./fieldWords";

type OpenerProps = {
  label: string;
  value: ReactNode;
  icon: ReactNode;
  aside?: ReactNode;
  error?: ReactNode;
  hideLabel?: boolean;
  id?: string;
  onOpen: () => void;
};

/** A 56 px row, small label over value, that opens a sheet to choose in. */
export function Opener({ label, value, icon, aside, error, hideLabel, id, onOpen }: OpenerProps) {
  const message = useId();
  const wrong = error !== undefined && error !== null && error !== "";
  return (
    <div>
      <button
        type="button"
        id={id}
        className="opener"
        aria-haspopup="dialog"
        data-wrong={wrong || undefined}
        aria-describedby={wrong ? message : undefined}
        onClick={onOpen}
      >
        {icon}
        <span className="grow">
          <span className={hideLabel ? "sronly" : "dim t14"}>{label} </span>
          <span className="val">{value}</span>
        </span>
        {aside !== undefined && <span className="dim t14">{aside}</span>}
      </button>
      {wrong && (
        <div className="msg" id={message}>
          {error}
        </div>
      )}
    </div>
  );
}

type CountedProps = {
  label: string;
  value: string;
  max: number;
  onChange: (value: string) => void;
  placeholder?: string;
  disabled?: boolean;
};

/** A text of limited length with its counter, as 'n/200'. */
export function CountedText({ label, value, max, onChange, placeholder, disabled }: CountedProps) {
  return (
    <div>
      <Textarea
        label={label}
        value={value}
        maxLength={max}
        placeholder={placeholder}
        disabled={disabled}
        minRows={2}
        onChange={(e) => onChange(e.currentTarget.value)}
      />
      <div className="counter">{fieldWords.counter(value.length, max)}</div>
    </div>
  );
}
