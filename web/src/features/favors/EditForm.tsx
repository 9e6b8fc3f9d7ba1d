// Changes a favor that is a draft or active.
import { Button } from "@mantine/core";
import { useEffect } from "react";
import { type Favor, FavorStatus } from "../../gen/goodturn/favors/v1/favors_service_pb";
import { useAskedBack } from "../../lib/asking";
import { forget } from "../../lib/kept";
import { present } from "../../lib/now";
import { say } from "../../ui/said";
import { Stick } from "../../ui/Stick";
import { dismiss, toast } from "../../ui/toast";
import { asksToDiscard, Elsewhere, eitherVersion, Sending, toastUnsent } from "./Elsewhere";
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

/** What is under way is not unsent, as far as anybody knows. */
export const isSaving = (me: string, id: string): boolean => isUnderWay(me, formOf(id));

export const dropWords = (me: string, id: string): void => forget(me, formOf(id));

/** Whether there are no changes that were not sent, or the member does not want to keep them. */
export async function mayLeave(me: string, { id, title }: Favor): Promise<boolean> {
  // What is under way goes on, and is told wherever the member is then.
  if (isSaving(me, id) || unsent(me, id) === null) return true;
  if (!(await asksToDiscard(title))) return false;
  dropWords(me, id);
  return true;
}

/** Nobody shows the form any more. */
export const missedOf =
  (id: string) =>
  (outcome: Outcome): void =>
    outcome.ok ? toast({ text: words.updated }) : void toastUnsent(outcome, favorPath(id, {}, true));

/** `onLeave` leads back to viewing it. */
type Props = { favor: Favor; me: string; onLeave: () => void };

export function EditForm({ favor, me, onLeave }: Props) {
  const form = formOf(favor.id);
  const state = useFavorForm({
    me,
    form,
    favor,
    went: () => {
      onLeave();
      say(words.updated);
    },
    missed: missedOf(favor.id),
  });
  const { fields, base, underWay, elsewhere } = state;
  // It is said here from now on.
  useEffect(() => dismiss(favorPath(favor.id, {}, true)), [favor.id]);
  const { values } = fields;
  // Whoever goes elsewhere finds again what was typed.
  useAskedBack(underWay === "" && base !== null && isUnsaved({ values, base }), () => mayLeave(me, favor), onLeave);

  function save(): void {
    state.hush();
    const wrong = favor.status === FavorStatus.DRAFT ? checkDraft(values) : checkPost(values, present(), base?.values);
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
          <FavorFields
            fields={fields}
            staysPublic={favor.status !== FavorStatus.DRAFT && base?.values.isPublic === true}
          />
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
