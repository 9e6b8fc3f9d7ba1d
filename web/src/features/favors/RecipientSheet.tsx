// What stands in a sheet to choose whom to ask. Loaded when recipients are chosen.
import { Button, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import type { Friend } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { Checkbox } from "../../ui/Checkbox";
import { Face, Faces } from "../../ui/Face";
import { NoFriends } from "../../ui/illustrations";
import { Loaded } from "../../ui/Loaded";
import { EmptyState } from "../../ui/Pieces";
import { RowSkeletons } from "../../ui/Skeletons";
import { useFriendsToAsk } from "./queries";
import { formWords, sheetWords } from "./formWords";
import { words } from "./words";
import { words as frameWords } from "../../ui/words";
import { Words } from "../../ui/Words";

/** Matches any of a friend's names and the address, whatever the case. */
export function matches(
  friend: Pick<Friend, "displayName" | "email" | "firstName" | "lastName">,
  search: string,
): boolean {
  const needle = search.trim().toLowerCase();
  return [friend.displayName, friend.email, friend.firstName, friend.lastName].some((text) =>
    text.toLowerCase().includes(needle),
  );
}

type Props = { chosen: readonly string[]; onClose: () => void; onDone: (uids: string[]) => void };

function Choices({
  friends,
  picked,
  onPick,
}: {
  friends: readonly Friend[];
  picked: ReadonlySet<string>;
  onPick: (uid: string) => void;
}) {
  return (
    <ul className="plainlist list people bleedlist" aria-label={sheetWords.friends}>
      {friends.map((friend) => (
        <li key={friend.uid}>
          <Checkbox
            labelPosition="left"
            checked={picked.has(friend.uid)}
            onChange={() => onPick(friend.uid)}
            className="choice"
            label={
              <span className="row">
                <Face person={friend} size={40} />
                <span className="grow">
                  <span className="one b5 t16" style={{ display: "block" }}>
                    <Words>{friend.displayName}</Words>
                  </span>
                  <span className="one dim t14" style={{ display: "block" }}>
                    <Words>{friend.email}</Words>
                  </span>
                </span>
              </span>
            }
          />
        </li>
      ))}
    </ul>
  );
}

function NoFriendsYet() {
  return (
    <EmptyState
      drawing={<NoFriends size={200} />}
      title={sheetWords.noFriends}
      action={
        <Button component={Link} href="/friends/find">
          {words.findFriends}
        </Button>
      }
    >
      {sheetWords.noFriendsText}
    </EmptyState>
  );
}

function Chooser({ friends, chosen, onClose, onDone }: Props & { friends: readonly Friend[] }) {
  const [search, setSearch] = useState("");
  const [picked, setPicked] = useState<ReadonlySet<string>>(() => new Set(chosen));

  function pick(uid: string): void {
    setPicked((was) => {
      const next = new Set(was);
      if (!next.delete(uid)) next.add(uid);
      return next;
    });
  }

  const people = friends.filter((f) => picked.has(f.uid));
  const found = friends.filter((f) => matches(f, search));
  return (
    <>
      <TextInput
        type="search"
        aria-label={sheetWords.searchFriends}
        placeholder={sheetWords.searchFriends}
        leftSection={<IconSearch size={20} />}
        value={search}
        onChange={(e) => setSearch(e.currentTarget.value)}
      />
      <h3 className="t14 b6" style={{ margin: "1rem 0 0.25rem" }}>
        {sheetWords.friendCount(friends.length)}
      </h3>
      <Choices friends={found} picked={picked} onPick={pick} />
      {found.length === 0 && <p className="dim center">{sheetWords.nobodyFound}</p>}
      <div className="foot">
        <span className="row s grow" aria-live="polite">
          <Faces people={people} />
          <span className="t14 b6">{sheetWords.selected(people.length)}</span>
        </span>
        <Button variant="default" onClick={onClose}>
          {frameWords.cancel}
        </Button>
        <Button disabled={people.length === 0} onClick={() => onDone(people.map((f) => f.uid))}>
          {sheetWords.done}
        </Button>
      </div>
    </>
  );
}

export default function RecipientSheet(props: Props) {
  return (
    <Loaded
      query={useFriendsToAsk()}
      skeleton={<RowSkeletons label={sheetWords.loadingFriends} />}
      failed={formWords.recipientsFailed}
      isEmpty={(friends) => friends.length === 0}
      empty={<NoFriendsYet />}
    >
      {(friends) => <Chooser friends={friends} {...props} />}
    </Loaded>
  );
}
