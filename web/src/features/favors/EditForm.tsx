// Changes a favor that is a draft or active.
import { Button } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { type Favor, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { useFields } from "../../lib/fields";
import { forget, keep, kept } from "../../lib/kept";
import { confirmed } from "../../ui/confirm";
import { Note } from "../../ui/Pieces";
import { Stick } from "../../ui/Stick";
import { toast } from "../../ui/toast";
import { FavorFields } from "./FavorFields";
import { checkDraft, checkPost, readValues, valuesOf } from "./form";
import { useSaving } from "./saving";
import { words } from "./words";

const formOf = (favor: Favor): string => `favor-${favor.id}`;

/** Whether there are changes that were not sent, and the member wants to keep them. */
export async function mayLeave(me: string, favor: Favor): Promise<boolean> {
  const typed = kept(me, formOf(favor), readValues);
  const changed = typed !== null && JSON.stringify(typed) !== JSON.stringify(valuesOf(favor));
  if (changed && !(await confirmed({ ...words.discard, destructive: true }))) return false;
  forget(me, formOf(favor));
  return true;
}

export function EditForm({ favor, me, onDone }: { favor: Favor; me: string; onDone: () => void }) {
  const [before] = useState(() => kept(me, formOf(favor), readValues) ?? valuesOf(favor));
  const fields = useFields(before, checkDraft);
  const saving = useSaving();
  const [failure, setFailure] = useState("");
  const { values } = fields;
  const form = formOf(favor);
  useEffect(() => keep(me, form, values), [me, form, values]);

  async function save(): Promise<void> {
    setFailure("");
    const wrong = favor.status === FavorStatus.DRAFT ? checkDraft(values) : checkPost(values, new Date());
    fields.show(wrong);
    if (Object.keys(wrong).length > 0) return;
    const answer = await saving.update(favor.id, values);
    if (!answer.ok) {
      setFailure(answer.text);
      return fields.show(answer.fields);
    }
    forget(me, form);
    toast({ text: words.updated });
    onDone();
  }

  return (
    <form
      noValidate
      aria-label={words.editFavor}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="stack f padstick one-row">
        <FavorFields fields={fields} />
        {failure !== "" && (
          <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />}>
            {failure} What you typed is kept.
          </Note>
        )}
      </div>
      <Stick>
        <Button type="submit" size="lg" className="main-act" loading={saving.busy !== null}>
          Save changes
        </Button>
      </Stick>
    </form>
  );
}
