// What came of what was typed: it goes as soon as something else is typed there.
import { useState } from "react";

/** A state that is `nothing` again when `typed` changes; what is set together with a change belongs to the new one. */
export function useOutcome<T>(typed: unknown, nothing: T, first = nothing): [T, (outcome: T) => void] {
  const now = JSON.stringify(typed);
  const [{ of, outcome }, set] = useState<{ of: string | null; outcome: T }>({ of: now, outcome: first });
  const shown = of === null || of === now ? outcome : nothing;
  if (of !== now) set({ of: now, outcome: shown });
  return [shown, (next) => set({ of: null, outcome: next })];
}

/** The same of an outcome that is told from outside: `told` until something else is typed. */
export function useTold<T>(typed: unknown, told: T, nothing: T): T {
  const [shown, show] = useOutcome(typed, nothing, told);
  const [last, setLast] = useState(told);
  if (last !== told) {
    setLast(told);
    show(told);
  }
  return shown;
}
