// The element behind every button. While it is busy it keeps the focus, says that it cannot be pressed, and cannot be.
import type { ComponentPropsWithRef } from "react";

/** `data-loading` is what Mantine marks a busy button by, which it disables too. */
type Props = ComponentPropsWithRef<"button"> & { "data-loading"?: boolean };

export function Pressable({ disabled = false, onClick, type = "button", ...others }: Props) {
  const busy = others["data-loading"] === true;
  return (
    <button
      {...others}
      type={type}
      disabled={disabled && !busy}
      aria-disabled={busy || others["aria-disabled"]}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  );
}
