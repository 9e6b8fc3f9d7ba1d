// Six digits: out of a mail, a message, or an authenticator.
import { PinInput } from "@mantine/core";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { words } from "./codeWords";
import "./styles/code.css";

const CODE_LENGTH = 6;

type Props = {
  code: string;
  wrong: boolean;
  onCode: (code: string) => void;
  /** It is on its way: when it turns out to be wrong, it is typed again from its beginning. */
  busy: boolean;
  /** Not where something else is read first. */
  takesFocus?: boolean;
  children?: ReactNode;
};

/** `children` is what is wrong, under the digits. */
export function CodeField({ code, wrong, busy, onCode, takesFocus = true, children }: Props) {
  const label = useId();
  const digits = useRef<HTMLDivElement>(null);
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
        getInputProps={(index) => ({ "aria-label": words.digit(index + 1, CODE_LENGTH) })}
        value={code}
        error={wrong}
        onChange={onCode}
      />
      {children}
    </div>
  );
}
