// A sheet from below on a phone, a dialog on a desktop, with the same contents. Focus goes to its heading, and back when it closes.
import { Drawer, Modal } from "@mantine/core";
import { type ReactNode, Suspense } from "react";
import { useLayer } from "../lib/layers";
import { NoteBoundary } from "./Boundary";
import "./styles/sheets.css";
import { useDesktop } from "./useDesktop";

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
  const Frame = useDesktop() ? Modal : Drawer;
  useLayer(opened, onClose);
  return (
    <Frame
      opened={opened}
      onClose={onClose}
      title={
        <span tabIndex={-1} data-autofocus style={{ outline: "none" }}>
          {title}
        </span>
      }
    >
      <NoteBoundary>
        <Suspense fallback={skeleton}>{children}</Suspense>
      </NoteBoundary>
    </Frame>
  );
}
