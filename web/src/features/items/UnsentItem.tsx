// A new item that could not be saved once its form was left: it stands above the lists until it is saved, goes on in its form, or is put away. What was
// typed stays in the form.
import { Button } from "@mantine/core";
import { IconAlertCircle, IconUpload } from "@tabler/icons-react";
import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { Link } from "wouter";
import { useIsLost } from "../../lib/reach";
import { sharePath } from "../../lib/sharing";
import { failedWords } from "../../ui/failedWords";
import { Note } from "../../ui/Pieces";
import { Retry } from "../../ui/Retry";
import { Words } from "../../ui/Words";
import { words as frameWords } from "../../ui/shellWords";
import { useItemsApi } from "./deeds";
import { formWords } from "./formWords";
import { hold, type Unsaved, useHeld } from "./kept";
import { isUnderWay, type Outcome, tellDone, useSaving, useUnderWay } from "./saving";
import { words } from "./words";

type FailedProps = { title: string; failed: Unsaved; onRetry: () => void; onClose: () => void };

function FailedItem({ title, failed: { text, isLost }, onRetry, onClose }: FailedProps) {
  const isLostNow = useIsLost() && isLost;
  return (
    <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />}>
      <b className="clamp2">
        <Words>{title}</Words>
      </b>
      {failedWords.failedBy(text, isLostNow ? failedWords.unsent : failedWords.typedKept)}
      <span className="row s ways">
        {isLost && <Retry onRetry={onRetry} />}
        <Button component={Link} href={sharePath("create")} variant="default">
          {words.open}
        </Button>
        <Button variant="default" onClick={onClose}>
          {frameWords.close}
        </Button>
      </span>
    </Note>
  );
}

export function UnsentItem({ me }: { me: string }) {
  const api = useItemsApi();
  const { values, failed, isSending } = useHeld(me, "");
  // A failure stands here, in what is held.
  const attend = useCallback((outcome: Outcome) => (outcome.ok ? tellDone(api, me, outcome) : undefined), [api, me]);
  const isBusy = useUnderWay(me, "", attend);
  const save = useSaving(me, "");
  // The page was loaded anew before the answer came: it is sent once more, as by its form.
  const [isAgain, setAgain] = useState(() => isSending && failed === null && !isUnderWay(me, ""));
  const resume = useEffectEvent(() => {
    if (isAgain) save();
  });
  useEffect(() => resume(), []);
  if (isBusy ? !isAgain : failed === null) return null;
  return (
    <>
      {isBusy || failed === null ? (
        <Note tone="idle" role="status" icon={<IconUpload size={20} />}>
          {formWords.goesOn}
        </Note>
      ) : (
        <FailedItem
          title={values.title.trim()}
          failed={failed}
          onRetry={() => {
            setAgain(true);
            save();
          }}
          onClose={() => hold(me, "", { failed: null, isSending: false })}
        />
      )}
      <div className="gap s" />
    </>
  );
}
