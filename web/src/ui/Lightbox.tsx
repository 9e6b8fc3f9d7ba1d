// One picture over the whole screen, which the way back closes.
import { Modal } from "@mantine/core";
import { useLayer } from "../lib/layers";
import "./styles/lightbox.css";
import "./styles/sheets.css";
import { words } from "./shellWords";

/** `url` is empty while none is shown. */
type Props = { url: string; alt: string; onClose: () => void };

export default function Lightbox({ url, alt, onClose }: Props) {
  const opened = url !== "";
  useLayer(opened, onClose);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      fullScreen
      title={alt}
      classNames={{ content: "lightbox", body: "lightbox-in" }}
      closeButtonProps={{ "aria-label": words.close, size: 44, iconSize: 24 }}
    >
      {opened && <img src={url} alt={alt} />}
    </Modal>
  );
}
