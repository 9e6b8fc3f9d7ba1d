// Changes an item: its pictures at once, its fields when they are saved.
import { Button } from "@mantine/core";
import { IconArrowsSplit2 } from "@tabler/icons-react";
import { useEffect } from "react";
import type { Item } from "../../gen/later/goodturn/items/v1/items_service_pb";
import { useAskedBack } from "../../lib/asking";
import { useBack } from "../../lib/back";
import { listOf } from "../../lib/lists";
import { editItemPath, manageItemPath } from "../../lib/sharing";
import { useTitle } from "../../lib/title";
import { Note } from "../../ui/Pieces";
import { ScreenHead } from "../../ui/ScreenHead";
import { Stick } from "../../ui/Stick";
import { dismiss } from "../../ui/toast";
import { FormOutcome } from "./CreateForm";
import { useItemsApi } from "./deeds";
import { fieldWords, formWords } from "./formWords";
import { ItemFields } from "./ItemFields";
import { WithItem } from "./ItemScreen";
import { PictureEditor } from "./PictureEditor";
import { tellDone } from "./saving";
import { mayDiscard, useItemForm } from "./useItemForm";
import { words } from "./words";

function EditForm({ item, me }: { item: Item; me: string }) {
  const { itemId: id } = item;
  const goBack = useBack();
  const api = useItemsApi();
  const leave = (): void => goBack(manageItemPath(id));
  const state = useItemForm({
    me,
    item,
    went: (outcome) => {
      leave();
      tellDone(api, me, outcome);
    },
  });
  useTitle(words.editItem);
  // It is said here from now on.
  useEffect(() => dismiss(editItemPath(id)), [id]);
  const { isBusy, isUnsaved, elsewhere } = state;
  // Whoever goes elsewhere finds again what was typed.
  useAskedBack(!isBusy && isUnsaved, () => mayDiscard(me, id), leave);
  const close = async (): Promise<void> => {
    if (await mayDiscard(me, id)) leave();
  };
  return (
    <>
      <ScreenHead
        title={words.editItem}
        back={words.back}
        otherwise={manageItemPath(id)}
        onClose={() => void close()}
      />
      <form
        noValidate
        className="form"
        aria-label={words.editItem}
        onSubmit={(event) => {
          event.preventDefault();
          state.send();
        }}
      >
        <div className="stack f padstick">
          <PictureEditor me={me} item={item} />
          <ItemFields state={state} />
        </div>
        <Stick
          above={
            <>
              {elsewhere.length > 0 && (
                <Note tone="wait" role="status" icon={<IconArrowsSplit2 size={20} />}>
                  {formWords.changedElsewhere(listOf(elsewhere.map((name) => fieldWords[name])))}
                  <span className="row s ways">
                    <Button variant="default" onClick={state.load}>
                      {formWords.load}
                    </Button>
                  </span>
                </Note>
              )}
              <FormOutcome state={state} />
            </>
          }
        >
          <Button type="submit" size="lg" className="main-act" loading={isBusy}>
            {formWords.saveChanges}
          </Button>
        </Stick>
      </form>
    </>
  );
}

export function EditScreen({ id, me }: { id: string; me: string }) {
  return (
    <WithItem
      id={id}
      owned
      head={<ScreenHead title={words.editItem} back={words.back} otherwise={manageItemPath(id)} />}
    >
      {(item) => <EditForm key={id} item={item} me={me} />}
    </WithItem>
  );
}
