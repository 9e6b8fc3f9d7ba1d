// What is said of what happened: the outcome of an own deed, where no bar of actions has it, and the toasts of what others did.
import { quiet } from "../lib/parts";
import { Outcome } from "./Outcome";
import { useHasBar } from "./said";

// What others did comes by the live stream, which is not there either at the beginning.
const ToastHost = quiet(
  () => import("./ToastHost").then((m) => m.ToastHost),
  () => "idle",
);

export function Says() {
  const hasBar = useHasBar();
  return (
    <div className="says">
      {!hasBar && (
        <div className="saybar">
          <Outcome />
        </div>
      )}
      <ToastHost />
    </div>
  );
}
