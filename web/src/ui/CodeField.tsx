// Six digits: out of a mail, a message, or an authenticator. They are sent by themselves once complete.
import { PinInput } from "@mantine/core";
import {
  type ChangeEvent,
  type ClipboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from "react";
import { codeFrom, plainDigits } from "../lib/digits";
import { useOutcome } from "../lib/outcome";
import { words } from "./codeWords";
import "./styles/code.css";

const CODE_LENGTH = 6;

type Props = {
  code: string;
  wrong: boolean;
  onCode: (code: string) => void;
  /** The digits have become complete: sends them, if nothing else is missing. */
  onComplete: () => void;
  /** It is on its way: when it turns out to be wrong, it is typed again from its beginning. */
  busy: boolean;
  /** Not where something else is read first. */
  takesFocus?: boolean;
  children?: ReactNode;
};

/** Typing over a complete code passes through codes that nobody means, until the last digit. */
function isBetween(code: string, before: string): boolean {
  if (before.length < CODE_LENGTH || code.at(-1) !== before.at(-1)) return false;
  return [...code].filter((digit, i) => digit !== before[i]).length === 1;
}

/** Calls `send` each time that a code is complete, but not for one that was there at the beginning. */
function useComplete(code: string, send: () => void): void {
  const before = useRef(code);
  const sendLatest = useEffectEvent(send);
  useEffect(() => {
    const last = before.current;
    before.current = code;
    if (code !== last && code.length === CODE_LENGTH && !isBetween(code, last)) sendLatest();
  }, [code]);
}

/** What is typed and pasted in the fields of the digits. */
function useDigits(code: string, focus: (index: number) => void, onCode: (code: string) => void) {
  const [isUnread, setUnread] = useOutcome(code, false);

  function take(next: string, index: number): void {
    setUnread(false);
    onCode(next);
    focus(Math.min(index, CODE_LENGTH - 1));
  }

  /** A code, or its beginning, takes the place of what stands there. */
  function fill(text: string): void {
    const read = codeFrom(text, CODE_LENGTH);
    if (read === "") setUnread(true);
    else take(read, read.length);
  }

  /** Beside the digit that was typed there may be the one before; a phone fills in a whole code. */
  function type(text: string, index: number): void {
    const digits = plainDigits(text).trim();
    if (digits !== "" && !/^\d{1,2}$/.test(digits)) return fill(text);
    const next = [...code];
    next[index] = digits.slice(-1);
    return take(next.join(""), digits === "" ? index : index + 1);
  }

  const propsOf = (index: number) => ({
    onChange: (event: ChangeEvent<HTMLInputElement>) => type(event.currentTarget.value, index),
    onPaste(event: ClipboardEvent<HTMLInputElement>): void {
      event.preventDefault();
      fill(event.clipboardData.getData("text/plain"));
    },
  });
  return { isUnread, propsOf };
}

/** `children` is what is wrong, under the digits. */
export function CodeField({ code, wrong, busy, onCode, onComplete, takesFocus = true, children }: Props) {
  // A wrong code is typed anew from its first digit.
  const shown = wrong ? "" : code;
  useComplete(shown, onComplete);
  const label = useId();
  const digits = useRef<HTMLDivElement>(null);
  const { isUnread, propsOf } = useDigits(
    shown,
    (index) => digits.current?.querySelectorAll("input")[index]?.focus(),
    onCode,
  );
  // With what is drawn: a moment later it would take the focus from who types already.
  useLayoutEffect(() => {
    if (takesFocus) digits.current?.querySelector("input")?.focus();
  }, [takesFocus]);
  useLayoutEffect(() => {
    if (wrong && !busy) digits.current?.querySelector("input")?.focus();
  }, [wrong, busy]);
  return (
    <div role="group" aria-labelledby={label} ref={digits}>
      <span className="lbl" id={label}>
        {words.code}
      </span>
      <PinInput
        // Without an id of its own it draws its fields twice, and the first ones take the focus with them.
        id={`${label}-code`}
        length={CODE_LENGTH}
        type="number"
        oneTimeCode
        placeholder=""
        getInputProps={(index) => ({ "aria-label": words.digit(index + 1, CODE_LENGTH), ...propsOf(index) })}
        value={shown}
        error={wrong}
        onChange={onCode}
      />
      {isUnread && (
        <div className="msg" role="alert">
          {words.unread}
        </div>
      )}
      {children}
    </div>
  );
}
