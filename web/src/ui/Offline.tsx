// Says that the server is out of reach, for as long as it is. Nothing is queued: what cannot be sent says so where it was tried.
import { IconWifiOff } from "@tabler/icons-react";
import { useIsLost } from "../lib/reach";
import { words } from "./shellWords";

/** Stands there from the start, so that what is put into it is announced. */
export function Offline({ text = words.lost }: { text?: string }) {
  const lost = useIsLost();
  return (
    <div role="status" className={lost ? "offline" : undefined}>
      {lost && (
        <>
          <IconWifiOff size={20} aria-hidden="true" />
          {text}
        </>
      )}
    </div>
  );
}
