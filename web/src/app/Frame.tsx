// The frame of every screen of a member: the way to its content, the rail or the tabs, and whether the server is in reach.
import { type ReactNode, useRef } from "react";
import { useLocation, useSearch } from "wouter";
import type { Member } from "../lib/session";
import { Offline } from "../ui/Offline";
import { useDesktop } from "../ui/useDesktop";
import { type Counts, Rail, TabBar } from "./Nav";
import { isSubScreen } from "./paths";
import type { Earned } from "./stats";
import { words } from "./words";

type Props = { member: Member; counts: Counts; earned: readonly Earned[] | undefined; children: ReactNode };

export function Frame({ member, counts, earned, children }: Props) {
  const [path] = useLocation();
  const sub = isSubScreen(path, useSearch());
  const desktop = useDesktop();
  const main = useRef<HTMLElement>(null);
  return (
    <div className={sub ? "frame" : "frame hastabs"}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {words.skip}
      </button>
      <Rail counts={counts} member={member} earned={earned} />
      <main className="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      {/* On top of the tabs, however high they are. */}
      <div className="dock m-only">
        {!desktop && <Offline />}
        {!sub && <TabBar counts={counts} />}
      </div>
    </div>
  );
}
