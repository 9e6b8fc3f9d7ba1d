// The friends of a member, by name.
import { Button } from "@mantine/core";
import { Link } from "wouter";
import { dayOf, toDate } from "../../lib/times";
import { Face } from "../../ui/Face";
import { NoFriends } from "../../ui/illustrations";
import { EmptyState, LoadError } from "../../ui/Pieces";
import { RowSkeletons } from "../../ui/Skeletons";
import { useFriends } from "./queries";
import { nameOf } from "./Requests";
import { words } from "./words";

export function MyFriends() {
  const { data, isPending, isError, isFetching, refetch } = useFriends();
  if (isPending) return <RowSkeletons label={words.loadingFriends} />;
  if (isError) return <LoadError title={words.friendsFailed} onRetry={() => void refetch()} busy={isFetching} />;
  if (data.length === 0)
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
  return (
    <ul className="card flush list narrow people" aria-label={words.tabs.mine}>
      {data.map((friend) => {
        const since = toDate(friend.acceptedAt);
        return (
          <li key={friend.uid}>
            <Face person={friend} size={48} />
            <div className="grow">
              <h2 className="one t16 b6">{nameOf(friend)}</h2>
              <p className="dim t14 one">{friend.email || words.noEmail}</p>
              <p className="dim t14">{words.friendsSince(since === undefined ? words.recently : dayOf(since))}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
