// One's groups, by name, each with the ways to change and delete it.
import { Button } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { Friend } from "../../gen/goodturn/friends/v1/friends_service_pb";
import type { Group } from "../../gen/goodturn/groups/v1/groups_service_pb";
import { hasReason } from "../../lib/errors";
import { confirmed } from "../../ui/confirm";
import { Faces } from "../../ui/Face";
import { sayFailure } from "../../ui/failure";
import { Section } from "../../ui/Pieces";
import { say } from "../../ui/said";
import { Words } from "../../ui/Words";
import { useGroupsApi } from "./deeds";
import { nameOf } from "./form";
import { PATH } from "./saving";
import { words } from "./words";

type RowProps = { group: Group; people: readonly Friend[]; isEdited: boolean; onEdit: () => void; onGone: () => void };

function GroupRow({ group, people, isEdited, onEdit, onGone }: RowProps) {
  const { groupId, groupName } = group;
  const { remove } = useGroupsApi();
  const [busy, setBusy] = useState(false);

  async function take(): Promise<void> {
    setBusy(true);
    try {
      await remove(groupId);
      onGone();
      say(words.deleted, "idle");
    } catch (error) {
      // What is gone already is gone.
      if (hasReason(error, "NOT_FOUND")) say(words.deleted, "idle");
      else sayFailure(error, words.deleteFailed, () => void take(), { name: groupName, path: PATH });
    }
    setBusy(false);
  }

  async function askedToRemove(): Promise<void> {
    if (await confirmed({ ...words.removal, about: groupName, destructive: true })) await take();
  }

  return (
    <li aria-current={isEdited || undefined}>
      <Faces people={people.map((friend) => ({ ...friend, displayName: nameOf(friend) }))} size={36} />
      <div className="grow">
        <h3 className="one t16 b6">
          <Words>{groupName}</Words>
        </h3>
        <p className="dim t14">{words.members(people.length)}</p>
      </div>
      <div className="row s">
        <Button
          variant="default"
          leftSection={<IconPencil size={18} />}
          aria-label={words.editWhich(groupName)}
          onClick={onEdit}
        >
          {words.edit}
        </Button>
        <Button
          variant="default"
          c="var(--gt-no-fg)"
          leftSection={<IconTrash size={18} />}
          aria-label={words.removeWhich(groupName)}
          loading={busy}
          onClick={() => void askedToRemove()}
        >
          {words.remove}
        </Button>
      </div>
    </li>
  );
}

/** Those of the friends who are in a group. */
function peopleOf({ members }: Group, friends: readonly Friend[]): Friend[] {
  const uids = new Set(members);
  return friends.filter(({ uid }) => uids.has(uid));
}

type Props = {
  groups: readonly Group[];
  friends: readonly Friend[];
  edited: string;
  onEdit: (group: Group) => void;
  onGone: (id: string) => void;
};

export function GroupList({ groups, friends, edited, onEdit, onGone }: Props) {
  return (
    <Section title={words.yours} count={groups.length}>
      <ul className="card flush list groups">
        {groups.map((group) => (
          <GroupRow
            key={group.groupId}
            group={group}
            people={peopleOf(group, friends)}
            isEdited={group.groupId === edited}
            onEdit={() => onEdit(group)}
            onGone={() => onGone(group.groupId)}
          />
        ))}
      </ul>
    </Section>
  );
}
