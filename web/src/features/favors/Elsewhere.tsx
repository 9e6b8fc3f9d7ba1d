// Says what happened elsewhere to the favor of a form, and offers the ways on. Nothing is overwritten without a word.
import { Button } from "@mantine/core";
import { IconAlertCircle, IconArrowsSplit2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Favor } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { listOf } from "../../lib/lists";
import { Note } from "../../ui/Pieces";
import { changedFields, type FavorValues, valuesOf } from "./form";
import type { Meanwhile } from "./version";
import { fieldWords, formWords } from "./formWords";
import { statusWords } from "./words";

function textOf(now: Meanwhile, before: FavorValues): string {
  switch (now.kind) {
    case "nothing":
    case "touched":
      return "";
    case "changed":
      return formWords.elsewhere.changed(
        listOf(changedFields(before, valuesOf(now.favor)).map((name) => fieldWords[name])),
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

/** `ways` are the ways on, the safest first. */
export function Elsewhere({ now, before, ways }: { now: Meanwhile; before: FavorValues; ways: readonly Way[] }) {
  return (
    <Note tone="wait" role="alert" icon={<IconArrowsSplit2 size={20} />} title={textOf(now, before)}>
      {formWords.elsewhere.kept}
      <span className="row s ways">
        {ways.map(({ label, take }) => (
          <Button key={label} variant="default" onClick={take}>
            {label}
          </Button>
        ))}
      </span>
    </Note>
  );
}

/** The two ways on where the form can go on with either version. */
export const eitherVersion = (favor: Favor, load: (favor: Favor) => void, keep: (favor: Favor) => void): Way[] => [
  { label: formWords.elsewhere.load, take: () => load(favor) },
  { label: formWords.elsewhere.keep, take: () => keep(favor) },
];

export function Failure({ text }: { text: string }): ReactNode {
  if (text === "") return null;
  return (
    <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />}>
      {formWords.notSent(text)}
    </Note>
  );
}
