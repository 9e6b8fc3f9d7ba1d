// Asks for a new favor. What is typed is kept over a reload until it is posted or cleared.
import { Button } from "@mantine/core";
import { IconAlertCircle, IconCircleCheck } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { type Errors, useFields } from "../../lib/fields";
import { forget, keep, kept } from "../../lib/kept";
import { confirmed } from "../../ui/confirm";
import { Note } from "../../ui/Pieces";
import { Stick } from "../../ui/Stick";
import { toast } from "../../ui/toast";
import { FavorFields } from "./FavorFields";
import { blank, checkDraft, checkPost, type FavorValues, isBlank, readValues } from "./form";
import { useSaving } from "./saving";
import { words } from "./words";

const FORM = "favor";
const BANNER_MS = 3000;

type Kept = { values: FavorValues; draftId: string };

function readKept(value: unknown): Kept | null {
  if (typeof value !== "object" || value === null || !("values" in value)) return null;
  const values = readValues(value.values);
  return values === null ? null : { values, draftId: "draftId" in value ? String(value.draftId) : "" };
}

/** Fills the form that opens next; asks first when it would replace something. @returns whether it was filled. */
export async function fillForm(me: string, values: FavorValues): Promise<boolean> {
  const before = kept(me, FORM, readKept);
  if (before !== null && !isBlank(before.values) && before.draftId === "" && !(await confirmed({ ...words.replace })))
    return false;
  keep(me, FORM, { values, draftId: "" });
  return true;
}

export function CreateForm({ me, onPosted }: { me: string; onPosted: () => void }) {
  const [before] = useState(() => kept(me, FORM, readKept));
  const [draftId, setDraftId] = useState(before?.draftId ?? "");
  const [failure, setFailure] = useState("");
  const [saved, setSaved] = useState(0);
  const fields = useFields<FavorValues>(before?.values ?? blank(), (values): Errors<FavorValues> => checkDraft(values));
  const saving = useSaving();
  const { values } = fields;

  useEffect(() => keep(me, FORM, { values, draftId }), [me, values, draftId]);
  useEffect(() => {
    if (saved === 0) return undefined;
    const timer = setTimeout(() => setSaved(0), BANNER_MS);
    return () => clearTimeout(timer);
  }, [saved]);

  async function send(what: "draft" | "post"): Promise<void> {
    setFailure("");
    setSaved(0);
    const wrong = what === "draft" ? checkDraft(values) : checkPost(values, new Date());
    fields.show(wrong);
    if (Object.keys(wrong).length > 0) return;
    const answer = what === "draft" ? await saving.saveDraft(draftId, values) : await saving.post(draftId, values);
    if (!answer.ok) {
      setFailure(answer.text);
      fields.show(answer.fields);
    } else if (what === "draft") {
      setDraftId(answer.id);
      setSaved(Date.now());
    } else {
      clear();
      toast({ text: words.posted });
      onPosted();
    }
  }

  function clear(): void {
    fields.replace(blank());
    setDraftId("");
    setFailure("");
    forget(me, FORM);
  }

  async function startNew(): Promise<void> {
    if (await confirmed({ ...words.clear, destructive: true })) clear();
  }

  return (
    <form
      noValidate
      aria-label={words.newFavor}
      onSubmit={(event) => {
        event.preventDefault();
        void send("post");
      }}
    >
      <div className="form stack f padstick one-row">
        <div className="row between">
          <h2 className="t18">{words.newFavor}</h2>
          <button type="button" className="link" onClick={() => void startNew()}>
            {words.startNew}
          </button>
        </div>
        <FavorFields fields={fields} />
        <div aria-live="polite">
          {saved > 0 && (
            <Note tone="ok" icon={<IconCircleCheck size={20} />}>
              {words.draftSaved}
            </Note>
          )}
        </div>
        {failure !== "" && (
          <Note tone="no" role="alert" icon={<IconAlertCircle size={20} />}>
            {failure} What you typed is kept.
          </Note>
        )}
      </div>
      <div className="form">
        <Stick pair>
          <Button
            variant="default"
            size="lg"
            loading={saving.busy === "draft"}
            onClick={() => void send("draft")}
            px={8}
          >
            {draftId === "" ? words.saveDraft : words.updateDraft}
          </Button>
          <Button type="submit" size="lg" className="main-act-d" loading={saving.busy === "post"}>
            {words.post}
          </Button>
        </Stick>
      </div>
    </form>
  );
}
