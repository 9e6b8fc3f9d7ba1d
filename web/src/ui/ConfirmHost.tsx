// Stands in the app's frame and shows the questions of confirm.ts: in the browser's own dialog, which is there without the network.
import { Button } from "@mantine/core";
import { useEffect, useId, useRef, useSyncExternalStore } from "react";
import { useLightLayer } from "../lib/asking";
import { type Asked, questions } from "./confirm";
import { words } from "./shellWords";
import { Words } from "./Words";

const SECOND_TAP_MS = 500;

function Dialog({
  asked: { title, about = "", text, field, yes, no = words.cancel, destructive, cancelStandsOut, answer },
}: {
  asked: Asked;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const label = useId();
  const told = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Focusing a text field would open the keyboard on a phone.
    shown?.querySelector("button")?.focus();
    const shownAt = performance.now();
    // The paper beside it is the dialog's own. The second tap of two was meant for what asked.
    const beside = ({ target, clientX: x, clientY: y }: MouseEvent): void => {
      const paper = shown?.firstElementChild?.getBoundingClientRect();
      // While it comes, nothing in it is hit: a tap there is no answer, however long the browser takes to begin.
      const isOnIt = paper !== undefined && x >= paper.left && x <= paper.right && y >= paper.top && y <= paper.bottom;
      if (target === shown && !isOnIt && performance.now() - shownAt > SECOND_TAP_MS) answer(false);
    };
    shown?.addEventListener("click", beside);
    return () => shown?.removeEventListener("click", beside);
  }, [answer]);
  // Who goes back says no.
  useLightLayer(true, () => answer(false));
  return (
    <dialog ref={dialog} className="ask" aria-labelledby={label} aria-describedby={told} onCancel={() => answer(false)}>
      <div className="ask-in">
        <h2 className="ask-t" id={label}>
          {title}
        </h2>
        <div className="stack s" id={told}>
          {about !== "" && (
            <p className="b6 clamp2">
              <Words>{about}</Words>
            </p>
          )}
          <p className="dim">{text}</p>
        </div>
        {field}
        <div className="row s" style={{ marginTop: "1.5rem" }}>
          <Button
            variant="default"
            fullWidth
            c={cancelStandsOut ? "var(--gt-no-fg)" : undefined}
            onClick={() => answer(false)}
          >
            {no}
          </Button>
          <Button fullWidth color={destructive ? "red" : "green"} onClick={() => answer(true)}>
            {yes}
          </Button>
        </div>
      </div>
    </dialog>
  );
}

export function ConfirmHost() {
  const asked = useSyncExternalStore(questions.subscribe, questions.open);
  return asked !== null ? <Dialog key={asked.id} asked={asked} /> : null;
}
