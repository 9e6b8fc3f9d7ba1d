// What stands in a sheet to choose whom to ask: friends one by one, and groups of them. Loaded when recipients are chosen.
import { Button, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { Friend } from "../../gen/goodturn/friends/v1/friends_service_pb";
import type { Group } from "../../gen/goodturn/groups/v1/groups_service_pb";
import { holds, matches } from "../../lib/matches";
import { Checkbox } from "../../ui/Checkbox";
import { Face, Faces } from "../../ui/Face";
import { NoFriends, NoGroups } from "../../ui/illustrations";
import { Loaded } from "../../ui/Loaded";
import { EmptyState } from "../../ui/Pieces";
import { RowSkeletons } from "../../ui/Skeletons";
import { Tabs } from "../../ui/Tabs";
import { askedOf, type Chosen, type Circle, useCircle } from "./circle";
import { formWords, sheetWords } from "./formWords";
import { words } from "./words";
import { words as frameWords } from "../../ui/words";
import { Words } from "../../ui/Words";

type Props = {
  chosen: Chosen;
  onClose: () => void;
  onDone: (chosen: { recipients: string[]; groups: string[] }) => void;
};

type ChoiceProps = { picked: ReadonlySet<string>; onPick: (id: string) => void };

/** `first` and `second` are its lines. */
type RowProps = { id: string; face: ReactNode; first: ReactNode; second: ReactNode } & ChoiceProps;

function Choice({ id, face, first, second, picked, onPick }: RowProps) {
  return (
    <li>
      <Checkbox
        labelPosition="left"
        checked={picked.has(id)}
        onChange={() => onPick(id)}
        className="choice"
        label={
          <span className="row">
            {face}
            <span className="grow">
              <span className="one b5 t16" style={{ display: "block" }}>
                {first}
              </span>
              <span className="one dim t14" style={{ display: "block" }}>
                {second}
              </span>
            </span>
          </span>
        }
      />
    </li>
  );
}

function FriendChoices({ friends, ...choice }: { friends: readonly Friend[] } & ChoiceProps) {
  return (
    <>
      <ul className="plainlist list people bleedlist" aria-label={sheetWords.friends}>
        {friends.map((friend) => (
          <Choice
            key={friend.uid}
            id={friend.uid}
            face={<Face person={friend} size={40} />}
            first={<Words>{friend.displayName}</Words>}
            second={<Words>{friend.email}</Words>}
            {...choice}
          />
        ))}
      </ul>
      {friends.length === 0 && <p className="dim center">{sheetWords.nobodyFound}</p>}
    </>
  );
}

type GroupProps = { all: Circle; groups: readonly Group[] } & ChoiceProps;

function GroupChoices({ all, groups, ...choice }: GroupProps) {
  if (all.groups.length === 0)
    return (
      <EmptyState
        drawing={<NoGroups size={200} />}
        title={sheetWords.noGroups}
        action={
          <Button component={Link} href="/friends/groups">
            {sheetWords.toGroups}
          </Button>
        }
      >
        {sheetWords.noGroupsText}
      </EmptyState>
    );
  return (
    <>
      <ul className="plainlist list people bleedlist" aria-label={sheetWords.groups}>
        {groups.map(({ groupId, groupName }) => {
          const people = askedOf(all, { recipients: [], groups: [groupId] });
          return (
            <Choice
              key={groupId}
              id={groupId}
              face={<Faces people={people} />}
              first={<Words>{groupName}</Words>}
              second={sheetWords.members(people.length)}
              {...choice}
            />
          );
        })}
      </ul>
      {groups.length === 0 && <p className="dim center">{sheetWords.noGroupFound}</p>}
    </>
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

/** A set of ids, and what puts one in or takes it out. */
function usePicked(chosen: readonly string[]): [ReadonlySet<string>, (id: string) => void] {
  const [picked, setPicked] = useState<ReadonlySet<string>>(() => new Set(chosen));
  function pick(id: string): void {
    setPicked((was) => {
      const next = new Set(was);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }
  return [picked, pick];
}

function Chooser({ circle, chosen, onClose, onDone }: Props & { circle: Circle }) {
  const { friends, groups } = circle;
  const [tab, setTab] = useState<string | null>("friends");
  const [search, setSearch] = useState("");
  const [people, pickFriend] = usePicked(chosen.recipients);
  const [circles, pickGroup] = usePicked(chosen.groups);
  // Only what is there still.
  const now = {
    recipients: friends.map(({ uid }) => uid).filter((uid) => people.has(uid)),
    groups: groups.map(({ groupId }) => groupId).filter((id) => circles.has(id)),
  };
  const asked = askedOf(circle, now);
  const label = tab === "groups" ? sheetWords.searchGroups : sheetWords.searchFriends;
  return (
    <>
      <TextInput
        type="search"
        aria-label={label}
        placeholder={label}
        leftSection={<IconSearch size={20} />}
        value={search}
        onChange={(e) => setSearch(e.currentTarget.value)}
      />
      <Tabs value={tab} keepMounted={false} onChange={setTab} mt={12}>
        <Tabs.List grow aria-label={formWords.whoToAsk}>
          <Tabs.Tab value="friends">{sheetWords.friendCount(friends.length)}</Tabs.Tab>
          <Tabs.Tab value="groups">{sheetWords.groupCount(groups.length)}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="friends">
          <FriendChoices friends={friends.filter((f) => matches(f, search))} picked={people} onPick={pickFriend} />
        </Tabs.Panel>
        <Tabs.Panel value="groups">
          <GroupChoices
            all={circle}
            groups={groups.filter((g) => holds(g.groupName, search))}
            picked={circles}
            onPick={pickGroup}
          />
        </Tabs.Panel>
      </Tabs>
      <div className="foot">
        <span className="row s grow" aria-live="polite">
          <Faces people={asked} />
          <span className="t14 b6">{sheetWords.selected(asked.length)}</span>
        </span>
        <Button variant="default" onClick={onClose}>
          {frameWords.cancel}
        </Button>
        <Button disabled={asked.length === 0} onClick={() => onDone(now)}>
          {sheetWords.done}
        </Button>
      </div>
    </>
  );
}

export default function RecipientSheet(props: Props) {
  return (
    <Loaded
      query={useCircle()}
      skeleton={<RowSkeletons label={sheetWords.loadingFriends} />}
      failed={formWords.recipientsFailed}
      isEmpty={({ friends }) => friends.length === 0}
      empty={<NoFriendsYet />}
    >
      {(circle) => <Chooser circle={circle} {...props} />}
    </Loaded>
  );
}
