// What is typed and must never be stored, as passwords and codes: in memory only, so that it is there again on the way back to its step.
import { useEffect, useState } from "react";

const memory = new Map<string, unknown>();

/** Of a name, or of all. */
export function forgetRemembered(name?: string): void {
  if (name === undefined) memory.clear();
  else memory.delete(name);
}

/** A state that starts with the value last kept under this name. An empty name keeps nothing. */
export function useRemembered<T>(name: string, begin: (left: T | undefined) => T) {
  const state = useState<T>(() => begin(memory.get(name) as T | undefined));
  const [value] = state;
  useEffect(() => {
    if (name !== "") memory.set(name, value);
  }, [name, value]);
  return state;
}
