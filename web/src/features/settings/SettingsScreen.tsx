// Settings: who is signed in, how, light or dark, and the way out.
import { ActionIcon, SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { IconChevronRight, IconFileDownload, IconLogout, IconPencil, IconShieldLock, IconX } from "@tabler/icons-react";
import { Link, useLocation } from "wouter";
import { useBack } from "../../lib/back";
import { useConfig } from "../../lib/config";
import { session } from "../../lib/current";
import { isUnreached } from "../../lib/errors";
import { isReached, whenFound } from "../../lib/reach";
import { type Member } from "../../lib/session";
import { useTitle } from "../../lib/title";
import { confirmed } from "../../ui/confirm";
import { Face } from "../../ui/Face";
import { Row } from "../../ui/Row";
import { say } from "../../ui/said";
import { words as frameWords } from "../../ui/words";
import { words } from "./words";
import { Words } from "../../ui/Words";

const SCHEMES = [
  { value: "auto", label: words.schemes.auto },
  { value: "light", label: words.schemes.light },
  { value: "dark", label: words.schemes.dark },
] as const;

async function leave(toRoot: () => void): Promise<void> {
  if (!(await confirmed({ ...words.ask, destructive: true }))) return;
  // Whoever signs in next begins at Home.
  toRoot();
  try {
    await session.signOut();
  } catch (error) {
    await notHeard(error);
  }
}

/** On this device the member has left; the server has not heard of it, and is told as soon as it can be. */
async function notHeard(error: unknown): Promise<void> {
  const isLost = isUnreached(error) && !(await isReached());
  if (!isLost) return say(words.signOutFailed, "no", { retry: () => void tellAgain() });
  // Somebody else may be in by the time that this is known.
  if (session.get().kind === "signedOut") say(words.signedOutHere, "wait");
  return whenFound(() => void tellAgain());
}

async function tellAgain(): Promise<void> {
  try {
    await session.revoke();
    if (session.get().kind === "signedOut") say(words.signedOut);
  } catch (error) {
    await notHeard(error);
  }
}

/** `isUnsaved`: something was typed into Edit Profile and not saved. */
export function SettingsScreen({ member, isUnsaved }: { member: Member; isUnsaved: boolean }) {
  const [, navigate] = useLocation();
  const back = useBack();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const config = useConfig();
  useTitle(words.title);
  return (
    <div className="narrow">
      <header className="top under">
        <h1 className="title" tabIndex={-1}>
          {words.title}
        </h1>
        <ActionIcon aria-label={frameWords.close} onClick={() => back("/")}>
          <IconX />
        </ActionIcon>
      </header>
      <div className="stack l">
        <Link href="/profile" className="card tap row me">
          <Face person={member} size={64} fallback="U" />
          <span className="grow">
            <span className="t18 block breakable">
              <Words>{member.displayName || member.email}</Words>
            </span>
            <span className="dim t14 block breakable">
              <Words>{member.email}</Words>
            </span>
          </span>
          <IconChevronRight size={20} className="dim" aria-hidden="true" />
        </Link>
        <section className="card stack s" aria-label={words.appearance}>
          <h2 className="t14 b6">{words.appearance}</h2>
          <SegmentedControl
            aria-label={words.appearance}
            value={colorScheme}
            data={[...SCHEMES]}
            onChange={(value) => setColorScheme(SCHEMES.find((s) => s.value === value)?.value ?? "auto")}
          />
        </section>
        <div className="card flush rows">
          <Row
            icon={<IconPencil size={22} />}
            label={words.profile}
            value={isUnsaved ? words.unsaved : words.profileSub}
            to="/profile"
          />
          <Row
            icon={<IconShieldLock size={22} />}
            label={words.security}
            value={words.securitySub}
            to="/settings/security"
          />
          <Row icon={<IconFileDownload size={22} />} label={words.data} value={words.dataSub} to="/settings/data" />
        </div>
        <div className="card flush">
          <button
            type="button"
            className="ntf"
            style={{ alignItems: "center" }}
            onClick={() => void leave(() => navigate("/", { replace: true }))}
          >
            <span className="tile" data-tone="no" aria-hidden="true">
              <IconLogout size={22} />
            </span>
            <span className="b6" style={{ color: "var(--gt-no-fg)" }}>
              {words.signOut}
            </span>
          </button>
        </div>
        {config !== undefined && <p className="dim t14 center">{words.version(config.version)}</p>}
      </div>
    </div>
  );
}
