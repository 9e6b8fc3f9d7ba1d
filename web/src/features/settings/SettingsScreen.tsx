// Settings: who is signed in, how, light or dark, and the way out.
import { ActionIcon, SegmentedControl, useMantineColorScheme } from "@mantine/core";
import {
  IconBan,
  IconBell,
  IconChevronRight,
  IconFileDownload,
  IconFileText,
  IconFlag,
  IconHelpCircle,
  IconLogout,
  IconPencil,
  IconShieldLock,
  IconX,
} from "@tabler/icons-react";
import { Fragment, useState } from "react";
import { Link, useLocation } from "wouter";
import { version } from "../../../package.json";
import { useBack } from "../../lib/back";
import { part } from "../../lib/parts";
import { type Member } from "../../lib/session";
import { useTitle } from "../../lib/title";
import { confirmed } from "../../ui/confirm";
import { Face } from "../../ui/Face";
import { Row } from "../../ui/Row";
import { Sheet } from "../../ui/Sheet";
import { signOut } from "../../ui/signOut";
import { FieldSkeleton } from "../../ui/FieldSkeleton";
import { words as frameWords } from "../../ui/shellWords";
import { words } from "./words";
import { Words } from "../../ui/Words";

const Help = part(() => import("./Topics").then((m) => m.Help));
const Privacy = part(() => import("./Topics").then((m) => m.Privacy));
const ReportSheet = part(() => import("./ReportSheet").then((m) => m.ReportSheet));

type Open = "help" | "report" | "privacy";
const CLOSED = { kind: "help", opened: false, times: 0 } as const;

const SCHEMES = [
  { value: "auto", label: words.schemes.auto },
  { value: "light", label: words.schemes.light },
  { value: "dark", label: words.schemes.dark },
] as const;

async function leave(toRoot: () => void): Promise<void> {
  if (!(await confirmed({ ...words.ask, destructive: true }))) return;
  // Whoever signs in next begins at Home.
  toRoot();
  await signOut();
}

/** `isUnsaved`: something was typed into Edit Profile and not saved. */
export function SettingsScreen({ member, isUnsaved }: { member: Member; isUnsaved: boolean }) {
  const [, navigate] = useLocation();
  const back = useBack();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // What is closed keeps its contents until it is gone, and begins anew another time.
  const [sheet, setSheet] = useState<{ kind: Open; opened: boolean; times: number }>(CLOSED);
  const open = (kind: Open) => (): void => setSheet(({ times }) => ({ kind, opened: true, times: times + 1 }));
  const close = (): void => setSheet((was) => ({ ...was, opened: false }));
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
        <Link href="/profile" className="card tap row self">
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
          <Row
            icon={<IconBell size={22} />}
            label={words.notifications}
            value={words.notificationsSub}
            to="/settings/notifications"
          />
          <Row icon={<IconBan size={22} />} label={words.blocked} value={words.blockedSub} to="/settings/blocked" />
          <Row icon={<IconFileDownload size={22} />} label={words.data} value={words.dataSub} to="/settings/data" />
        </div>
        <div className="card flush rows">
          <Row icon={<IconHelpCircle size={22} />} label={words.help} onOpen={open("help")} />
          <Row icon={<IconFlag size={22} />} label={words.report} onOpen={open("report")} />
          <Row icon={<IconFileText size={22} />} label={words.privacy} onOpen={open("privacy")} />
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
        <p className="dim t14 center">{words.version(version)}</p>
      </div>
      <Sheet
        opened={sheet.opened}
        onClose={close}
        title={words[sheet.kind]}
        skeleton={<FieldSkeleton label={frameWords.loading} />}
      >
        <Fragment key={sheet.times}>
          {sheet.kind === "help" && <Help />}
          {sheet.kind === "privacy" && <Privacy />}
          {sheet.kind === "report" && <ReportSheet me={member.uid} onSent={close} />}
        </Fragment>
      </Sheet>
    </div>
  );
}
