// A sheet from below on a phone, a dialog on a desktop, with the same contents. Focus goes to its heading, and back when it closes.
import { Drawer, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import "./styles/sheets.css";
import { useDesktop } from "./useDesktop";

type Props = { opened: boolean; onClose: () => void; title: string; children: ReactNode };

export function Sheet({ opened, onClose, title, children }: Props) {
  const Frame = useDesktop() ? Modal : Drawer;
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
      {children}
    </Frame>
  );
}
