// The form of a group, new or edited.
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconAlertTriangle, IconPencil, IconX } from "@tabler/icons-react";
import type { FormEvent } from "react";
import type { Friend } from "../../gen/goodturn/friends/v1/friends_service_pb";
import { Failed } from "../../ui/Failed";
import { Note } from "../../ui/Pieces";
import { words as frameWords } from "../../ui/shellWords";
import { NAME_LENGTH_MAX } from "./form";
import { FriendPicks } from "./FriendPicks";
import type { GroupFormState } from "./useGroupForm";
import { words } from "./words";

type Props = { state: GroupFormState; friends: readonly Friend[] };

/** Names the group that is edited, with the way out. */
function Editing({ state }: { state: GroupFormState }) {
  return (
    <div className="note edited" data-tone="wait">
      <IconPencil size={20} aria-hidden="true" />
      <div className="grow breakable b6">{words.editing(state.name)}</div>
      <ActionIcon aria-label={words.cancelEdit} onClick={() => void state.cancel()}>
        <IconX />
      </ActionIcon>
    </div>
  );
}

/** What became of the group elsewhere while it was typed over, with both ways. */
function Elsewhere({ state }: { state: GroupFormState }) {
  const { elsewhere } = state;
  if (elsewhere.kind === "nothing") return null;
  const isGone = elsewhere.kind === "gone";
  return (
    <Note tone="wait" role="status" icon={<IconAlertTriangle size={20} />}>
      {isGone ? words.goneTyped : words.changedElsewhere}
      <span className="row s ways">
        <Button variant="default" onClick={() => (isGone ? state.asNew() : state.load(elsewhere.now))}>
          {isGone ? words.asNew : words.load}
        </Button>
        <Button variant="default" onClick={() => (isGone ? state.discard() : state.keep(elsewhere.now))}>
          {isGone ? words.drop : words.keep}
        </Button>
      </span>
    </Note>
  );
}

export function GroupForm({ state, friends }: Props) {
  const { values, searched, wrong, isEdit, isBusy, isReady, failed, elsewhere } = state;

  function submit(event: FormEvent): void {
    event.preventDefault();
    state.send();
  }

  return (
    <form
      noValidate
      className="card stack f"
      aria-label={isEdit ? words.editing(state.name) : words.newGroup}
      onSubmit={submit}
    >
      {isEdit && <Editing state={state} />}
      {/* What is saved is what stands there. */}
      <fieldset className="fieldset stack f" disabled={isBusy}>
        <TextInput
          id={state.idOf("name")}
          label={words.name}
          maxLength={NAME_LENGTH_MAX}
          autoComplete="off"
          value={values.name}
          error={wrong.name}
          onChange={(event) => state.type({ name: event.currentTarget.value })}
          onBlur={() => state.leaveName()}
        />
        <FriendPicks
          id={state.idOf("friends")}
          friends={friends}
          picked={values.friends}
          search={searched}
          error={wrong.friends}
          onSearch={(text) => state.search(text)}
          onPick={(uids) => state.type({ friends: uids })}
        />
      </fieldset>
      <Elsewhere state={state} />
      {failed !== null && (
        <Failed text={failed.text} isTyped {...(failed.isLost ? { onRetry: () => state.send() } : {})} />
      )}
      {elsewhere.kind === "nothing" && (
        <div className="row s">
          {state.isClosable && (
            <Button variant="default" size="lg" px={8} fullWidth onClick={() => void state.cancel()}>
              {frameWords.cancel}
            </Button>
          )}
          {/* It keeps the focus, and says why when it is pressed all the same. */}
          <Button
            type="submit"
            size="lg"
            px={8}
            fullWidth
            loading={isBusy}
            data-disabled={!isReady || undefined}
            aria-disabled={!isReady || undefined}
          >
            {isEdit ? words.update : words.create}
          </Button>
        </div>
      )}
    </form>
  );
}
