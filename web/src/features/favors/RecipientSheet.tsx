// What stands in a sheet to choose whom to ask: friends one by one, and groups of them. Loaded when recipients are chosen.
import { Button, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import { holds, matches } from "../../lib/matches";
import { Faces } from "../../ui/Face";
import { NoFriends } from "../../ui/illustrations";
import { Loaded } from "../../ui/Loaded";
import { EmptyState } from "../../ui/Pieces";
import { RowSkeletons } from "../../ui/Skeletons";
import { Tabs } from "../../ui/Tabs";
import { useTallest } from "../../ui/tallest";
import { words as frameWords } from "../../ui/shellWords";
import { FriendChoices, GroupChoices } from "./Choices";
import { askedOf, type Chosen, type Circle, knownOf, useCircle, withFriend, withGroup } from "./circle";
import { tooMuch } from "./form";
import { formWords, sheetWords } from "./formWords";
import { words } from "./words";

type Props = {
  chosen: Chosen;
  onClose: () => void;
  onDone: (chosen: Chosen) => void;
};

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

type FootProps = { circle: Circle; chosen: Chosen } & Pick<Props, "onClose" | "onDone">;

function Foot({ circle, chosen, onClose, onDone }: FootProps) {
  const asked = askedOf(circle, chosen);
  const wrong = tooMuch(chosen, asked.length);
  return (
    <div className="foot">
      <span className="row s grow" aria-live="polite">
        <Faces people={asked} />
        <span className={wrong === "" ? "t14 b6" : "t14 wrong"}>
          {wrong === "" ? sheetWords.selected(asked.length) : wrong}
        </span>
      </span>
      <Button variant="default" onClick={onClose}>
        {frameWords.cancel}
      </Button>
      <Button disabled={asked.length === 0 || wrong !== ""} onClick={() => onDone(chosen)}>
        {sheetWords.done}
      </Button>
    </div>
  );
}

function Chooser({ circle, chosen: before, onClose, onDone }: Props & { circle: Circle }) {
  const { friends, groups } = circle;
  const [tab, setTab] = useState<string | null>("friends");
  const [search, setSearch] = useState("");
  const [picked, setPicked] = useState<Chosen>(before);
  // Who or what is gone meanwhile is not asked.
  const chosen = knownOf(circle, picked);
  const asked = new Set(askedOf(circle, chosen).map(({ uid }) => uid));
  const pickFriend = (uid: string): void => setPicked((was) => withFriend(circle, was, uid));
  const pickGroup = (id: string): void => setPicked((was) => withGroup(was, id));
  const found = useTallest();
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
        <div ref={found}>
          <Tabs.Panel value="friends">
            <FriendChoices friends={friends.filter((f) => matches(f, search))} asked={asked} onPick={pickFriend} />
          </Tabs.Panel>
          <Tabs.Panel value="groups">
            <GroupChoices
              circle={circle}
              groups={groups.filter((g) => holds(g.groupName, search))}
              chosen={chosen}
              asked={asked}
              onPickFriend={pickFriend}
              onPickGroup={pickGroup}
            />
          </Tabs.Panel>
        </div>
      </Tabs>
      <Foot circle={circle} chosen={chosen} onClose={onClose} onDone={onDone} />
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
