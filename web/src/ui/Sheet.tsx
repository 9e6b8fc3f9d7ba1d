// A sheet from below on a phone, a dialog on a desktop, with the same contents. Focus goes to its heading, and back when it closes.
import { Drawer, Modal } from "@mantine/core";
import { type ReactNode, Suspense, useState } from "react";
import { useAskedBack } from "../lib/asking";
import { useLayer } from "../lib/layers";
import { NoteBoundary } from "./Boundary";
import { InSheet } from "./outdated";
import "./styles/sheets.css";
import { useDesktop } from "./useDesktop";
import { words } from "./shellWords";
import { confirmed, type Question, questions } from "./confirm";
import { Holding } from "./hold";

const LOOK = {
  radius: "xl",
  closeButtonProps: { "aria-label": words.close, size: 44, iconSize: 24 },
  overlayProps: { backgroundOpacity: 0.45, color: "#1c140a" },
} as const;
const DIALOG = { ...LOOK, centered: true, padding: "xl" } as const;
const DRAWER = {
  ...LOOK,
  position: "bottom",
  padding: "md",
  size: "auto",
  transitionProps: { duration: 240, timingFunction: "cubic-bezier(.2,.9,.3,1)" },
} as const;

type Props = {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Stands there until the contents have come, which may be a `part`. */
  skeleton: ReactNode;
  children: ReactNode;
};

/** It answers at once, and the way back closes it. What holds it (`useHold`) is asked about first, whichever way it is closed. */
export function Sheet({ opened, onClose, title, skeleton, children }: Props) {
  const desktop = useDesktop();
  const [held, hold] = useState<Question | null>(null);
  const mayClose = async (): Promise<boolean> => held === null || confirmed(held);
  async function close(): Promise<void> {
    // The key that closes a question is not meant for what stands under it.
    if (questions.open() !== null) return;
    // Nor is the one that closes this for the question.
    if (held !== null) await new Promise((resolve) => setTimeout(resolve));
    if (await mayClose()) onClose();
  }
  useLayer(opened, onClose);
  useAskedBack(opened && held !== null, mayClose, onClose);
  const inside = {
    opened,
    onClose: () => void close(),
    title: (
      <span tabIndex={-1} data-autofocus style={{ outline: "none" }}>
        {title}
      </span>
    ),
    children: (
      <InSheet value={true}>
        <NoteBoundary>
          <Suspense fallback={skeleton}>{children}</Suspense>
        </NoteBoundary>
      </InSheet>
    ),
  };
  return (
    <Holding value={hold}>{desktop ? <Modal {...DIALOG} {...inside} /> : <Drawer {...DRAWER} {...inside} />}</Holding>
  );
}
