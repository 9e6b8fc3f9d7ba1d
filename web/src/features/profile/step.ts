// Whether the member still has to give a phone number, or to skip that. It is asked of the server until it is over, which this device remembers.
import { useEffect, useState } from "react";
import { usePending } from "./queries";

const keyOf = (uid: string): string => `goodturn.phone_step.${uid}`;

const note = (uid: string): void => localStorage.setItem(keyOf(uid), "over");

/** `later`: who cannot be asked now is asked another time. */
type State = "unknown" | "shown" | "over" | "later";

function told(pending: boolean | undefined, isError: boolean): State {
  if (pending === undefined) return isError ? "later" : "unknown";
  return pending ? "shown" : "over";
}

/** `isWanted` where it would be shown. Once it is shown it stays until `end`, also when its number is saved already and waits for a code. */
export function usePhoneStep(uid: string, isWanted: boolean) {
  const [state, become] = useState<State>(() => (localStorage.getItem(keyOf(uid)) === null ? "unknown" : "over"));
  const { data, isError } = usePending(isWanted && state === "unknown");
  const isOver = state === "over";
  const now = state === "unknown" ? told(data, isError) : state;
  if (now !== state) become(now);
  useEffect(() => {
    if (isOver) note(uid);
  }, [isOver, uid]);
  return { state: isWanted ? now : "over", noted: () => note(uid), end: () => become("over") };
}
