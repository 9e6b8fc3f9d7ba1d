// The one button that tries again.
import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { words } from "./shellWords";

/** `light` is what a screen without contents offers; else it stands beside the text that says what failed. */
type Props = { onRetry: () => void; look?: "default" | "light"; busy?: boolean };

export function Retry({ onRetry, look = "default", busy = false }: Props) {
  const Icon = look === "light" ? <IconRefresh size={20} /> : null;
  return (
    <Button variant={look} leftSection={Icon} loading={busy} onClick={onRetry}>
      {words.retry}
    </Button>
  );
}
