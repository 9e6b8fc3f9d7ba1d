// What went wrong where it was tried: without a connection that is said, and the same can be tried again.
import { IconAlertCircle } from "@tabler/icons-react";
import { useIsLost } from "../lib/reach";
import { failedWords } from "./failedWords";
import { Note } from "./Pieces";
import { Retry } from "./Retry";
import { words } from "./shellWords";

/** `text` with that there is no connection, for as long as there is none. `isTyped`: what was typed is kept, whether there is one or not. */
function useUnconnected(text: string, isLost: boolean, isTyped = false): string {
  const isLostNow = useIsLost();
  if (!isLost) return text;
  if (isLostNow) return failedWords.failedBy(text, isTyped ? failedWords.unsent : words.noConnection);
  return isTyped ? failedWords.failedBy(text, failedWords.typedKept) : text;
}

/**
 * `onRetry` where the server was not reached, so that the same may go well later. `isTyped`: what is sent again was typed by the member.
 * `isLost` is said where it may be tried again for another reason.
 */
type Props = {
  title?: string;
  text: string;
  isTyped?: boolean;
  isLost?: boolean;
  onRetry?: (() => void) | undefined;
};

export function Failed({ title, text, isTyped = false, onRetry, isLost = onRetry !== undefined }: Props) {
  const said = useUnconnected(text, isLost, isTyped);
  return (
    <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />} {...(title === undefined ? {} : { title })}>
      <div className="said">
        <span>{said}</span>
        {onRetry !== undefined && <Retry onRetry={onRetry} />}
      </div>
    </Note>
  );
}
