// Takes an action of a rental: after a question, or with a sheet in which something goes along.
import { useRef, useState } from "react";
import type { ReactNode } from "react";
import type { Rental, RentalAction } from "../../gen/later/goodturn/rentals/v1/rentals_service_pb";
import { rememberFocus } from "../../ui/focus";
import { Sheets } from "./Sheets";
import { hasSheet, type SheetAction, type Steps, useSteps } from "./steps";

type Open = { rental: Rental; action: SheetAction };

const isSame = (one: Open, other: Open | null): boolean =>
  one.rental.requestId === other?.rental.requestId && one.action === other.action;

export function useActions(me: string): {
  steps: Steps;
  act: (rental: Rental, action: RentalAction) => void;
  sheet: ReactNode;
} {
  const steps = useSteps(me);
  const [open, setOpen] = useState<Open | null>(null);
  // What is told later goes by what is open then.
  const shown = useRef<Open>(null);
  const giveBack = useRef<() => void>(undefined);

  function act(rental: Rental, action: RentalAction): void {
    if (!hasSheet(action)) return void steps.asked({ rental, action });
    giveBack.current = rememberFocus();
    return show({ rental, action });
  }
  function show(next: Open | null): void {
    shown.current = next;
    setOpen(next);
  }
  /** The answer to what was sent from one sheet may come when another is open, in which somebody types. */
  function close(one: Open): void {
    if (!isSame(one, shown.current)) return;
    show(null);
    giveBack.current?.();
  }
  return {
    steps,
    act,
    sheet: open !== null && <Sheets {...open} me={me} steps={steps} onClose={() => close(open)} />,
  };
}
