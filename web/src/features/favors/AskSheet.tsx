// What stands in the sheet to choose one more friend to ask: those who were not asked yet. Loaded when it is opened.
import { Button, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import type { Friend } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { matches } from "../../lib/matches";
import { Face } from "../../ui/Face";
import { NoFriends } from "../../ui/illustrations";
import { Loaded } from "../../ui/Loaded";
import { EmptyState } from "../../ui/Pieces";
import { RowSkeletons } from "../../ui/Skeletons";
import { useTallest } from "../../ui/tallest";
import { Words } from "../../ui/Words";
import { formWords, sheetWords } from "./formWords";
import { offerWords } from "./offerWords";
import { useFriendsToAsk } from "./laterQueries";
import { words } from "./words";

type Props = { asked: readonly string[]; onChoose: (friend: Friend) => void };

function Nobody() {
  return (
    <EmptyState
      drawing={<NoFriends size={200} />}
      title={offerWords.everybodyAsked}
      action={
        <Button component={Link} href="/friends/find">
          {words.findFriends}
        </Button>
      }
    >
      {offerWords.everybodyAskedText}
    </EmptyState>
  );
}

function Choices({ friends, onChoose }: { friends: readonly Friend[] } & Pick<Props, "onChoose">) {
  const [search, setSearch] = useState("");
  const list = useTallest();
  const found = friends.filter((friend) => matches(friend, search));
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
      <div ref={list}>
        <ul className="plainlist list people bleedlist" aria-label={sheetWords.friends}>
          {found.map((friend) => (
            <li key={friend.uid}>
              <Face person={friend} size={40} />
              <span className="grow">
                <span className="one b5 t16" style={{ display: "block" }}>
                  <Words>{friend.displayName}</Words>
                </span>
                <span className="one dim t14" style={{ display: "block" }}>
                  <Words>{friend.email}</Words>
                </span>
              </span>
              <Button
                variant="light"
                aria-label={offerWords.askName(friend.displayName)}
                onClick={() => onChoose(friend)}
              >
                {offerWords.ask}
              </Button>
            </li>
          ))}
        </ul>
        {found.length === 0 && <p className="dim center">{sheetWords.nobodyFound}</p>}
      </div>
    </>
  );
}

/** `asked` are the ids of those who were asked already. */
export default function AskSheet({ asked, onChoose }: Props) {
  const isAsked = ({ uid }: Friend): boolean => asked.includes(uid);
  return (
    <Loaded
      query={useFriendsToAsk()}
      skeleton={<RowSkeletons label={sheetWords.loadingFriends} />}
      failed={formWords.recipientsFailed}
      isEmpty={(friends) => friends.every(isAsked)}
      empty={<Nobody />}
    >
      {(friends) => <Choices friends={friends.filter((friend) => !isAsked(friend))} onChoose={onChoose} />}
    </Loaded>
  );
}
