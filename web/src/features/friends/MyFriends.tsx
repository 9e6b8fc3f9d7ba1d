// The friends of a member, by name.
import { ActionIcon, Button } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { Link } from "wouter";
import type { Friend } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { dayOf, toDate } from "../../lib/times";
import { Face } from "../../ui/Face";
import { NoFriends } from "../../ui/illustrations";
import { Loaded } from "../../ui/Loaded";
import { EmptyState } from "../../ui/Pieces";
import { RowSkeletons } from "../../ui/Skeletons";
import { useFriends } from "./queries";
import { awayWords } from "./awayWords";
import { nameOf } from "./names";
import { type Somebody, usePersonSheet } from "./PersonSheet";
import { words } from "./words";
import { Words } from "../../ui/Words";

function Nobody() {
  return (
    <EmptyState
      drawing={<NoFriends size={200} />}
      title={words.noFriends}
      action={
        <Button component={Link} href="/friends/find">
          {words.tabs.find}
        </Button>
      }
    >
      {words.noFriendsText}
    </EmptyState>
  );
}

function Friends({ friends, onMore }: { friends: readonly Friend[]; onMore: (who: Somebody) => void }) {
  return (
    <ul className="card flush list narrow people" aria-label={words.tabs.mine}>
      {friends.map((friend) => {
        const since = toDate(friend.acceptedAt);
        return (
          <li key={friend.uid}>
            <Face person={friend} size={48} />
            <div className="grow">
              <h2 className="one t16 b6">
                <Words>{nameOf(friend)}</Words>
              </h2>
              <p className="dim t14 one">
                <Words>{friend.email || words.noEmail}</Words>
              </p>
              <p className="dim t14">{words.friendsSince(since === undefined ? words.recently : dayOf(since))}</p>
            </div>
            <ActionIcon
              aria-label={awayWords.more(nameOf(friend))}
              aria-haspopup="dialog"
              onClick={() => onMore({ ...friend, isFriend: true, since })}
            >
              <IconDots />
            </ActionIcon>
          </li>
        );
      })}
    </ul>
  );
}

export function MyFriends({ me }: { me: string }) {
  const [show, sheet] = usePersonSheet(me);
  return (
    <>
      <Loaded
        query={useFriends()}
        skeleton={<RowSkeletons label={words.loadingFriends} />}
        failed={words.friendsFailed}
        isEmpty={(friends) => friends.length === 0}
        empty={<Nobody />}
      >
        {(friends) => <Friends friends={friends} onMore={show} />}
      </Loaded>
      {sheet}
    </>
  );
}
