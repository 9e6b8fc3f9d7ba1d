// The outcome of what the member did: in the bar with the actions where a screen has one, else at the foot of the screen.
import { IconAlertCircle, IconCircleCheck, IconRefresh, IconWifiOff, IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect } from "react";
import { useLocation, useSearch } from "wouter";
import { useIsLost } from "../lib/reach";
import { failedWords } from "./failedWords";
import { hideOutdated, useAllOutdated } from "./outdated";
import { Retry } from "./Retry";
import { type Said, unsay, unsayDone, unsayElsewhere, useSaid } from "./said";
import { words } from "./shellWords";
import { Words } from "./Words";

const icons = { ok: IconCircleCheck, idle: IconCircleCheck, no: IconAlertCircle, wait: IconWifiOff, busy: IconRefresh };

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

type BarProps = {
  tone: Said["tone"];
  icon: ReactNode;
  retry: (() => void) | undefined;
  busy?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** The note itself: what is said, the way to try again beside it, and the way to be rid of it. */
function Bar({ tone, icon, retry, busy = false, onClose, children }: BarProps) {
  return (
    <div className="note" data-tone={tone}>
      {icon}
      <div className="grow breakable said">
        <span>{children}</span>
        {retry !== undefined && <Retry busy={busy} onRetry={retry} />}
      </div>
      <button type="button" className="note-x" aria-label={words.close} onClick={onClose}>
        <IconX size={20} aria-hidden="true" />
      </button>
    </div>
  );
}

function Now({ said }: { said: Said }) {
  const Icon = icons[said.tone];
  const { retry } = said;
  const again = (): void => {
    unsay();
    retry?.();
  };
  return (
    <Bar tone={said.tone} icon={<Icon size={20} aria-hidden="true" />} retry={retry && again} onClose={unsay}>
      <About {...said} /> <span>{said.isLost ? failedWords.ended(said.text) : said.text}</span>{" "}
      {said.isLost && <span>{words.noConnection}</span>}
    </Bar>
  );
}

/** Offline it is said of everything by the frame. */
function NotUpToDate() {
  const outdated = useAllOutdated();
  const isLost = useIsLost();
  if (isLost || outdated.length === 0) return null;
  return (
    <Bar
      tone="idle"
      icon={<IconRefresh size={20} aria-hidden="true" />}
      retry={() => outdated.forEach(({ refetch }) => void refetch())}
      busy={outdated.some(({ isFetching }) => isFetching)}
      onClose={hideOutdated}
    >
      {words.notUpToDate}
    </Bar>
  );
}

export function Outcome({ isInSheet = false }: { isInSheet?: boolean }) {
  const [path] = useLocation();
  const search = useSearch();
  const place = search === "" ? path : `${path}?${search}`;
  const said = useSaid(place, isInSheet);
  useEffect(() => unsayElsewhere(place), [place]);
  return (
    // Stands there from the start, so that what is put into it is announced.
    <div role={said?.tone === "no" ? "alert" : "status"} className="outcome">
      {said === null ? <NotUpToDate /> : <Now said={said} />}
    </div>
  );
}
