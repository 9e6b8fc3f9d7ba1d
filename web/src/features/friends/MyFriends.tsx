// The friends of a member, by name.
import { ActionIcon, Button, Skeleton } from "@mantine/core";
import { IconDots, IconUserPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { Friend } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { dayOf, toDate } from "../../lib/times";
import { Face } from "../../ui/Face";
import { NoFriends } from "../../ui/illustrations";
import { Loaded } from "../../ui/Loaded";
import { EmptyState } from "../../ui/Pieces";
import { Sheet } from "../../ui/Sheet";
import { FieldSkeleton } from "../../ui/FieldSkeleton";
import { RowSkeletons } from "../../ui/Skeletons";
import { words as frameWords } from "../../ui/shellWords";
import { useFriends } from "./queries";
import { awayWords } from "./awayWords";
import { FindFriends } from "./FindFriends";
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

/** Finding a friend beside the list. @returns what opens it, and the sheet. */
function useAddFriend(me: string): [button: ReactNode, sheet: ReactNode] {
  const [opened, setOpened] = useState(false);
  const close = (): void => setOpened(false);
  const button = (
    <div>
      <Button
        variant="light"
        leftSection={<IconUserPlus size={20} />}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {words.addFriend}
      </Button>
    </div>
  );
  const sheet = (
    <Sheet
      opened={opened}
      onClose={close}
      title={words.addFriend}
      skeleton={<FieldSkeleton label={frameWords.loading} />}
    >
      <FindFriends me={me} onDone={close} />
    </Sheet>
  );
  return [button, sheet];
}

function Loading() {
  return (
    <div className="stack">
      <Skeleton h="2.75rem" w="10rem" />
      <RowSkeletons label={words.loadingFriends} />
    </div>
  );
}

export function MyFriends({ me }: { me: string }) {
  const [show, sheet] = usePersonSheet(me);
  const [add, addSheet] = useAddFriend(me);
  return (
    <>
      <Loaded
        query={useFriends()}
        skeleton={<Loading />}
        failed={words.friendsFailed}
        isEmpty={(friends) => friends.length === 0}
        empty={<Nobody />}
      >
        {(friends) => (
          <div className="stack">
            {add}
            <Friends friends={friends} onMore={show} />
          </div>
        )}
      </Loaded>
      {sheet}
      {addSheet}
    </>
  );
}
