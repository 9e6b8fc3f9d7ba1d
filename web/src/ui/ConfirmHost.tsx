// Stands in the app's frame and shows the questions of confirm.ts.
import { lazy, Suspense, useSyncExternalStore } from "react";
import { questions } from "./confirm";

const ConfirmDialog = lazy(() => import("./ConfirmDialog"));

export function ConfirmHost() {
  const open = useSyncExternalStore(questions.subscribe, questions.isOpen);
  // The last question stays while the dialog fades out, so that it does not empty under the reader's eyes.
  const asked = useSyncExternalStore(questions.subscribe, questions.last);
  if (asked === null) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmDialog opened={open} asked={asked} />
    </Suspense>
  );
}
