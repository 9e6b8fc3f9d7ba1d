// The actions of a screen where the thumb is: fixed at the foot on a phone, the foot of the pane on a desktop.
import type { ReactNode } from "react";

/**
 * `pair` is two buttons in one row, the second being the main one; else the main one stands alone, others under it.
 * `note` says above them why others are not there.
 */
export function Stick({ children, pair = false, note = "" }: { children: ReactNode; pair?: boolean; note?: string }) {
  return (
    <div className="stick">
      {note !== "" && (
        <p className="dim t14" role="status" style={{ marginBottom: 8 }}>
          {note}
        </p>
      )}
      <div className={pair ? "acts pair" : "acts"}>{children}</div>
    </div>
  );
}
