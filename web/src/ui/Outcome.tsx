// The outcome of what the member did: in the bar with the actions where a screen has one, else at the foot of the screen.
import { IconAlertCircle, IconCircleCheck, IconWifiOff, IconX } from "@tabler/icons-react";
import { useEffect } from "react";
import { useLocation, useSearch } from "wouter";
import { Retry } from "./Retry";
import { unsay, unsayElsewhere, useSaid } from "./said";
import { words } from "./words";

const icons = { ok: IconCircleCheck, no: IconAlertCircle, wait: IconWifiOff };

export function Outcome() {
  const [path] = useLocation();
  const search = useSearch();
  const place = search === "" ? path : `${path}?${search}`;
  const said = useSaid(place);
  useEffect(() => unsayElsewhere(place), [place]);
  const Icon = icons[said?.tone ?? "ok"];
  const again = (): void => {
    unsay();
    said?.retry?.();
  };
  return (
    // Stands there from the start, so that what is put into it is announced.
    <div role={said?.tone === "no" ? "alert" : "status"} className="outcome">
      {said !== null && (
        <div className="note" data-tone={said.tone}>
          <Icon size={20} aria-hidden="true" />
          <div className="grow breakable said">
            <span>
              {said.text} {said.isLost && <span>{words.noConnection}</span>}
            </span>
            {said.retry !== undefined && <Retry onRetry={again} />}
          </div>
          <button type="button" className="note-x" aria-label={words.close} onClick={unsay}>
            <IconX size={20} aria-hidden="true" />
          </button>
        </div>
      )}
    </div>
  );
}
