// The sheet to choose one more friend to ask: friends who were not asked and have no open offer.
import { Button, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import type { Favor } from "../../gen/goodturn/favors/v1/favors_service_pb";
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

type Props = { favor: Favor; onChoose: (friend: Friend) => void };

function Nobody({ haveOffered }: { haveOffered: boolean }) {
  return (
    <EmptyState
      drawing={<NoFriends size={200} />}
      title={haveOffered ? offerWords.everybodyAskedOrOffers : offerWords.everybodyAsked}
      action={
        <Button component={Link} href="/friends/find">
          {words.findFriends}
        </Button>
      }
    >
      {haveOffered ? offerWords.everybodyAskedOrOffersText : offerWords.everybodyAskedText}
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

/** Asking a friend who has offered help would take their offer away. */
export default function AskSheet({ favor: { recipients, applicants }, onChoose }: Props) {
  const excluded = new Set([...recipients, ...applicants.map(({ person }) => person?.uid)]);
  const isAsked = ({ uid }: Friend): boolean => excluded.has(uid);
  return (
    <Loaded
      query={useFriendsToAsk()}
      skeleton={<RowSkeletons label={sheetWords.loadingFriends} />}
      failed={formWords.recipientsFailed}
      isEmpty={(friends) => friends.every(isAsked)}
      empty={<Nobody haveOffered={applicants.length > 0} />}
    >
      {(friends) => <Choices friends={friends.filter((friend) => !isAsked(friend))} onChoose={onChoose} />}
    </Loaded>
  );
}
