// What is shown once, in a sheet: every way out of the sheet asks first, the browser's Back and a new page too.
import { createContext, useContext, useEffect } from "react";
import type { Question } from "./confirm";

/** The sheet that the contents stand in. */
export const Holding = createContext<(question: Question | null) => void>(() => undefined);

/** While there is a question, which stays the same one, the sheet is left only by who says yes to it. */
export function useHold(question: Question | null): void {
  const hold = useContext(Holding);
  useEffect(() => {
    if (question === null) return undefined;
    hold(question);
    // The browser asks in words of its own.
    const ask = (event: Event): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => {
      hold(null);
      window.removeEventListener("beforeunload", ask);
    };
  }, [hold, question]);
}
