// The button that copies a text.
import { Button } from "@mantine/core";
import { IconClipboard } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { words } from "./codeWords";
import "./styles/secret.css";

const CLIPBOARD = <IconClipboard size={20} />;

type Props = {
  text: string;
  /** Says what is copied where several things can be. */
  label?: string;
  /** Stands on the button in the place of "Copy". */
  shown?: string;
  icon?: ReactNode;
  onCopied?: () => void;
};

/** Puts a text where it can be pasted, and says that it did. */
export function Copy({ text, label, shown = words.copy, icon = CLIPBOARD, onCopied }: Props) {
  const [said, setSaid] = useState("");

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(words.copied);
      onCopied?.();
    } catch {
      // Not on a page without encryption, and not where the browser forbids it.
      setSaid(words.copyFailed);
    }
  }

  return (
    <>
      <Button variant="default" aria-label={label} leftSection={icon} onClick={() => void copy()}>
        {shown}
      </Button>
      <span role="status" className="dim t14 copied">
        {said}
      </span>
    </>
  );
}
