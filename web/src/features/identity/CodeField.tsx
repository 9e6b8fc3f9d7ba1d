// The six digits out of a mail.
import { PinInput } from "@mantine/core";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { words } from "./words";

const CODE_LENGTH = 6;

type Props = { code: string; wrong: boolean; onCode: (code: string) => void; children?: ReactNode };

/** `children` is what is wrong, under the digits. */
export function CodeField({ code, wrong, onCode, children }: Props) {
  const label = useId();
  const digits = useRef<HTMLDivElement>(null);
  useEffect(() => digits.current?.querySelector("input")?.focus(), []);
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
