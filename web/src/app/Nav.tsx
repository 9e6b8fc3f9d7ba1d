// The way between the main areas: tabs at the bottom of a phone, a rail at the side of a desktop. Only what is built is there.
import { ActionIcon } from "@mantine/core";
import { IconBell, IconHeartHandshake, IconHome, IconPackage, IconSettings, IconUsers } from "@tabler/icons-react";
import { Link, useLocation } from "wouter";
import type { Member } from "../lib/session";
import { words as moneyWords } from "../lib/words";
import type { Earned } from "./stats";
import { Face } from "../ui/Face";
import { Logo } from "../ui/brand";
import { Offline } from "../ui/Offline";
import { Count } from "../ui/Pieces";
import { useDesktop } from "../ui/useDesktop";
import { words as brandWords } from "../ui/shellWords";
import { words } from "./words";
import { Words } from "../ui/Words";

export type Counts = { requests: number; unread: number };

const tabs = [
  { to: "/", label: words.home, Icon: IconHome },
  { to: "/friends", label: words.friends, Icon: IconUsers },
  { to: "/favors", label: words.favors, Icon: IconHeartHandshake },
  { to: "/share", label: words.share, Icon: IconPackage },
  { to: "/inbox", label: words.notifications, Icon: IconBell },
] as const;

function useCurrent(): (to: string) => "page" | undefined {
  const [path] = useLocation();
  return (to) => ((to === "/" ? path === "/" : path.startsWith(to)) ? "page" : undefined);
}

export function TabBar({ counts }: { counts: Counts }) {
  const current = useCurrent();
  return (
    <nav className="tabbar" aria-label={words.main}>
      {tabs.map(({ to, label, Icon }) => (
        <Link key={to} href={to} aria-current={current(to)}>
          <span className="ic">
            <Icon size={24} stroke={1.75} aria-hidden="true" />
            {to === "/inbox" && counts.unread > 0 && <span className="dot" />}
          </span>
          <span className="lb" aria-hidden={to === "/inbox" && counts.unread > 0}>
            {label}
          </span>
          {to === "/inbox" && counts.unread > 0 && (
            <span className="sronly">{words.notificationsUnread(counts.unread)}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}

export function Rail({
  counts,
  member,
  earned,
}: {
  counts: Counts;
  member: Member;
  earned: readonly Earned[] | undefined;
}) {
  const current = useCurrent();
  const desktop = useDesktop();
  return (
    <aside className="rail" aria-label={brandWords.brand}>
      <div className="brand">
        <Logo size={44} />
        <div>
          <b>{brandWords.brand}</b>
          <span className="dim t14">{brandWords.tagline}</span>
        </div>
      </div>
      <nav aria-label={words.main} className="stack xs">
        {tabs.map(({ to, label, Icon }) => {
          const count = to === "/friends" ? counts.requests : to === "/inbox" ? counts.unread : 0;
          return (
            <Link key={to} className="to" href={to} aria-current={current(to)}>
              <Icon size={22} stroke={1.75} aria-hidden="true" />
              <span className="grow">{label}</span>
              {count > 0 && <Count value={count} waits={to === "/inbox"} />}
            </Link>
          );
        })}
      </nav>
      {desktop && <Offline />}
      <div className="me">
        <Face person={member} size={40} fallback="U" />
        <div className="one b6">
          <Words>{member.displayName || member.email}</Words>
        </div>
        <ActionIcon component={Link} href="/settings" aria-label={words.settings}>
          <IconSettings size={22} stroke={1.75} />
        </ActionIcon>
        {earned !== undefined && earned.length > 0 && (
          <div className="sum dim t14">{words.earned(earned.map((e) => moneyWords.money(e.amount, e.code)))}</div>
        )}
      </div>
    </aside>
  );
}
