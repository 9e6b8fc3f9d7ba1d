// The key of an authenticator: as a picture that its app reads, and as text. Loaded when one is set up.
import { Button, Skeleton } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { words } from "./codeWords";
import { Copy } from "./Copy";
import { QrCode } from "./QrCode";
import "./styles/secret.css";
import { words as frameWords } from "./shellWords";

/** What an authenticator reads: RFC 6238 with its usual values, and whose it is. */
function uriOf(secret: string, account: string): string {
  const issuer = frameWords.brand;
  return `otpauth://totp/${encodeURIComponent(`${issuer}:${account}`)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

/** In groups of four, as it is read and typed. */
const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? secret;

export function Secret({ secret, account }: { secret: string; account: string }) {
  const uri = uriOf(secret, account);
  return (
    <div className="stack">
      {/* A phone cannot scan its own screen. */}
      <Button component="a" href={uri} variant="light" className="m-only" leftSection={<IconExternalLink size={20} />}>
        {words.openApp}
      </Button>
      <p className="b6">{words.scan}</p>
      <QrCode text={uri} label={words.picture} />
      <p className="dim t14">{words.orType}</p>
      <div className="row wraps">
        <code className="secret grow">{grouped(secret)}</code>
        <Copy text={secret} shown={words.copyKey} />
      </div>
    </div>
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
