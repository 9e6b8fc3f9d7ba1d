// The outcome of what was sent from a sheet, in the sheet alone as long as it is there.
import { useLayoutEffect } from "react";
import { Outcome } from "./Outcome";
import { addSheet } from "./said";

export function SheetOutcome() {
  useLayoutEffect(addSheet, []);
  return <Outcome isInSheet />;
}
