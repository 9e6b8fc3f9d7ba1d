// Share Stuff: what friends lend, what one lends, and what is asked for or out.
import type { ReactNode } from "react";
import { useLocation, useSearchParams } from "wouter";
import { SHARE_TABS, sharePath, type ShareTab } from "../../lib/sharing";
import { useTitle } from "../../lib/title";
import { TabRow, Tabs } from "../../ui/Tabs";
import { useDesktop } from "../../ui/useDesktop";
import { words } from "./words";

/** What stands under each tab; `create` is a screen of its own on a phone. */
type Props = { panels: Record<ShareTab, ReactNode> };

export function ShareHub({ panels }: Props) {
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const desktop = useDesktop();
  const tab = SHARE_TABS.find((name) => name === params.get("tab")) ?? "browse";
  useTitle(tab === "create" ? words.newItem : words.title);

  if (tab === "create" && !desktop) return panels.create;
  function show(to: string | null): void {
    const next = SHARE_TABS.find((name) => name === to) ?? "browse";
    navigate(sharePath(next), { replace: desktop || next !== "create" });
  }
  return (
    <>
      <h1 className="big" tabIndex={-1}>
        {words.title}
      </h1>
      <Tabs value={tab} keepMounted={false} mt={12} onChange={show}>
        <TabRow index={SHARE_TABS.indexOf(tab)} aria-label={words.title}>
          {SHARE_TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {words.tabs[name]}
            </Tabs.Tab>
          ))}
        </TabRow>
        {SHARE_TABS.map((name) => (
          <Tabs.Panel key={name} value={name}>
            {panels[name]}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
