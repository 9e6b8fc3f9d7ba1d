// Whom to ask, as rows that are ticked: friends, and groups of them, which open to show who is in them.
import { ActionIcon, Button } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { Link } from "wouter";
import type { Friend } from "../../gen/goodturn/friends/v1/friends_service_pb";
import type { Group } from "../../gen/goodturn/groups/v1/groups_service_pb";
import { Checkbox } from "../../ui/Checkbox";
import { Face, Faces } from "../../ui/Face";
import { NoGroups } from "../../ui/illustrations";
import { EmptyState } from "../../ui/Pieces";
import { Words } from "../../ui/Words";
import { askedOf, type Chosen, type Circle } from "./circle";
import { sheetWords } from "./formWords";

type BoxProps = {
  checked: boolean;
  /** Some of it. */
  isPartly?: boolean;
  onPick: () => void;
  face: ReactNode;
  first: ReactNode;
  second: ReactNode;
};

/** `first` and `second` are its lines. */
function Box({ checked, isPartly = false, onPick, face, first, second }: BoxProps) {
  return (
    <Checkbox
      labelPosition="left"
      checked={checked}
      indeterminate={isPartly}
      onChange={onPick}
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
  );
}

type PeopleProps = {
  label: string;
  friends: readonly Friend[];
  /** The ids of those who are asked, in whichever way. */
  asked: ReadonlySet<string>;
  onPick: (uid: string) => void;
};

function People({ label, friends, asked, onPick }: PeopleProps) {
  return (
    <ul className="plainlist list people bleedlist" aria-label={label}>
      {friends.map((friend) => (
        <li key={friend.uid}>
          <Box
            checked={asked.has(friend.uid)}
            onPick={() => onPick(friend.uid)}
            face={<Face person={friend} size={40} />}
            first={<Words>{friend.displayName}</Words>}
            second={<Words>{friend.email}</Words>}
          />
        </li>
      ))}
    </ul>
  );
}

export function FriendChoices(people: Omit<PeopleProps, "label">) {
  if (people.friends.length === 0) return <p className="dim center">{sheetWords.nobodyFound}</p>;
  return <People {...people} label={sheetWords.friends} />;
}

type GroupProps = Pick<PeopleProps, "asked"> & {
  circle: Circle;
  chosen: Chosen;
  onPickFriend: (uid: string) => void;
  onPickGroup: (id: string) => void;
};

function GroupChoice({ group, circle, chosen, asked, ...pick }: GroupProps & { group: Group }) {
  const [isOpen, open] = useState(false);
  const id = useId();
  const { groupId, groupName } = group;
  const people = askedOf(circle, { recipients: [], groups: [groupId] });
  const isChosen = chosen.groups.includes(groupId);
  return (
    <li className="folds">
      <div className="row s">
        <ActionIcon
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-label={sheetWords.whoIsIn(groupName)}
          className="opens"
          onClick={() => open(!isOpen)}
        >
          <IconChevronDown size={20} />
        </ActionIcon>
        <Box
          checked={isChosen}
          isPartly={!isChosen && people.some(({ uid }) => asked.has(uid))}
          onPick={() => pick.onPickGroup(groupId)}
          face={<Faces people={people} />}
          first={<Words>{groupName}</Words>}
          second={sheetWords.members(people.length)}
        />
      </div>
      {isOpen && (
        <div id={id} className="inside">
          <People label={sheetWords.whoIsIn(groupName)} friends={people} asked={asked} onPick={pick.onPickFriend} />
        </div>
      )}
    </li>
  );
}

/** `groups` are those that are searched for. */
export function GroupChoices({ groups, ...all }: GroupProps & { groups: readonly Group[] }) {
  if (all.circle.groups.length === 0)
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
  if (groups.length === 0) return <p className="dim center">{sheetWords.noGroupFound}</p>;
  return (
    <ul className="plainlist list bleedlist" aria-label={sheetWords.groups}>
      {groups.map((group) => (
        <GroupChoice key={group.groupId} group={group} {...all} />
      ))}
    </ul>
  );
}
