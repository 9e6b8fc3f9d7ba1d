// Hands on the address of a thing: it is copied, and shared where the device can.
import { Button } from "@mantine/core";
import { IconLink, IconShare } from "@tabler/icons-react";
import { Copy } from "./Copy";
import { say } from "./said";
import { shareWords as words } from "./shareWords";

/** `text` says who can open the link. */
type Props = { path: string; title: string; text: string };

export function ShareLink({ path, title, text }: Props) {
  const url = new URL(path, window.location.origin).href;
  const canShare = typeof navigator.share === "function";

  async function share(): Promise<void> {
    try {
      await navigator.share({ title, url });
    } catch (error) {
      // The member closed what the device had opened.
      if (error instanceof DOMException && error.name === "AbortError") return;
      say(words.shareFailed, "no");
    }
  }

  return (
    <div className="stack s">
      <p className="dim t14">{text}</p>
      <div className="row s wraps">
        <Copy text={url} shown={words.copyLink} icon={<IconLink size={20} />} />
        {canShare && (
          <Button variant="default" leftSection={<IconShare size={20} />} onClick={() => void share()}>
            {words.share}
          </Button>
        )}
      </div>
    </div>
  );
}
