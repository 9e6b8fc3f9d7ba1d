// The one button that tries again. What comes in its place takes no tap at first: the second of two was meant for the button.
import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { shieldRetry } from "./shield";
import { words } from "./words";

/** `look`: a word in a line, a word of its own, or what a screen without contents offers. */
type Props = { onRetry: () => void; look?: "link" | "subtle" | "light"; busy?: boolean };

export function Retry({ onRetry, look = "link", busy = false }: Props) {
  const tap = (): void => {
    shieldRetry();
    onRetry();
  };
  if (look === "link")
    return (
      <button type="button" className="link" onClick={tap}>
        {words.retry}
      </button>
    );
  const Icon = look === "light" ? <IconRefresh size={20} /> : null;
  return (
    <Button variant={look} leftSection={Icon} loading={busy} onClick={tap}>
      {words.retry}
    </Button>
  );
}
