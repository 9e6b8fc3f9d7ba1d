// The friends area with the groups in it, which are a feature of their own.
import { FriendsScreen } from "../features/friends/FriendsScreen";
import { FRIENDS_TABS } from "../features/friends/tabs";
import { GroupsSkeleton } from "../features/groups/GroupsSkeleton";
import { part } from "../lib/parts";
import { Piece } from "../ui/Piece";

const Groups = part(() => import("../features/groups/Groups").then((m) => m.Groups));

export function FriendsArea({ tab, me }: { tab: string | undefined; me: string }) {
  const groups = (
    <Piece skeleton={<GroupsSkeleton />}>
      <Groups me={me} />
    </Piece>
  );
  return <FriendsScreen tab={FRIENDS_TABS.find((t) => t === tab) ?? "requests"} me={me} groups={groups} />;
}
