// The button that copies a text.
import { Button } from "@mantine/core";
import { IconClipboard } from "@tabler/icons-react";
import { useState } from "react";
import { words } from "./codeWords";
import "./styles/secret.css";

/** Puts a text where it can be pasted, and says that it did. `label` says what is copied where several things can be. */
export function Copy({ text, label, onCopied }: { text: string; label?: string; onCopied?: () => void }) {
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
      <Button
        variant="default"
        aria-label={label}
        leftSection={<IconClipboard size={20} />}
        onClick={() => void copy()}
      >
        {words.copy}
      </Button>
      <span role="status" className="dim t14 copied">
        {said}
      </span>
    </>
  );
}
