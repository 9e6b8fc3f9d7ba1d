// A sheet from below on a phone, a dialog on a desktop, with the same contents. Focus goes to its heading, and back when it closes.
import { Drawer, Modal } from "@mantine/core";
import { type ReactNode, Suspense } from "react";
import { useLayer } from "../lib/layers";
import { NoteBoundary } from "./Boundary";
import "./styles/sheets.css";
import { useDesktop } from "./useDesktop";
import { words } from "./words";

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

/** It answers at once, and the way back closes it. */
export function Sheet({ opened, onClose, title, skeleton, children }: Props) {
  const desktop = useDesktop();
  useLayer(opened, onClose);
  const inside = {
    opened,
    onClose,
    title: (
      <span tabIndex={-1} data-autofocus style={{ outline: "none" }}>
        {title}
      </span>
    ),
    children: (
      <NoteBoundary>
        <Suspense fallback={skeleton}>{children}</Suspense>
      </NoteBoundary>
    ),
  };
  return desktop ? <Modal {...DIALOG} {...inside} /> : <Drawer {...DRAWER} {...inside} />;
}
