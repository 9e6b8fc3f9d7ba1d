// Choosing friends for a group: those chosen are highlighted. Where there are many they can be searched.
import { TextInput } from "@mantine/core";
import { IconCheck, IconSearch } from "@tabler/icons-react";
import type { Friend } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { matches } from "../../lib/matches";
import { Face } from "../../ui/Face";
import "../../ui/styles/form.css";
import { Words } from "../../ui/Words";
import "./groups.css";
import { nameOf } from "./form";
import { words } from "./words";

/** As many are seen at once. */
const FEW = 8;

type PickProps = { friend: Friend; isPicked: boolean; onPick: () => void };

function Pick({ friend, isPicked, onPick }: PickProps) {
  const name = nameOf(friend);
  return (
    <li>
      <label className="pick">
        <input type="checkbox" checked={isPicked} onChange={onPick} />
        <Face person={{ ...friend, displayName: name }} size={36} />
        <span className="grow one">
          <Words>{name}</Words>
        </span>
        {isPicked && <IconCheck size={20} aria-hidden="true" />}
      </label>
    </li>
  );
}

type Props = {
  id: string;
  friends: readonly Friend[];
  picked: readonly string[];
  search: string;
  error: string | undefined;
  onSearch: (text: string) => void;
  onPick: (uids: string[]) => void;
};

export function FriendPicks({ id, friends, picked, search, error, onSearch, onPick }: Props) {
  const isLong = friends.length > FEW;
  const found = isLong ? friends.filter((friend) => matches(friend, search)) : friends;
  const message = `${id}-message`;

  const toggle = (uid: string): void =>
    onPick(picked.includes(uid) ? picked.filter((other) => other !== uid) : [...picked, uid]);

  return (
    <fieldset
      id={id}
      className="fieldset picks"
      tabIndex={-1}
      aria-describedby={error === undefined ? undefined : message}
    >
      <legend className="lbl">
        {words.friends}
        <span className="dim t14" aria-live="polite">
          {words.selected(picked.length)}
        </span>
      </legend>
      {isLong && (
        <TextInput
          type="search"
          mb={8}
          aria-label={words.searchFriends}
          placeholder={words.searchFriends}
          leftSection={<IconSearch size={20} />}
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
      )}
      <ul className={isLong ? "plainlist pickgrid many" : "plainlist pickgrid"} data-wrong={error !== undefined}>
        {found.map((friend) => (
          <Pick
            key={friend.uid}
            friend={friend}
            isPicked={picked.includes(friend.uid)}
            onPick={() => toggle(friend.uid)}
          />
        ))}
      </ul>
      {found.length === 0 && <p className="dim center">{words.nobodyFound}</p>}
      {error !== undefined && (
        <div className="msg" id={message}>
          {error}
        </div>
      )}
    </fieldset>
  );
}
