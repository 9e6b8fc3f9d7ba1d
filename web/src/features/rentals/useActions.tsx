// Takes an action of a rental: after a question, or with a sheet in which something goes along.
import { useRef, useState } from "react";
import type { ReactNode } from "react";
import type { Rental, RentalAction } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { rememberFocus } from "../../ui/focus";
import { Sheets } from "./Sheets";
import { hasSheet, type SheetAction, type Steps, useSteps } from "./steps";

type Open = { rental: Rental; action: SheetAction };

export function useActions(me: string): {
  steps: Steps;
  act: (rental: Rental, action: RentalAction) => void;
  sheet: ReactNode;
} {
  const steps = useSteps(me);
  const [open, setOpen] = useState<Open | null>(null);
  const giveBack = useRef<() => void>(undefined);

  function act(rental: Rental, action: RentalAction): void {
    if (!hasSheet(action)) return void steps.asked({ rental, action });
    giveBack.current = rememberFocus();
    return setOpen({ rental, action });
  }
  function close(): void {
    setOpen(null);
    giveBack.current?.();
  }
  return { steps, act, sheet: open !== null && <Sheets {...open} me={me} steps={steps} onClose={close} /> };
}
