// The friends area: who asks, whom to find, who is a friend.
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { quiet } from "../../lib/parts";
import { useTitle } from "../../lib/title";
import { Count } from "../../ui/Pieces";
import { TabRow, Tabs } from "../../ui/Tabs";
import { FindFriends } from "./FindFriends";
import { MyFriends } from "./MyFriends";
import { Requests } from "./Requests";
import { useFriendRequests } from "./queries";
import { FRIENDS_TABS, type FriendsTab } from "./tabs";
import { words } from "./words";

const SentInvitations = quiet(
  () => import("./SentInvitations").then((m) => m.SentInvitations),
  () => "soon",
);

/** `groups` stands under the tab of its name. */
type Props = { tab: FriendsTab; me: string; groups: ReactNode };

export function FriendsScreen({ tab, me, groups }: Props) {
  const [, navigate] = useLocation();
  const waiting = useFriendRequests().data?.received.length ?? 0;
  useTitle(words.tabs[tab]);
  return (
    <>
      <h1 className="big" tabIndex={-1}>
        {words.title}
      </h1>
      <p className="sub">{words.subtitle}</p>
      <Tabs value={tab} keepMounted={false} onChange={(to) => navigate(`/friends/${to}`, { replace: true })} mt={12}>
        <TabRow index={FRIENDS_TABS.indexOf(tab)} aria-label={words.title}>
          {FRIENDS_TABS.map((name) => (
            <Tabs.Tab
              key={name}
              value={name}
              rightSection={name === "requests" && waiting > 0 ? <Count value={waiting} /> : undefined}
            >
              {words.tabs[name]}
            </Tabs.Tab>
          ))}
        </TabRow>
        <Tabs.Panel value="requests">
          <Requests me={me} />
        </Tabs.Panel>
        <Tabs.Panel value="find">
          <div className="stack l">
            <FindFriends me={me} />
            <SentInvitations me={me} />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="mine">
          <MyFriends me={me} />
        </Tabs.Panel>
        <Tabs.Panel value="groups">{groups}</Tabs.Panel>
      </Tabs>
    </>
  );
}
