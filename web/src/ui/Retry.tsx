// The one button that tries again.
import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { words } from "./words";

/** `look`: a word in a line, a word of its own, or what a screen without contents offers. */
type Props = { onRetry: () => void; look?: "link" | "subtle" | "light"; busy?: boolean };

export function Retry({ onRetry, look = "link", busy = false }: Props) {
  if (look === "link")
    return (
      <button type="button" className="link" onClick={onRetry}>
        {words.retry}
      </button>
    );
  const Icon = look === "light" ? <IconRefresh size={20} /> : null;
  return (
    <Button variant={look} leftSection={Icon} loading={busy} onClick={onRetry}>
      {words.retry}
    </Button>
  );
}
