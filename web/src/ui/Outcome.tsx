// The outcome of what the member did: in the bar with the actions where a screen has one, else at the foot of the screen.
import { IconAlertCircle, IconCircleCheck, IconWifiOff, IconX } from "@tabler/icons-react";
import { useEffect } from "react";
import { useLocation, useSearch } from "wouter";
import { Retry } from "./Retry";
import { type Said, unsay, unsayDone, unsayElsewhere, useSaid } from "./said";
import { words } from "./words";
import { Words } from "./Words";

const icons = { ok: IconCircleCheck, idle: IconCircleCheck, no: IconAlertCircle, wait: IconWifiOff };

// Whatever is pressed begins something, but for what stands in it.
document.addEventListener(
  "click",
  ({ target }) => {
    const pressed =
      target instanceof Element ? target.closest("main button, [role=dialog] button, dialog button") : null;
    if (pressed?.closest(".outcome") === null) unsayDone();
  },
  true,
);

/** Whose it is, unless that is what the screen shows. */
function About({ about, place }: Said) {
  if (about === undefined || place.split("?")[0] === about.path) return null;
  return (
    <b className="clamp2">
      <Words>{about.name}</Words>
    </b>
  );
}

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
              <About {...said} />
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
