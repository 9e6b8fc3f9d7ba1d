// The providers that members may come by, with their marks.
import { Button } from "@mantine/core";
import { IconLogin2 } from "@tabler/icons-react";
import { useState } from "react";
import { leaveFor } from "../../lib/oauth";
import { Failed } from "../../ui/Failed";
import { words } from "./providerWords";
import { words as doorWords } from "./words";

/** In the colours that its owner wants it in. */
function GoogleMark() {
  return (
    <svg width="20" height="20" viewBox="0 0 48 48" className="tabler-icon" aria-hidden="true">
      <path
        fill="#4285f4"
        d="M45.1 24.5c0-1.6-.1-3.1-.4-4.5H24v8.5h11.8c-.5 2.7-2 5-4.4 6.6v5.5h7.1c4.2-3.8 6.6-9.5 6.6-16.1z"
      />
      <path
        fill="#34a853"
        d="M24 46c5.9 0 10.9-2 14.5-5.3l-7.1-5.5c-2 1.3-4.5 2.1-7.4 2.1-5.7 0-10.5-3.8-12.3-9H4.4v5.7C8 41.1 15.4 46 24 46z"
      />
      <path fill="#fbbc04" d="M11.7 28.3c-.4-1.3-.7-2.8-.7-4.3s.3-3 .7-4.3V14H4.4C2.9 17 2 20.4 2 24s.9 7 2.4 10z" />
      <path
        fill="#ea4335"
        d="M24 10.7c3.2 0 6.1 1.1 8.4 3.3l6.3-6.3C34.9 4.2 29.9 2 24 2 15.4 2 8 6.9 4.4 14l7.3 5.7c1.8-5.2 6.6-9 12.3-9z"
      />
    </svg>
  );
}

export function Providers({ names }: { names: readonly string[] }) {
  const [leaving, setLeaving] = useState("");
  const [failed, setFailed] = useState(false);

  async function leave(name: string): Promise<void> {
    setFailed(false);
    setLeaving(name);
    try {
      await leaveFor(name);
    } catch {
      setLeaving("");
      setFailed(true);
    }
  }

  return (
    <div className="stack">
      <p className="dim t14 center">{words.or}</p>
      {failed && <Failed title={doorWords.signInFailed.title} text={words.failed} />}
      {names.map((name) => (
        <Button
          key={name}
          variant="default"
          size="lg"
          fullWidth
          leftSection={name === "Google" ? <GoogleMark /> : <IconLogin2 size={20} />}
          loading={leaving === name}
          onClick={() => void leave(name)}
        >
          {words.continueWith(name)}
        </Button>
      ))}
    </div>
  );
}
