// That there is no connection, for as long as there is none.
import { useEffect, useState } from "react";
import { onFound } from "../lib/reach";
import { words } from "./words";

/** `text` with that, when it failed by it. `isTyped`: what was typed is kept, whether there is a connection or not. */
export function useUnconnected(text: string, isLost: boolean, isTyped = false): string {
  const [foundSince, setFoundSince] = useState("");
  useEffect(() => {
    const stop = onFound(() => setFoundSince(text));
    return () => {
      stop();
      // The same may fail again.
      setFoundSince("");
    };
  }, [text]);
  if (!isLost) return text;
  if (foundSince !== text) return words.failedBy(text, isTyped ? words.unsent : words.noConnection);
  return isTyped ? words.failedBy(text, words.typedKept) : text;
}
