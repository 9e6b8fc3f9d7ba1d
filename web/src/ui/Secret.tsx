// The key of an authenticator: as a picture that its app reads, and as text. Loaded when one is set up.
import { Button, Skeleton } from "@mantine/core";
import { IconClipboard } from "@tabler/icons-react";
import newCode from "qrcode-generator";
import { useMemo, useState } from "react";
import { words } from "./codeWords";
import "./styles/secret.css";
import { words as frameWords } from "./words";

/** Light around it, without which apps do not find it. */
const MARGIN = 4;

/** What an authenticator reads: RFC 6238 with its usual values, and whose it is. */
function uriOf(secret: string, account: string): string {
  const issuer = frameWords.brand;
  return `otpauth://totp/${encodeURIComponent(`${issuer}:${account}`)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

/** One square for each dark place, as the path of a drawing. */
function drawn(text: string): { size: number; path: string } {
  const code = newCode(0, "M");
  code.addData(text);
  code.make();
  const places = Array.from({ length: code.getModuleCount() }, (_, i) => i);
  const dark = places.flatMap((y) => places.filter((x) => code.isDark(y, x)).map((x) => `M${x} ${y}h1v1h-1z`));
  return { size: places.length, path: dark.join("") };
}

function Picture({ text }: { text: string }) {
  const { size, path } = useMemo(() => drawn(text), [text]);
  const all = size + 2 * MARGIN;
  return (
    <svg
      className="qr"
      role="img"
      aria-label={words.picture}
      viewBox={`${-MARGIN} ${-MARGIN} ${all} ${all}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}

/** In groups of four, as it is read and typed. */
const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? secret;

export function Secret({ secret, account }: { secret: string; account: string }) {
  return (
    <div className="stack">
      <p className="b6">{words.scan}</p>
      <Picture text={uriOf(secret, account)} />
      <p className="dim t14">{words.orType}</p>
      <div className="row wraps">
        <code className="secret grow">{grouped(secret)}</code>
        <Copy text={secret} />
      </div>
    </div>
  );
}

/** Puts a text where it can be pasted, and says that it did. */
export function Copy({ text, onCopied }: { text: string; onCopied?: () => void }) {
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
      <Button variant="default" leftSection={<IconClipboard size={20} />} onClick={() => void copy()}>
        {words.copy}
      </Button>
      <span role="status" className="dim t14 copied">
        {said}
      </span>
    </>
  );
}

export function SecretSkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="stack">
      <Skeleton h={20} w="70%" />
      <Skeleton h={224} w={224} radius={12} />
      <Skeleton h={48} />
    </div>
  );
}
