// Sending what was typed in a sheet: under way, failed with the outcome in the sheet, or done, when the sheet closes and the words go.
import { useState } from "react";
import { forget } from "../../lib/kept";
import { useOutcome } from "../../lib/outcome";

/** Tells the server; `onDone` is called when it is done, also by a later try. */
export type Send<T> = (said: T, onDone: () => void) => Promise<boolean>;

type Props<T> = { me: string; form: string; typed: unknown; onSend: Send<T>; onSent: () => void };

/** `form` is what the words are kept as, until they are sent: Back closes the sheet, and a reload everything. */
export function useSending<T>({ me, form, typed, onSend, onSent }: Props<T>) {
  const [busy, setBusy] = useState(false);
  // The bar, where outcomes stand, is behind the sheet.
  const [failed, setFailed] = useOutcome(typed, false);

  async function send(said: T): Promise<void> {
    setBusy(true);
    setFailed(false);
    const sent = await onSend(said, () => {
      forget(me, form);
      onSent();
    });
    setBusy(false);
    setFailed(!sent);
  }

  return { busy, failed, send };
}
