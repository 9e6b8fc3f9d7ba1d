// The one button that tries again. What comes in its place takes no tap at first: the second of two was meant for the button.
import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { words } from "./words";

const SHIELD_MS = 500;

/** For a moment a tap hits nothing, wherever it falls. */
function shield(): void {
  const cover = document.createElement("div");
  cover.className = "shield";
  cover.ariaHidden = "true";
  cover.style.cssText = "position:fixed;inset:0;z-index:1000";
  document.body.append(cover);
  setTimeout(() => cover.remove(), SHIELD_MS);
}

/** From the tap on, and again when the button gives way to something else on its screen. */
function useShield(): () => void {
  const place = useRef("");
  useEffect(
    () => () => {
      if (place.current === window.location.href) shield();
    },
    [],
  );
  return () => {
    place.current = window.location.href;
    shield();
  };
}

/** `look`: a word in a line, a word of its own, or what a screen without contents offers. */
type Props = { onRetry: () => void; look?: "link" | "subtle" | "light"; busy?: boolean };

export function Retry({ onRetry, look = "link", busy = false }: Props) {
  const guard = useShield();
  const tap = (): void => {
    guard();
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
