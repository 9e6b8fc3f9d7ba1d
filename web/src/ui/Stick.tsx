// The actions of a screen where the thumb is: fixed at the foot on a phone, the foot of the pane on a desktop.
import type { ReactNode } from "react";

/** `pair` is two buttons in one row, the second being the main one; else the main one stands alone, others under it. */
export function Stick({ children, pair = false }: { children: ReactNode; pair?: boolean }) {
  return (
    <div className="stick">
      <div className={pair ? "acts pair" : "acts"}>{children}</div>
    </div>
  );
}
