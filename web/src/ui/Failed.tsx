// What went wrong where it was tried, with Retry where the server was not reached and the same may go well later.
import { IconAlertCircle } from "@tabler/icons-react";
import { Note } from "./Pieces";
import { words } from "./words";

/** `keeps`: what is sent again with Retry was typed by the member, and may be long. */
type Props = { title?: string; text: string; keeps?: boolean; onRetry?: (() => void) | undefined };

export function Failed({ title, text, keeps = false, onRetry }: Props) {
  return (
    <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />} {...(title === undefined ? {} : { title })}>
      {text}
      {keeps && onRetry !== undefined && <div>{words.unsent}</div>}
      {onRetry !== undefined && (
        <div style={{ marginBottom: "-0.5rem" }}>
          <button type="button" className="link" onClick={onRetry}>
            {words.retry}
          </button>
        </div>
      )}
    </Note>
  );
}
