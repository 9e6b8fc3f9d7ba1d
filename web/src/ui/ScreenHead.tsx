// The head of a screen that is under another: the way back, and its heading.
import { ActionIcon } from "@mantine/core";
import { IconArrowLeft, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useBack } from "../lib/back";

/** `back` says where the arrow leads; `otherwise` is its path for who came from nowhere. `onClose`: it closes, and asks first. */
type Props = { title: string; back: string; otherwise: string; aside?: ReactNode; onClose?: () => void };

export function ScreenHead({ title, back, otherwise, aside, onClose }: Props) {
  const goBack = useBack();
  return (
    <header className="top under">
      <ActionIcon aria-label={back} onClick={onClose ?? (() => goBack(otherwise))}>
        {onClose === undefined ? <IconArrowLeft /> : <IconX />}
      </ActionIcon>
      <h1 className="title" tabIndex={-1}>
        {title}
      </h1>
      {aside}
    </header>
  );
}
