// Changes a favor that is a draft or active.
import { Button } from "@mantine/core";
import { type Favor, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { forget } from "../../lib/kept";
import { confirmed } from "../../ui/confirm";
import { say } from "../../ui/said";
import { Stick } from "../../ui/Stick";
import { toast } from "../../ui/toast";
import { Elsewhere, eitherVersion, Sending, toastUnsent } from "./Elsewhere";
import { FavorFields } from "./FavorFields";
import { checkDraft, checkPost, type FavorValues } from "./form";
import { favorPath } from "./paths";
import { isUnderWay, type Outcome } from "./saving";
import { useFavorForm } from "./useFavorForm";
import { formOf, heldOf, isUnsaved } from "./version";
import { formWords } from "./formWords";
import { words } from "./words";

/** The words for a favor that were typed and not sent, or null. */
export function unsent(me: string, id: string): FavorValues | null {
  const held = heldOf(me, formOf(id));
  return isUnsaved(held) ? held.values : null;
}

export const dropWords = (me: string, id: string): void => forget(me, formOf(id));

/** Whether there are no changes that were not sent, or the member does not want to keep them. */
export async function mayLeave(me: string, { id, title }: Favor): Promise<boolean> {
  // What is under way goes on, and is told wherever the member is then.
  if (isUnderWay(me, formOf(id)) || unsent(me, id) === null) return true;
  if (!(await confirmed({ ...formWords.discard, about: title, destructive: true }))) return false;
  dropWords(me, id);
  return true;
}

const missedOf =
  (id: string) =>
  (outcome: Outcome): void =>
    outcome.ok ? toast({ text: words.updated }) : toastUnsent(outcome, favorPath(id, {}, true));

type Props = { favor: Favor; me: string; onDone: () => void };

export function EditForm({ favor, me, onDone }: Props) {
  const form = formOf(favor.id);
  const state = useFavorForm({
    me,
    form,
    favor,
    went: () => {
      onDone();
      say(words.updated);
    },
    missed: missedOf(favor.id),
  });
  const { fields, base, underWay, elsewhere } = state;
  const { values } = fields;

  function save(): void {
    state.hush();
    const wrong = favor.status === FavorStatus.DRAFT ? checkDraft(values) : checkPost(values, new Date());
    fields.show(wrong);
    if (Object.keys(wrong).length === 0) state.save("update", values);
  }

  const isElsewhere = elsewhere.kind === "changed" || elsewhere.kind === "posted";
  return (
    <form
      noValidate
      aria-label={words.editFavor}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div className="stack f padstick">
        <fieldset className="fieldset" disabled={underWay !== ""}>
          <FavorFields fields={fields} />
        </fieldset>
      </div>
      {base !== null && isElsewhere ? (
        <Stick
          above={
            <Elsewhere
              now={elsewhere}
              before={base.values}
              ways={eitherVersion(elsewhere.favor, state.adopt, state.keepWords)}
            />
          }
        />
      ) : (
        <Stick above={<Sending failure={state.failure} isResuming={state.isResuming} onRetry={save} />}>
          <Button type="submit" size="lg" className="main-act" loading={underWay !== ""}>
            {formWords.saveChanges}
          </Button>
        </Stick>
      )}
    </form>
  );
}
