// Says what happened elsewhere to the favor of a form, and offers the ways on. Nothing is overwritten without a word.
import { Button } from "@mantine/core";
import { IconArrowsSplit2, IconHelpCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Favor } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { listOf } from "../../lib/lists";
import { isReached, useIsLost } from "../../lib/reach";
import { confirmed } from "../../ui/confirm";
import { Failed } from "../../ui/Failed";
import { Note } from "../../ui/Pieces";
import { Retry } from "../../ui/Retry";
import { toast } from "../../ui/toast";
import { failedWords } from "../../ui/failedWords";
import { changedFields, type FavorValues, valuesOf } from "./form";
import type { Deed, Meanwhile, Unsent } from "./version";
import { fieldWords, formWords } from "./formWords";
import { statusWords } from "./badgeWords";

function textOf(now: Meanwhile, before: FavorValues): string {
  switch (now.kind) {
    case "nothing":
    case "touched":
      return "";
    case "changed":
      // Several fields say whom to ask: they have one name.
      return formWords.elsewhere.changed(
        listOf([...new Set(changedFields(before, valuesOf(now.favor)).map((name) => fieldWords[name]))]),
      );
    case "posted":
      return formWords.elsewhere.posted;
    case "closed":
      return formWords.elsewhere.closed(statusWords[now.favor.status]);
    case "gone":
      return formWords.elsewhere.gone;
    default:
      return now satisfies never;
  }
}

export type Way = { label: string; take: () => void };

type KeptProps = {
  title: string;
  ways: readonly Way[];
  /** It could not be sent, and the same can be tried again. */
  onRetry?: (() => void) | undefined;
};

/** What was typed and waits. `ways` are the ways on, the safest first. */
export function Kept({ title, ways, onRetry }: KeptProps) {
  const isLost = useIsLost() && onRetry !== undefined;
  return (
    <Note tone="wait" role="alert" icon={<IconArrowsSplit2 size={20} />} title={title}>
      {isLost ? failedWords.unsent : formWords.elsewhere.kept}
      <span className="row s ways">
        {onRetry !== undefined && <Retry look="light" onRetry={onRetry} />}
        {ways.map(({ label, take }) => (
          <Button key={label} variant="default" onClick={take}>
            {label}
          </Button>
        ))}
      </span>
    </Note>
  );
}

export function Elsewhere({ now, before, ways }: { now: Meanwhile; before: FavorValues; ways: readonly Way[] }) {
  return <Kept title={textOf(now, before)} ways={ways} />;
}

/** Words are thrown away by who says so twice. */
export const asksToDiscard = (title: string): Promise<boolean> =>
  confirmed({ ...formWords.discard, about: title.trim(), destructive: true });

/** The two ways on where the form can go on with either version. */
export const eitherVersion = (favor: Favor, load: (favor: Favor) => void, keep: (favor: Favor) => void): Way[] => [
  { label: formWords.elsewhere.load, take: () => load(favor) },
  { label: formWords.elsewhere.keep, take: () => keep(favor) },
];

type StateProps = {
  failure: Unsent | null;
  isResuming: boolean;
  isUnsure?: boolean;
  onRetry: (deed: Deed) => void;
};

/** How it stands with what was sent: that it failed, or what is not known of it. */
export function Sending({ failure, isResuming, isUnsure = false, onRetry }: StateProps): ReactNode {
  return (
    <>
      {failure?.isLost === true && <Failed text={failure.text} isTyped onRetry={() => onRetry(failure.deed)} />}
      {failure?.isLost === false && <Failed text={formWords.notSent(failure.text)} />}
      <div role="status" className="outcome">
        {(isResuming || isUnsure) && (
          <Note tone="wait" icon={<IconHelpCircle size={20} />}>
            {isResuming ? formWords.resuming : formWords.unsure}
          </Note>
        )}
      </div>
    </>
  );
}

/** For a form that was left: it could not be sent, and where it is kept. `broken` says what is known where the answer alone may be lost. */
export async function toastUnsent(
  { text, isLost }: Unsent,
  path: string,
  broken: string = failedWords.typedKept,
): Promise<void> {
  const to = { path, label: formWords.open };
  if (!isLost) return toast({ tone: "no", text: formWords.notSent(text), to });
  const said = (await isReached()) ? broken : failedWords.unsent;
  return toast({ tone: "no", title: text, text: said, to });
}
