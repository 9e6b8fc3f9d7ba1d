// The way between the main areas: tabs at the bottom of a phone, a rail at the side of a desktop. Only what is built is there.
import { ActionIcon } from "@mantine/core";
import { IconBell, IconHeartHandshake, IconHome, IconSettings, IconUsers } from "@tabler/icons-react";
import { Link, useLocation } from "wouter";
import type { Member } from "../lib/session";
import type { Earned } from "./stats";
import { Face } from "../ui/Face";
import { Logo } from "../ui/brand";
import { Count } from "../ui/Pieces";

export type Counts = { requests: number; unread: number };

const tabs = [
  { to: "/", label: "Home", Icon: IconHome },
  { to: "/friends", label: "Friends", Icon: IconUsers },
  { to: "/favors", label: "Favors", Icon: IconHeartHandshake },
  { to: "/inbox", label: "Notifications", Icon: IconBell },
] as const;

function useCurrent(): (to: string) => "page" | undefined {
  const [path] = useLocation();
  return (to) => ((to === "/" ? path === "/" : path.startsWith(to)) ? "page" : undefined);
}

export function TabBar({ counts }: { counts: Counts }) {
  const current = useCurrent();
  return (
    <nav className="tabbar" aria-label="Main">
      {tabs.map(({ to, label, Icon }) => (
        <Link key={to} href={to} aria-current={current(to)}>
          <span className="ic">
            <Icon size={24} stroke={1.75} aria-hidden="true" />
            {to === "/inbox" && counts.unread > 0 && <span className="dot" />}
          </span>
          <span className="lb">
            {label}
            {to === "/inbox" && counts.unread > 0 && <span className="sronly">, {counts.unread} unread</span>}
          </span>
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
  return (
    <aside className="rail" aria-label="Goodturn">
      <div className="brand">
        <Logo size={44} />
        <div>
          <b>Goodturn</b>
          <span className="dim t14">Your community favor network</span>
        </div>
      </div>
      <nav aria-label="Main" className="stack xs">
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
      <div className="me row">
        <Face person={member} size={40} fallback="U" />
        <div className="grow">
          <div className="one b6">{member.displayName || member.email}</div>
          {earned !== undefined && earned.length > 0 && (
            <div className="dim t14">{earned.map((e) => `${e.amount} ${e.code}`).join(" + ")} earned</div>
          )}
        </div>
        <ActionIcon component={Link} href="/settings" aria-label="Settings">
          <IconSettings size={22} stroke={1.75} />
        </ActionIcon>
      </div>
    </aside>
  );
}
