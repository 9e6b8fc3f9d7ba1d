// A member in a sheet, and what one can do about them. Its contents come with the tap.
import { type ReactNode, useState } from "react";
import { useLayer } from "../../lib/layers";
import { part } from "../../lib/parts";
import { Sheet } from "../../ui/Sheet";
import { FieldSkeleton } from "../../ui/FieldSkeleton";
import { words as frameWords } from "../../ui/shellWords";
import { awayWords as words } from "./awayWords";
import type { Called } from "./names";

const About = part(() => import("./About").then((m) => m.About));

/** `since`: friends since then; nothing of one who is no friend. */
export type Somebody = Called & {
  uid: string;
  email: string;
  profilePictureUrl: string;
  isFriend: boolean;
  since?: Date | undefined;
};

type Shown = { who: Somebody; isOpen: boolean; times: number };

/** @returns what opens the sheet, and the sheet. */
export function usePersonSheet(me: string): [show: (who: Somebody) => void, sheet: ReactNode] {
  const [shown, setShown] = useState<Shown | null>(null);
  const [reports, setReports] = useState(false);
  const isOpen = shown?.isOpen === true;
  // Back from the report is what one can do.
  useLayer(isOpen && reports, () => setReports(false));

  function show(who: Somebody): void {
    setReports(false);
    setShown((was) => ({ who, isOpen: true, times: (was?.times ?? 0) + 1 }));
  }

  // What is closed keeps its contents until it is gone.
  const close = (): void => setShown((was) => was && { ...was, isOpen: false });
  const title = shown?.who.isFriend === true ? words.friend : words.member;
  const sheet = (
    <Sheet
      opened={isOpen}
      onClose={close}
      title={reports ? words.reportTitle : title}
      skeleton={<FieldSkeleton label={frameWords.loading} />}
    >
      {shown !== null && (
        <About
          key={shown.times}
          me={me}
          who={shown.who}
          reports={reports}
          onReport={() => setReports(true)}
          onDone={close}
        />
      )}
    </Sheet>
  );
  return [show, sheet];
}
