// The groups of a member: those that there are, and the form to make and change one.
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useEffect } from "react";
import { Link } from "wouter";
import type { Group } from "../../gen/goodturn/groups/v1/groups_service_pb";
import { NoGroups } from "../../ui/illustrations";
import { Loaded } from "../../ui/Loaded";
import { EmptyState } from "../../ui/Pieces";
import { dismiss } from "../../ui/toast";
import { GroupForm } from "./GroupForm";
import { GroupList } from "./GroupList";
import { GroupsSkeleton } from "./GroupsSkeleton";
import { type Circle, useCircle } from "./queries";
import { PATH } from "./saving";
import { useGroupForm } from "./useGroupForm";
import { words } from "./words";

/** Who has no friends has nobody to make a group of. */
function NobodyYet() {
  return (
    <EmptyState
      drawing={<NoGroups size={200} />}
      title={words.none}
      action={
        <Button component={Link} href="/friends/find">
          {words.findFriends}
        </Button>
      }
    >
      {words.noFriendsText}
    </EmptyState>
  );
}

function Content({ me, circle }: { me: string; circle: Circle }) {
  const { friends, groups } = circle;
  const state = useGroupForm(me, circle);
  const toForm = (): void => {
    const field = document.getElementById(state.idOf("name"));
    field?.scrollIntoView({ block: "center" });
    field?.focus({ preventScroll: true });
  };
  async function edit(group: Group): Promise<void> {
    // After a question has given the focus back to where it was asked.
    if (await state.edit(group)) setTimeout(toForm);
  }
  function open(): void {
    state.open();
    setTimeout(toForm);
  }
  return (
    <div className="stack l narrow">
      {state.isOpen ? (
        <GroupForm state={state} friends={friends} />
      ) : (
        <div>
          <Button variant="light" leftSection={<IconPlus size={20} />} onClick={open}>
            {state.isEdit ? words.goOn : words.newGroup}
          </Button>
        </div>
      )}
      {groups.length === 0 ? (
        <EmptyState
          drawing={<NoGroups size={200} />}
          title={words.none}
          action={
            <Button variant="light" onClick={toForm}>
              {words.begin}
            </Button>
          }
        >
          {words.noneText}
        </EmptyState>
      ) : (
        <GroupList
          groups={groups}
          friends={friends}
          edited={state.id}
          onEdit={(group) => void edit(group)}
          onGone={(id) => state.forget(id)}
        />
      )}
    </div>
  );
}

export function Groups({ me }: { me: string }) {
  // It is said here from now on.
  useEffect(() => dismiss(PATH), []);
  return (
    <Loaded
      query={useCircle()}
      skeleton={<GroupsSkeleton />}
      failed={words.failed}
      isEmpty={({ friends, groups }) => friends.length + groups.length === 0}
      empty={<NobodyYet />}
    >
      {(circle) => <Content me={me} circle={circle} />}
    </Loaded>
  );
}
